//! Files that the user names, read with a bound: a wrong name must not fill the memory.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// No kubeconfig, certificate, token, template or workload is as large, in bytes.
const LARGEST: u64 = 16 << 20;

/// Reads a file. `Err` also where it is larger than 16 MB, as `/dev/zero` is.
pub fn read_input(path: &Path) -> io::Result<Vec<u8>> {
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
