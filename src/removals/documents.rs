//! Splits a stream of YAML and JSON into documents, so that only one is in memory and a broken one hides no other.

use std::io::{self, BufRead, ErrorKind, Read};
use std::mem;

use serde::de::IgnoredAny;

/// The most bytes of a document. A list of 5,000 objects has as many.
const LARGEST: usize = 16 << 20;

/// The most bytes of a file: one that never ends is not read without end.
const LONGEST: u64 = 256 << 20;

/// The text of a document.
pub(super) struct Document {
    pub(super) bytes: Vec<u8>,
    /// The line of the file that it begins in.
    pub(super) line: u64,
}

/// The documents of a stream.
pub(super) struct Documents<R> {
    lines: R,
    /// The number of lines that are read.
    read: u64,
    /// The separator before the next document, if it was read.
    separator: Vec<u8>,
    ended: bool,
    left: u64,
}

impl<R: BufRead> Documents<R> {
    pub(super) fn new(lines: R) -> Self {
        Self { lines, read: 0, separator: Vec::new(), ended: false, left: LONGEST }
    }

    fn next_document(&mut self) -> io::Result<Option<Document>> {
        let mut bytes = mem::take(&mut self.separator);
        let line = if bytes.is_empty() { self.read + 1 } else { self.read };
        loop {
            let before = bytes.len();
            if self.next_line(&mut bytes)? == 0 {
                self.ended = true;
                return Ok((!bytes.is_empty()).then_some(Document { bytes, line }));
            }
            self.read += 1;
            if is_separator(&bytes[before..]) && before > 0 {
                self.separator = bytes.split_off(before);
                return Ok(Some(Document { bytes, line }));
            }
        }
    }

    /// Appends a line; `Err` if the document or the file is too long.
    fn next_line(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let most = (LARGEST + 1).saturating_sub(bytes.len()) as u64;
        let length = self.lines.by_ref().take(most.min(self.left)).read_until(b'\n', bytes)?;
        self.left -= length as u64;
        let too_long = |what: &str, most: u64| {
            Err(io::Error::new(ErrorKind::FileTooLarge, format!("{what} is larger than {most} megabytes")))
        };
        if bytes.len() > LARGEST {
            return too_long("a document", LARGEST as u64 >> 20);
        }
        if self.left == 0 {
            return too_long("it", LONGEST >> 20);
        }
        Ok(length)
    }
}

impl<R: BufRead> Iterator for Documents<R> {
    type Item = io::Result<Document>;

    /// An error is the last item.
    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.next_document();
        self.ended |= next.is_err();
        next.transpose()
    }
}

/// Whether a line begins a document of YAML.
fn is_separator(line: &[u8]) -> bool {
    line.strip_prefix(b"---").is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

impl Document {
    /// The values of a document of JSON, which may stand one after the other; the document itself, if it is none.
    pub(super) fn values(self) -> Vec<Self> {
        let Some(ends) = ends_of_json(&self.bytes) else { return vec![self] };
        let mut begin = 0;
        let mut line = self.line;
        let value = |end: usize| {
            let bytes = yaml_of_json(&self.bytes[begin..end]);
            let lines = self.bytes[begin..end].split(|byte| *byte == b'\n').count() as u64 - 1;
            let value = Self { bytes, line };
            (begin, line) = (end, line + lines);
            value
        };
        ends.into_iter().map(value).collect()
    }
}

/// The ends of all values of a text of JSON; `None` if it is not JSON.
fn ends_of_json(bytes: &[u8]) -> Option<Vec<usize>> {
    if !matches!(bytes.trim_ascii_start().first()?, b'{' | b'[') {
        return None;
    }
    let mut values = serde_json::Deserializer::from_slice(bytes).into_iter::<IgnoredAny>();
    let mut ends = Vec::new();
    while let Some(value) = values.next() {
        value.ok()?;
        ends.push(values.byte_offset());
    }
    Some(ends)
}

/// The same length and lines, in the subset of JSON that is YAML: without tabs between values, and without escapes of
/// surrogates. No name of an API has either.
fn yaml_of_json(json: &[u8]) -> Vec<u8> {
    let mut yaml = json.to_vec();
    let mut escaped = false;
    for byte in &mut yaml {
        match *byte {
            b'\t' => *byte = b' ',
            b'u' | b'/' if escaped => *byte = b'\\',
            _ => {}
        }
        escaped = *byte == b'\\' && !escaped;
    }
    yaml
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<(u64, String)> {
        let documents = Documents::new(text.as_bytes()).map(Result::unwrap);
        let text = |value: Document| (value.line, String::from_utf8(value.bytes).unwrap());
        documents.flat_map(Document::values).map(text).collect()
    }

    fn of(line: u64, text: &str) -> (u64, String) {
        (line, text.to_owned())
    }

    #[test]
    fn a_separator_begins_a_document() {
        assert_eq!(split("a: 1\n---\nb: 2\n"), [of(1, "a: 1\n"), of(2, "---\nb: 2\n")]);
        assert_eq!(split("---\r\na: 1\n--- # b\nb"), [of(1, "---\r\na: 1\n"), of(3, "--- # b\nb")]);
        assert_eq!(split("a: |\n  ---\n----\n"), [of(1, "a: |\n  ---\n----\n")]);
        assert_eq!(split(""), []);
    }

    #[test]
    fn values_of_json_may_stand_one_after_the_other() {
        assert_eq!(split("{\n\t\"a\": 1}\n{}"), [of(1, "{\n \"a\": 1}"), of(2, "\n{}")]);
        assert_eq!(split("{ a: 1 }"), [of(1, "{ a: 1 }")]);
    }

    #[test]
    fn escapes_that_yaml_lacks_are_replaced() {
        assert_eq!(yaml_of_json(br#""\ud83d\ude00 \\u \n""#), br#""\\d83d\\de00 \\u \n""#);
    }

    #[test]
    fn a_document_or_a_file_without_end_is_an_error() {
        let mut documents = Documents::new(io::BufReader::new(io::repeat(b'a')));
        assert_eq!(documents.next().unwrap().err().unwrap().kind(), ErrorKind::FileTooLarge);
        assert!(documents.next().is_none());
        let document = [&b"---\n"[..], &[b'a'; 9_000], b"\n"].concat();
        let documents = document.repeat(usize::try_from(LONGEST).unwrap() / document.len() + 1);
        let errors = Documents::new(&*documents).filter(Result::is_err).count();
        assert_eq!(errors, 1);
    }
}
