//! Leaves lines out of long texts while they arrive.
//!
//! The metrics of a server that has run for days have tens of megabytes of histogram buckets, which no scenario judges.

use std::sync::Arc;

use bytes::Bytes;
use model::{Request, Response};

/// The length of the lines that are kept though nobody needs them, in bytes: a shorter text stays as the server sent it.
const ROOM: usize = 512 << 10;

/// The length of the longest line that is held back until its end, in bytes. A longer one is kept.
const LONGEST_LINE: usize = 1 << 20;

/// The scan of a text that leaves lines out.
#[derive(Debug)]
pub(crate) struct LongText {
    /// The text in the lines that nobody needs.
    without: Arc<str>,
    room: usize,
    /// The beginning of a line whose end has not arrived.
    held: Vec<u8>,
}

impl LongText {
    /// The scan of a response; `None` if all of it is needed, or it is compressed.
    pub(crate) fn of(request: &Request, response: &Response) -> Option<Self> {
        let without = request.unneeded_lines.clone()?;
        let is_text = response.headers.iter().all(|(name, _)| name != "content-encoding");
        is_text.then(|| Self { without, room: ROOM, held: Vec::new() })
    }

    /// The needed lines that end in this piece, and were not returned before.
    pub(crate) fn scan(&mut self, piece: &[u8]) -> Bytes {
        let mut kept = Vec::with_capacity(piece.len());
        for part in piece.split_inclusive(|byte| *byte == b'\n') {
            self.held.extend_from_slice(part);
            if self.held.len() > LONGEST_LINE {
                kept.append(&mut self.held);
            } else if part.ends_with(b"\n") {
                self.end_line(&mut kept);
            }
        }
        kept.into()
    }

    /// The last line, without its end.
    pub(crate) fn rest(&mut self) -> Bytes {
        std::mem::take(&mut self.held).into()
    }

    fn end_line(&mut self, kept: &mut Vec<u8>) {
        let length = self.held.len();
        if !String::from_utf8_lossy(&self.held).contains(&*self.without) {
            kept.append(&mut self.held);
        } else if let Some(room) = self.room.checked_sub(length) {
            self.room = room;
            kept.append(&mut self.held);
        } else {
            self.held.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanned(text: &str, piece: usize) -> String {
        let request = Request::get("/metrics").without_lines("_bucket{");
        let mut scan = LongText::of(&request, &Response::default()).unwrap();
        let mut kept: Vec<u8> =
            text.as_bytes().chunks(piece).flat_map(|piece| scan.scan(piece).to_vec()).collect();
        kept.extend(scan.rest());
        String::from_utf8(kept).unwrap()
    }

    #[test]
    fn a_short_text_stays_as_it_is() {
        let text = "# TYPE a histogram\na_bucket{le=\"1\"} 2\na_count 2\nb 1";
        for piece in [1, 7, 1000] {
            assert_eq!(scanned(text, piece), text);
        }
    }

    #[test]
    fn a_long_text_loses_only_lines_that_nobody_needs() {
        let buckets = format!("a_bucket{{le=\"{}\"}} 2\n", "1".repeat(1 << 10)).repeat(1 << 10);
        let kept = scanned(&format!("{buckets}a_count 2\n{buckets}b 1\nlast"), 4096);
        assert!(kept.len() <= ROOM + 100, "{}", kept.len());
        let needed: Vec<&str> = kept.lines().filter(|line| !line.contains("_bucket{")).collect();
        assert_eq!(needed, ["a_count 2", "b 1", "last"]);
    }

    #[test]
    fn a_line_without_an_end_is_kept() {
        let line = format!("a_bucket{{{}", "x".repeat(3 << 20));
        assert!(scanned(&line, 1 << 16).len() >= 2 << 20);
    }

    #[test]
    fn a_compressed_response_stays_as_it_is() {
        let headers = vec![("content-encoding".to_owned(), "gzip".to_owned())];
        let response = Response { headers, ..Response::default() };
        let request = Request::get("/metrics").without_lines("_bucket{");
        assert!(LongText::of(&request, &response).is_none());
        assert!(LongText::of(&Request::get("/metrics"), &Response::default()).is_none());
    }
}
