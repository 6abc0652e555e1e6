//! Bodies without credentials, whatever their encoding.

use std::io::{Read, Write};
use std::ops::Range;

use bytes::Bytes;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use crate::redact::Redactor;

/// The most that a compressed body may unpack to, in bytes; nothing behind it is kept.
const LONGEST: u64 = 64 << 20;

/// The pieces of a body without credentials, also of one that two pieces share. Every piece of a text keeps its length.
pub(super) fn redact_pieces(redactor: &Redactor, pieces: &mut [&mut Bytes]) {
    if let [only] = pieces {
        **only = redact_body(redactor, only);
        return;
    }
    let whole: Bytes = pieces.iter().flat_map(|piece| piece.iter().copied()).collect::<Vec<_>>().into();
    let mut redacted = redact_body(redactor, &whole);
    if redacted == whole {
        return;
    }
    if redacted.len() == whole.len() {
        for piece in pieces {
            **piece = redacted.split_to(piece.len());
        }
        return;
    }
    // Compressed again: only the end of the stream has all that it takes to unpack it.
    for piece in &mut *pieces {
        piece.clear();
    }
    if let Some(last) = pieces.last_mut() {
        **last = redacted;
    }
}

/// The bytes without credentials: stars in their place. Compressed ones are unpacked to look inside.
pub(super) fn redact_body(redactor: &Redactor, bytes: &Bytes) -> Bytes {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return redact_gzip(redactor, bytes);
    }
    let found = match std::str::from_utf8(bytes) {
        Ok(text) => redactor.find(text),
        Err(_) => find_in_binary(redactor, bytes),
    };
    if found.is_empty() {
        return bytes.clone();
    }
    let mut redacted = bytes.to_vec();
    for found in found {
        redacted[found].fill(b'*');
    }
    redacted.into()
}

/// Where credentials are in bytes that are no text: each byte counts as one character.
fn find_in_binary(redactor: &Redactor, bytes: &[u8]) -> Vec<Range<usize>> {
    let text: String =
        bytes.iter().map(|byte| if byte.is_ascii() { char::from(*byte) } else { '\u{1}' }).collect();
    redactor.find(&text)
}

fn redact_gzip(redactor: &Redactor, bytes: &Bytes) -> Bytes {
    let mut unpacked = Vec::new();
    // A body that breaks off is read as far as it goes.
    let _ = MultiGzDecoder::new(&bytes[..]).take(LONGEST).read_to_end(&mut unpacked);
    let unpacked = Bytes::from(unpacked);
    let redacted = redact_body(redactor, &unpacked);
    if redacted == unpacked {
        return bytes.clone();
    }
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    let packed = packer.write_all(&redacted).and_then(|()| packer.finish());
    packed.unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "s3cr3t-token-of-the-run";

    fn redactor() -> Redactor {
        let redactor = Redactor::default();
        redactor.learn(TOKEN);
        redactor
    }

    fn packed(text: &[u8]) -> Bytes {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(text).unwrap();
        packer.finish().unwrap().into()
    }

    fn unpacked(bytes: &[u8]) -> Vec<u8> {
        let mut unpacked = Vec::new();
        MultiGzDecoder::new(bytes).read_to_end(&mut unpacked).unwrap();
        unpacked
    }

    #[test]
    fn a_credential_becomes_stars_in_text_and_in_binary_bytes() {
        let text = Bytes::from(format!("{{\"token\":\"{TOKEN}\"}}"));
        let hidden = format!("{{\"token\":\"{}\"}}", "*".repeat(TOKEN.len()));
        assert_eq!(redact_body(&redactor(), &text), hidden);
        let binary = [&[0xff, 0x00], TOKEN.as_bytes(), &[0xfe]].concat();
        let hidden = [&[0xff, 0x00], "*".repeat(TOKEN.len()).as_bytes(), &[0xfe]].concat();
        assert_eq!(redact_body(&redactor(), &binary.into()), hidden);
    }

    #[test]
    fn a_compressed_credential_is_found() {
        let redacted = redact_body(&redactor(), &packed(TOKEN.as_bytes()));
        assert_eq!(unpacked(&redacted), "*".repeat(TOKEN.len()).as_bytes());
        let harmless = packed(b"harmless");
        assert_eq!(redact_body(&redactor(), &harmless), harmless);
    }

    #[test]
    fn a_credential_in_two_pieces_is_found() {
        let (first, second) = TOKEN.split_at(9);
        let (mut first, mut second) = (Bytes::from(format!("a{first}")), Bytes::from(format!("{second}b")));
        redact_pieces(&redactor(), &mut [&mut first, &mut second]);
        assert_eq!([first, second], ["a*********", "**************b"]);
    }
}
