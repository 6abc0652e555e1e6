//! Cuts the events of a watch out of the received pieces.
//!
//! kube-apiserver writes each event on one line. A stream of JSON documents needs no line feeds, and may have some within
//! an event: unless the first line of a stream ends with a bracket, the events end with their last brackets.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use memchr::memchr;

use super::documents::{Byte, Documents};

/// The maximum length of an event, in bytes: a server's objects have a few megabytes at most.
const LARGEST: usize = 32 << 20;

/// An incomplete event of this length, in bytes, is always kept.
const SMALL: usize = 1 << 20;

/// The maximum length of all incomplete events of the process, in bytes, beyond the small ones.
const LARGEST_SUM: usize = 64 << 20;

/// The length of all incomplete events of the process, in bytes.
static SUM: AtomicUsize = AtomicUsize::new(0);

/// The beginning of an incomplete event. Holds no memory without one.
#[derive(Debug, Default)]
pub struct Frames {
    tail: Vec<u8>,
    separation: Separation,
    documents: Documents,
    /// The length of the tail that `documents` has taken.
    taken: usize,
}

/// What separates two events.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Separation {
    /// No event has ended yet.
    #[default]
    Unknown,
    LineFeed,
    /// Nothing, or any blanks.
    Nothing,
}

/// An event without an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event is longer than 32 MB, or the incomplete events of all watches are longer than 64 MB")]
pub struct Oversize;

impl Frames {
    /// Takes a piece, and shows every event that ends in it.
    pub fn cut(&mut self, piece: &[u8], mut show: impl FnMut(&[u8])) -> Result<(), Oversize> {
        match self.separation {
            Separation::LineFeed => self.cut_lines(piece, &mut show),
            Separation::Nothing => {
                self.keep(piece)?;
                self.cut_documents(&mut show)
            }
            Separation::Unknown => {
                self.keep(piece)?;
                self.begin(piece, &mut show)
            }
        }
    }

    /// Decides what separates the events as soon as the first one shows it. The tail has the whole stream, with `piece`.
    fn begin(&mut self, piece: &[u8], show: &mut impl FnMut(&[u8])) -> Result<(), Oversize> {
        let Some(first) = first_line(piece, &self.tail) else {
            let may_end = piece.trim_ascii_end().ends_with(b"}");
            return if may_end { self.cut_documents(show) } else { Ok(()) };
        };
        if !first.trim_ascii_end().ends_with(b"}") {
            self.separation = Separation::Nothing;
            return self.cut_documents(show);
        }
        self.separation = Separation::LineFeed;
        let tail = self.take_tail();
        self.cut_lines(&tail, show)
    }

    /// Ends the stream: shows the bytes behind the last event that has ended.
    pub fn end(&mut self, mut show: impl FnMut(&[u8])) {
        if self.separation != Separation::LineFeed {
            // The bytes are kept already.
            let _ = self.cut_documents(&mut show);
        }
        show_unless_blank(&self.take_tail(), &mut show);
    }

    fn cut_lines(&mut self, piece: &[u8], show: &mut impl FnMut(&[u8])) -> Result<(), Oversize> {
        let mut rest = piece;
        if !self.tail.is_empty() {
            let Some(end) = memchr(b'\n', rest) else { return self.keep(rest) };
            self.tail.extend_from_slice(&rest[..end]);
            SUM.fetch_add(end, Relaxed);
            show_unless_blank(&self.take_tail(), show);
            rest = &rest[end + 1..];
        }
        while let Some(end) = memchr(b'\n', rest) {
            show_unless_blank(&rest[..end], show);
            rest = &rest[end + 1..];
        }
        self.keep(rest)
    }

    /// Shows every document that ends in the tail. If the tail has something else, line feeds separate the events.
    fn cut_documents(&mut self, show: &mut impl FnMut(&[u8])) -> Result<(), Oversize> {
        let mut shown = 0;
        while let Some(byte) = self.tail.get(self.taken) {
            let byte = self.documents.take(*byte);
            if byte == Byte::Stray {
                self.separation = Separation::LineFeed;
                let tail = self.take_tail();
                return self.cut_lines(&tail[shown..], show);
            }
            self.taken += 1;
            if byte == Byte::Last {
                show_unless_blank(&self.tail[shown..self.taken], show);
                (self.separation, shown) = (Separation::Nothing, self.taken);
            }
        }
        self.forget(shown);
        Ok(())
    }

    fn forget(&mut self, shown: usize) {
        if shown == self.tail.len() {
            self.take_tail();
        } else {
            self.tail.drain(..shown);
            SUM.fetch_sub(shown, Relaxed);
            self.taken -= shown;
        }
    }

    fn keep(&mut self, rest: &[u8]) -> Result<(), Oversize> {
        let length = self.tail.len() + rest.len();
        let sum = SUM.load(Relaxed) + rest.len();
        if length > LARGEST || (length > SMALL && sum > LARGEST_SUM) {
            return Err(Oversize);
        }
        SUM.fetch_add(rest.len(), Relaxed);
        self.tail.extend_from_slice(rest);
        Ok(())
    }

    fn take_tail(&mut self) -> Vec<u8> {
        SUM.fetch_sub(self.tail.len(), Relaxed);
        self.taken = 0;
        std::mem::take(&mut self.tail)
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        self.take_tail();
    }
}

/// The first line of a stream that is not blank, if the last piece may have ended it.
fn first_line<'a>(piece: &[u8], stream: &'a [u8]) -> Option<&'a [u8]> {
    memchr(b'\n', piece)?;
    let begun = stream.trim_ascii_start();
    memchr(b'\n', begun).map(|end| &begun[..end])
}

fn show_unless_blank(frame: &[u8], show: &mut impl FnMut(&[u8])) {
    let frame = frame.trim_ascii();
    if !frame.is_empty() {
        show(frame);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(pieces: &[&[u8]]) -> Vec<Vec<u8>> {
        let (mut frames, mut shown) = (Frames::default(), Vec::new());
        for piece in pieces {
            frames.cut(piece, |frame| shown.push(frame.to_vec())).unwrap();
        }
        frames.end(|frame| shown.push(frame.to_vec()));
        assert_eq!(frames.tail, b"");
        shown
    }

    #[test]
    fn an_event_ends_with_a_line_feed_or_the_stream() {
        assert_eq!(
            cut(&[b"{\"a\"", b":1}\n\n{}\r\n{\"b\"", b":2}"]),
            [&b"{\"a\":1}"[..], b"{}", b"{\"b\":2}"]
        );
        assert_eq!(cut(&[]), Vec::<Vec<u8>>::new());
    }

    #[test]
    fn an_event_without_a_line_feed_ends_with_its_last_bracket() {
        let events = [&b"{\"a\":\"}\"}"[..], b"{\"b\":{}}", b"{}"];
        assert_eq!(cut(&[b"{\"a\":\"}", b"\"}{\"b\":{}", b"}", b" {}"]), events);
        assert_eq!(cut(&[&events.concat()[..]]), events);
        assert_eq!(cut(&[&[events[0], b"{\"b"].concat()[..]]), [events[0], b"{\"b"]);
        // A line feed may come late, or between two of them.
        assert_eq!(cut(&[events[0], b"\n", events[1], b"\n\n", events[2]]), events);
        assert_eq!(cut(&[b"{}", b"x}\n", b"{} {}\n"]), [&b"{}"[..], b"x}", b"{} {}"]);
    }

    #[test]
    fn an_event_may_have_line_feeds() {
        let events = [&b"{\n  \"a\": [\n    {}\n  ]\n}"[..], b"{\n  \"b\": 1\n}"];
        let stream = events.join(&b"\n"[..]);
        for size in 1..=stream.len() {
            assert_eq!(cut(&stream.chunks(size).collect::<Vec<_>>()), events, "in pieces of {size}");
        }
        // A line that begins no document is one event, and so is each line after it.
        assert_eq!(cut(&[b"no\n{\n}\n"]), [&b"no"[..], b"{", b"}"]);
    }

    #[test]
    fn nothing_is_held_between_events() {
        let mut frames = Frames::default();
        frames.cut(b"{\"a\":1", |_| ()).unwrap();
        assert_eq!(frames.tail.len(), 6);
        frames.cut(b"}\n", |_| ()).unwrap();
        assert_eq!(frames.tail.capacity(), 0);
    }

    #[test]
    fn incomplete_events_take_bounded_memory() {
        let piece = vec![b'x'; 2 * SMALL];
        let keep = |_| {
            let mut frames = Frames::default();
            frames.cut(&piece, |_| ()).map(|()| frames)
        };
        let kept: Vec<_> = (0..2 * LARGEST_SUM / piece.len()).map(keep).collect();
        let refused = kept.iter().filter(|frames| frames.is_err()).count();
        assert!((kept.len() / 2..kept.len()).contains(&refused), "{refused} of {}", kept.len());
        drop(kept);
        assert!(keep(0).is_ok());
        let mut long = Frames::default();
        let cuts: Vec<_> = (0..=LARGEST / piece.len()).map(|_| long.cut(&piece, |_| ())).collect();
        assert_eq!(cuts.last(), Some(&Err(Oversize)));
    }

    proptest! {
        #[test]
        fn no_cut_loses_or_changes_an_event(
            events in prop::collection::vec("[^\n\r\t\x0c {][^\n\r\t ]{0,39}", 0..20),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
            closed: bool,
        ) {
            let mut stream = events.join("\n").into_bytes();
            if closed {
                stream.push(b'\n');
            }
            let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
            places.extend([0, stream.len()]);
            places.sort_unstable();
            let pieces: Vec<&[u8]> = places.windows(2).map(|pair| &stream[pair[0]..pair[1]]).collect();

            let shown = cut(&pieces);

            let expected: Vec<Vec<u8>> =
                events.iter().map(|event| event.as_bytes().trim_ascii().to_vec()).filter(|e| !e.is_empty()).collect();
            prop_assert_eq!(shown, expected);
        }
    }
}
