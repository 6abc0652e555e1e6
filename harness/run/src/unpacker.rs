//! Unpacks a compressed stream as it arrives.

use std::io::{self, Write};

use bytes::Bytes;
use flate2::write::MultiGzDecoder;
use model::Response;

/// The most bytes that one received chunk may unpack to: a chunk of a stream has some 16 KiB.
const LARGEST: usize = 16 << 20;

/// Unpacks the body of a watch with Content-Encoding: gzip.
///
/// A server may end a gzip member at any time, and begin the next.
#[derive(Debug)]
pub(crate) struct Unpacker(MultiGzDecoder<Unpacked>);

impl Unpacker {
    /// The unpacker of a response; `None` if it is not compressed.
    pub(crate) fn of(response: &Response) -> Option<Self> {
        let compressed = |(name, value): &(String, String)| {
            name == "content-encoding" && value.eq_ignore_ascii_case("gzip")
        };
        let compressed = response.headers.iter().any(compressed);
        compressed.then(|| Self(MultiGzDecoder::new(Unpacked::default())))
    }

    /// All bytes that the stream has up to the end of this chunk.
    pub(crate) fn unpack(&mut self, chunk: &[u8]) -> Result<Bytes, String> {
        let unpacked = self.0.write_all(chunk).and_then(|()| self.0.flush());
        unpacked.map_err(|why| why.to_string())?;
        Ok(std::mem::take(&mut self.0.get_mut().0).into())
    }
}

/// The bytes of one chunk.
#[derive(Debug, Default)]
struct Unpacked(Vec<u8>);

impl Write for Unpacked {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > LARGEST {
            return Err(io::Error::other(format!("one chunk unpacks to more than {} MB", LARGEST >> 20)));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn unpacker() -> Unpacker {
        let headers = vec![("content-encoding".to_owned(), "gzip".to_owned())];
        Unpacker::of(&Response { headers, ..Response::default() }).unwrap()
    }

    fn member(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn each_flushed_event_is_unpacked_at_once() {
        let (mut unpacker, mut encoder) = (unpacker(), GzEncoder::new(Vec::new(), Compression::fast()));
        encoder.write_all(b"first").unwrap();
        encoder.flush().unwrap();
        assert_eq!(unpacker.unpack(encoder.get_ref()).unwrap(), "first");
        encoder.get_mut().clear();
        encoder.write_all(b"second").unwrap();
        let rest = encoder.finish().unwrap();
        assert_eq!(unpacker.unpack(&[rest, member(b" third")].concat()).unwrap(), "second third");
    }

    #[test]
    fn a_stream_in_single_bytes_is_unpacked() {
        let mut unpacker = unpacker();
        let bytes = [member(b"one"), member(b"two")].concat();
        let unpacked: Vec<_> = bytes.chunks(1).flat_map(|byte| unpacker.unpack(byte).unwrap()).collect();
        assert_eq!(unpacked, b"onetwo");
    }

    #[test]
    fn anything_else_is_refused() {
        assert!(unpacker().unpack(b"{\"type\":\"ADDED\"}\n").is_err());
        let bomb = member(&vec![0; LARGEST + 1]);
        assert!(unpacker().unpack(&bomb).unwrap_err().ends_with("one chunk unpacks to more than 16 MB"));
        assert!(Unpacker::of(&Response::default()).is_none());
    }
}
