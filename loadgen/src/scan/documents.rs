//! Finds the ends of the JSON documents in a stream, for a server that puts no line feeds between them.

/// The place in a stream of JSON objects.
#[derive(Debug, Default)]
pub(super) struct Documents {
    depth: u32,
    in_text: bool,
    is_escaped: bool,
}

/// What a byte of the stream is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Byte {
    /// A part of a document, or a blank between two.
    Inner,
    /// The last one of a document.
    Last,
    /// No part of any JSON object.
    Stray,
}

impl Documents {
    /// Takes the next byte.
    pub(super) fn take(&mut self, byte: u8) -> Byte {
        if self.in_text {
            self.in_text = self.is_escaped || byte != b'"';
            self.is_escaped = !self.is_escaped && byte == b'\\';
            return Byte::Inner;
        }
        match byte {
            b'{' => self.depth += 1,
            _ if self.depth == 0 => {
                return if byte.is_ascii_whitespace() { Byte::Inner } else { Byte::Stray };
            }
            b'[' => self.depth += 1,
            b'"' => self.in_text = true,
            b'}' | b']' => self.depth -= 1,
            _ => {}
        }
        if self.depth == 0 { Byte::Last } else { Byte::Inner }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ends(text: &str) -> Vec<usize> {
        let mut documents = Documents::default();
        let bytes = text.bytes().enumerate().map(|(at, byte)| (at, documents.take(byte)));
        bytes.filter(|(_, byte)| *byte == Byte::Last).map(|(at, _)| at).collect()
    }

    #[test]
    fn a_document_ends_with_its_last_bracket() {
        assert_eq!(ends(r#"{} {"a":[{}]}{"#), [1, 12]);
        assert_eq!(ends(r#"{"a":"}\"}\\"}"#), [13]);
        assert_eq!(Documents::default().take(b'x'), Byte::Stray);
        assert_eq!(Documents::default().take(b']'), Byte::Stray);
    }
}
