//! Files that may be pipes: the opening of one waits until somebody reads it.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long a pipe may take to get a reader: it may be another program, which starts at the same time.
const WITHIN: Duration = Duration::from_secs(30);

/// Creates a file, or opens what is there: a device, or a pipe that somebody reads within 30 s.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    create_within(path, WITHIN)
}

fn create_within(path: &Path, limit: Duration) -> io::Result<File> {
    let (sender, opened) = mpsc::channel();
    let path = path.to_owned();
    // Nothing ends the opening of a pipe: a thread that waits for it ends with the program.
    thread::Builder::new().spawn(move || sender.send(File::create(path)))?;
    opened.recv_timeout(limit).unwrap_or_else(|_| {
        let why = format!("it is a pipe that nobody has read for {} s", limit.as_secs());
        Err(io::Error::new(ErrorKind::TimedOut, why))
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::path::PathBuf;
    use std::process::Command;

    use super::*;

    fn pipe_in(folder: &Path) -> PathBuf {
        let pipe = folder.join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        pipe
    }

    #[test]
    fn a_pipe_without_a_reader_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let why = create_within(&pipe_in(folder.path()), Duration::from_millis(10)).unwrap_err();
        assert_eq!(why.kind(), ErrorKind::TimedOut);
    }

    #[test]
    fn a_pipe_is_written_to_if_somebody_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = pipe_in(folder.path());
        let reading = thread::spawn({
            let pipe = pipe.clone();
            move || {
                let mut text = String::new();
                File::open(pipe).unwrap().read_to_string(&mut text).unwrap();
                text
            }
        });
        create(&pipe).unwrap().write_all(b"report").unwrap();
        assert_eq!(reading.join().unwrap(), "report");
    }

    #[test]
    fn a_file_is_created_at_once() {
        let folder = tempfile::tempdir().unwrap();
        create(&folder.path().join("file")).unwrap().write_all(b"report").unwrap();
        assert_eq!(std::fs::read(folder.path().join("file")).unwrap(), b"report");
        assert_eq!(create(folder.path()).unwrap_err().kind(), ErrorKind::IsADirectory);
    }
}
