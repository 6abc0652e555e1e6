//! Unpacks a compressed stream as it arrives.

use std::io::{self, Write};

use bytes::Bytes;
use flate2::write::MultiGzDecoder;
use model::{Request, Response};

/// The length of the pieces to unpack, in bytes. Each unpacks to a thousand times as much at most: 1 MB.
pub(crate) const PIECE: usize = 1 << 10;

/// Unpacks the body of a watch with Content-Encoding: gzip.
///
/// A server may end a gzip member at any time, and begin the next.
#[derive(Debug)]
pub(crate) struct Unpacker(Box<MultiGzDecoder<Vec<u8>>>);

impl Unpacker {
    /// The unpacker of a response; `None` if it is not compressed, or the request does not accept gzip: the scenario then
    /// reads what the server sent.
    pub(crate) fn of(request: &Request, response: &Response) -> Option<Self> {
        let names_gzip = |headers: &[(String, String)], header: &str| {
            headers.iter().any(|(name, value)| name == header && value.to_ascii_lowercase().contains("gzip"))
        };
        let compressed = names_gzip(&request.headers, "accept-encoding")
            && names_gzip(&response.headers, "content-encoding");
        compressed.then(|| Self(Box::new(MultiGzDecoder::new(Vec::new()))))
    }

    /// All bytes that the stream has up to the end of this piece.
    pub(crate) fn unpack(&mut self, piece: &[u8]) -> io::Result<Bytes> {
        self.0.write_all(piece)?;
        self.0.flush()?;
        Ok(std::mem::take(self.0.get_mut()).into())
    }
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn unpacker() -> Unpacker {
        Unpacker::of(&Request::get("/").header("accept-encoding", "gzip"), &compressed()).unwrap()
    }

    fn compressed() -> Response {
        let headers = vec![("content-encoding".to_owned(), "gzip".to_owned())];
        Response { headers, ..Response::default() }
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
    fn a_piece_unpacks_to_bounded_memory() {
        let bomb = member(&vec![0; 8 << 20]);
        let mut unpacker = unpacker();
        let lengths = bomb.chunks(PIECE).map(|piece| unpacker.unpack(piece).unwrap().len());
        let (longest, all) =
            lengths.fold((0, 0), |(longest, all), length| (length.max(longest), all + length));
        assert!(longest <= 2 << 20 && all == 8 << 20, "{longest} of {all}");
    }

    #[test]
    fn anything_else_is_refused() {
        assert!(unpacker().unpack(b"{\"type\":\"ADDED\"}\n").is_err());
    }

    #[test]
    fn nothing_is_unpacked_unless_both_sides_name_gzip() {
        assert!(Unpacker::of(&Request::get("/"), &compressed()).is_none());
        let accepting = Request::get("/").header("accept-encoding", "gzip");
        assert!(Unpacker::of(&accepting, &Response::default()).is_none());
    }
}
