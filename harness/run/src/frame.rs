//! Splits a stream of JSON documents.
//!
//! kube-apiserver writes each document of a watch on one line, but the API does not promise this: a document ends where
//! its braces close. Anything else ends with its line.

use bytes::{Bytes, BytesMut};

/// The received part of a stream that is not read yet.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    unread: BytesMut,
    scanned: usize,
    depth: usize,
    text: Text,
}

/// Whether the scan is within a JSON string.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Text {
    #[default]
    Outside,
    Inside,
    /// After a backslash.
    Escaped,
}

impl Frames {
    /// Adds a received chunk.
    pub(crate) fn extend(&mut self, chunk: &[u8]) {
        self.unread.extend_from_slice(chunk);
    }

    /// The next whole document.
    pub(crate) fn next(&mut self) -> Option<Bytes> {
        loop {
            let frame = self.whole()?;
            if !frame.trim_ascii().is_empty() {
                return Some(frame);
            }
        }
    }

    /// The rest at the end of the stream, unless it is blank.
    pub(crate) fn rest(&mut self) -> Option<Bytes> {
        *self = Self { unread: std::mem::take(&mut self.unread), ..Self::default() };
        let rest = self.unread.split().freeze();
        (!rest.trim_ascii().is_empty()).then_some(rest)
    }

    fn whole(&mut self) -> Option<Bytes> {
        while let Some(&byte) = self.unread.get(self.scanned) {
            self.scanned += 1;
            if self.ends_with(byte) {
                let end = std::mem::take(&mut self.scanned);
                return Some(self.unread.split_to(end).freeze());
            }
        }
        None
    }

    /// Scans one byte; `true` at the end of a document.
    fn ends_with(&mut self, byte: u8) -> bool {
        match (self.text, byte) {
            (Text::Inside, b'"') => self.text = Text::Outside,
            (Text::Escaped, _) => self.text = Text::Inside,
            (Text::Inside, b'\\') => self.text = Text::Escaped,
            (Text::Inside, _) => {}
            (Text::Outside, b'"') if self.depth > 0 => self.text = Text::Inside,
            (Text::Outside, b'{' | b'[') => self.depth += 1,
            (Text::Outside, b'}' | b']') => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            (Text::Outside, byte) => return byte == b'\n' && self.depth == 0,
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The documents of a stream in pieces of this size, and its rest.
    fn taken(stream: &str, size: usize) -> (Vec<String>, Option<String>) {
        let text = |bytes: Bytes| String::from_utf8(bytes.trim_ascii().to_vec()).unwrap();
        let (mut frames, mut taken) = (Frames::default(), Vec::new());
        for piece in stream.as_bytes().chunks(size) {
            frames.extend(piece);
            taken.extend(std::iter::from_fn(|| frames.next()).map(text));
        }
        (taken, frames.rest().map(text))
    }

    fn documents(stream: &str) -> Vec<String> {
        let whole = taken(stream, stream.len());
        for size in 1..stream.len() {
            assert_eq!(taken(stream, size), whole, "in pieces of {size}");
        }
        assert_eq!(whole.1, None);
        whole.0
    }

    #[test]
    fn documents_end_where_their_braces_close() {
        assert_eq!(documents("{\"a\":1}\n{\"b\":[{}]}\n"), [r#"{"a":1}"#, r#"{"b":[{}]}"#]);
        assert_eq!(documents("\n\r\n{\n \"a\": {\n }\n}\n\n{}{}"), ["{\n \"a\": {\n }\n}", "{}", "{}"]);
    }

    #[test]
    fn braces_and_quotes_within_strings_do_not_count() {
        assert_eq!(documents("{\"a\":\"}\\\"}\\\\\"}\n{\"ü\":\"{\"}"), [r#"{"a":"}\"}\\"}"#, r#"{"ü":"{"}"#]);
    }

    proptest! {
        #[test]
        fn any_stream_is_cut_into_the_same_documents_and_loses_nothing(
            stream in "[{}\\[\\]\"\\\\a\n é]{0,60}",
            size in 1_usize..9,
        ) {
            let (documents, rest) = taken(&stream, stream.len().max(1));
            prop_assert_eq!(taken(&stream, size), (documents.clone(), rest.clone()));
            let visible = |text: &str| text.split_ascii_whitespace().collect::<String>();
            let whole: String = documents.into_iter().chain(rest).collect();
            prop_assert_eq!(visible(&whole), visible(&stream));
        }
    }

    #[test]
    fn anything_but_a_document_ends_with_its_line() {
        assert_eq!(documents("no\n{}\n"), ["no", "{}"]);
        assert_eq!(documents("it\"s\n{}}\n"), ["it\"s", "{}", "}"]);
        assert_eq!(taken("{}\n{\"a\":", 3), (vec!["{}".to_owned()], Some("{\"a\":".to_owned())));
    }
}
