//! Files that the user names, read with a bound: a wrong name must not fill the memory, nor be waited for without end.

use std::fs::File;
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// No kubeconfig, certificate, token, template or workload is as large, in bytes.
const LARGEST: u64 = 16 << 20;

/// How long a pipe may take to deliver a file, or the next piece of a large one: it may come from another program.
const WITHIN: Duration = Duration::from_secs(30);

/// The length of a piece, in bytes, and how many pieces wait for their reader.
const PIECE: usize = 64 << 10;
const PIECES: usize = 4;

/// A file of any length, read piece by piece. A pipe that delivers nothing for 30 s is an error of the reader.
#[derive(Debug)]
pub struct InputFile {
    pieces: Receiver<io::Result<Vec<u8>>>,
    piece: Cursor<Vec<u8>>,
    wait: Wait,
}

/// How long a file may take.
#[derive(Debug, Clone, Copy)]
enum Wait {
    /// Each piece has this time.
    Piece(Duration),
    /// All pieces together have it, since this instant.
    Whole(Duration, Instant),
}

impl InputFile {
    /// Opens a file, and reads its first piece.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::open_within(path, Wait::Piece(WITHIN))
    }

    fn open_within(path: &Path, wait: Wait) -> io::Result<Self> {
        let (sender, pieces) = mpsc::sync_channel(PIECES);
        let path = path.to_owned();
        // Nothing ends the opening of a pipe: a thread that waits for it ends with the program.
        thread::Builder::new().spawn(move || deliver(path, &sender))?;
        let mut file = Self { pieces, piece: Cursor::default(), wait };
        file.piece = Cursor::new(file.next_piece()?);
        Ok(file)
    }

    /// The next piece, empty at the end of the file.
    fn next_piece(&self) -> io::Result<Vec<u8>> {
        let left = match self.wait {
            Wait::Piece(limit) => limit,
            Wait::Whole(limit, since) => limit.saturating_sub(since.elapsed()),
        };
        match self.pieces.recv_timeout(left) {
            Ok(piece) => piece,
            Err(RecvTimeoutError::Disconnected) => Ok(Vec::new()),
            Err(RecvTimeoutError::Timeout) => Err(io::Error::new(ErrorKind::TimedOut, self.wait.error())),
        }
    }
}

impl Read for InputFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.piece.position() == self.piece.get_ref().len() as u64 {
            self.piece = Cursor::new(self.next_piece()?);
        }
        self.piece.read(buffer)
    }
}

impl Wait {
    fn error(self) -> String {
        match self {
            Self::Piece(limit) => format!("nothing came from it for {} s", limit.as_secs()),
            Self::Whole(limit, _) => format!("it has no end after {} s", limit.as_secs()),
        }
    }
}

/// Sends the pieces of a file, or an error, until its end or that of the reader.
fn deliver(path: PathBuf, reader: &SyncSender<io::Result<Vec<u8>>>) {
    let mut file = File::open(path);
    loop {
        let piece = file.as_mut().map_err(|why| io::Error::new(why.kind(), why.to_string())).and_then(piece);
        let is_last = piece.as_ref().map_or(true, Vec::is_empty);
        if reader.send(piece).is_err() || is_last {
            return;
        }
    }
}

fn piece(file: &mut File) -> io::Result<Vec<u8>> {
    let mut piece = vec![0; PIECE];
    let length = loop {
        match file.read(&mut piece) {
            Err(why) if why.kind() == ErrorKind::Interrupted => {}
            read => break read?,
        }
    };
    piece.truncate(length);
    Ok(piece)
}

/// Reads a file. `Err` also where it is larger than 16 MB, as `/dev/zero` is, or has no end, as a pipe that nobody writes to.
pub fn read_input(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = read_beginning(path, LARGEST + 1)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::new(ErrorKind::FileTooLarge, "it is larger than 16 megabytes"));
    }
    Ok(bytes)
}

/// Reads at most so many bytes of a file, and waits no longer for them than [`read_input`].
pub fn read_beginning(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = InputFile::open_within(path, Wait::Whole(WITHIN, Instant::now()))?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The same as [`read_input`], as text, without the byte order mark that some editors put before it.
pub fn read_input_text(path: &Path) -> io::Result<String> {
    let text = String::from_utf8(read_input(path)?)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is no text in UTF-8"))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process::Command;

    use super::*;

    fn pipe_in(folder: &Path) -> PathBuf {
        let pipe = folder.join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        pipe
    }

    #[test]
    fn a_file_of_any_length_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for length in [0, 1, PIECE - 1, PIECE, PIECE + 1, 10 * PIECE] {
            let bytes: Vec<u8> = (0..=255).cycle().take(length).collect();
            fs::write(&path, &bytes).unwrap();
            assert_eq!(read_input(&path).unwrap(), bytes);
            assert_eq!(read_beginning(&path, 5).unwrap(), bytes[..length.min(5)]);
            let mut read = Vec::new();
            InputFile::open(&path).unwrap().read_to_end(&mut read).unwrap();
            assert_eq!(read, bytes);
        }
    }

    #[test]
    fn a_text_has_no_byte_order_mark() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for text in ["\u{feff}a = 1", "a = 1"] {
            fs::write(file.path(), text).unwrap();
            assert_eq!(read_input_text(file.path()).unwrap(), "a = 1");
        }
    }

    #[test]
    fn no_file_and_a_folder_are_errors_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let missing = InputFile::open(&folder.path().join("file")).unwrap_err();
        assert_eq!(missing.kind(), ErrorKind::NotFound);
        assert_eq!(InputFile::open(folder.path()).unwrap_err().kind(), ErrorKind::IsADirectory);
    }

    #[test]
    fn a_pipe_without_a_writer_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = pipe_in(folder.path());
        let limit = Duration::from_millis(10);
        for wait in [Wait::Piece(limit), Wait::Whole(limit, Instant::now())] {
            assert_eq!(InputFile::open_within(&pipe, wait).unwrap_err().kind(), ErrorKind::TimedOut);
        }
    }

    #[test]
    fn a_pipe_whose_writer_writes_no_more_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = pipe_in(folder.path());
        // It opens a pipe for both: nobody waits for the other end.
        let mut writer = File::options().read(true).write(true).open(&pipe).unwrap();
        io::Write::write_all(&mut writer, b"begin").unwrap();
        let mut file = InputFile::open_within(&pipe, Wait::Piece(Duration::from_secs(1))).unwrap();
        let mut read = Vec::new();
        assert_eq!(file.read_to_end(&mut read).unwrap_err().kind(), ErrorKind::TimedOut);
        assert_eq!(read, b"begin");
    }
}
