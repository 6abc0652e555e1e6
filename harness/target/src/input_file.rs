//! Files that the user names, read with a bound: a wrong name must not fill the memory.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// No kubeconfig, certificate, token, template or workload is as large, in bytes.
const LARGEST: u64 = 16 << 20;

/// How long a pipe may take to deliver a file: credentials may come from another program.
const WITHIN: Duration = Duration::from_secs(30);

/// Reads a file. `Err` also where it is larger than 16 MB, as `/dev/zero` is, or has no end, as a pipe that nobody writes to.
pub fn read_input(path: &Path) -> io::Result<Vec<u8>> {
    read_within(path.to_owned(), WITHIN)
}

fn read_within(path: PathBuf, limit: Duration) -> io::Result<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    // Nothing ends the opening of a pipe: a thread that waits for it ends with the program.
    thread::Builder::new().spawn(move || sender.send(read(&path)))?;
    receiver.recv_timeout(limit).unwrap_or_else(|_| {
        Err(io::Error::new(ErrorKind::TimedOut, format!("it has no end after {} s", limit.as_secs())))
    })
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let length = File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if length as u64 > LARGEST {
        return Err(io::Error::new(ErrorKind::FileTooLarge, "it is larger than 16 megabytes"));
    }
    Ok(bytes)
}

/// The same, as text.
pub fn read_input_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_input(path)?)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is no text in UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_and_a_pipe_without_a_writer_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let (file, pipe) = (folder.path().join("file"), folder.path().join("pipe"));
        std::fs::write(&file, "text").unwrap();
        assert_eq!(read_input(&file).unwrap(), b"text");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let late = read_within(pipe, Duration::from_millis(10)).unwrap_err();
        assert_eq!(late.kind(), ErrorKind::TimedOut);
    }
}
