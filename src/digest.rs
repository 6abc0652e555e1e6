//! Digests that identify the input files of a run.

use std::fmt::Write as _;
use std::io::{self, Read};

use aws_lc_rs::digest::{Context, SHA256};

/// SHA-256 of the concatenated texts, in hexadecimal.
pub(crate) fn sha256(texts: impl IntoIterator<Item = impl AsRef<[u8]>>) -> String {
    let mut context = Context::new(&SHA256);
    for text in texts {
        context.update(text.as_ref());
    }
    hexadecimal(context)
}

/// SHA-256 of a whole stream, in hexadecimal.
pub(crate) fn sha256_of(mut stream: impl Read) -> io::Result<String> {
    let (mut context, mut piece) = (Context::new(&SHA256), vec![0; 1 << 16]);
    loop {
        match stream.read(&mut piece)? {
            0 => return Ok(hexadecimal(context)),
            length => context.update(&piece[..length]),
        }
    }
}

fn hexadecimal(context: Context) -> String {
    context.finish().as_ref().iter().fold(String::new(), |mut hexadecimal, byte| {
        // Writing to a string cannot fail.
        let _ = write!(hexadecimal, "{byte:02x}");
        hexadecimal
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_hashed_as_one_text() {
        let whole = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256([&b"abc"[..]]), whole);
        assert_eq!(sha256([&b"a"[..], &b"bc"[..]]), whole);
    }
}
