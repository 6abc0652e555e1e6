//! JSON that no [`Value`] holds, and other programs may: nobody can judge it.

use serde::de::IgnoredAny;
use serde_json::Value;

/// Why no value holds a JSON text, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableJson {
    /// What the text has, as a sentence: `it has bytes that are no UTF-8`.
    pub cause: &'static str,
    /// The line, from 1.
    pub line: usize,
    /// The column, in bytes.
    pub column: usize,
}

impl UnreadableJson {
    /// Why no value holds this text; `None` if one does, and for a text that is no JSON.
    pub fn of(text: &[u8]) -> Option<Self> {
        serde_json::from_slice::<IgnoredAny>(text).ok()?;
        let error = serde_json::from_slice::<Value>(text).err()?;
        Some(Self { cause: cause(&error.to_string()), line: error.line(), column: error.column() })
    }
}

/// The JSON library has only words for it.
fn cause(words: &str) -> &'static str {
    let says = |cause| words.contains(cause);
    if says("recursion limit") {
        "it is nested more than 128 levels deep"
    } else if says("number out of range") {
        "it has a number beyond those of 64-bit floats"
    } else if says("invalid unicode code point") {
        "it has bytes that are no UTF-8"
    } else {
        r"it has half of a surrogate pair, such as \ud800"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cause_of(text: impl AsRef<[u8]>) -> Option<&'static str> {
        UnreadableJson::of(text.as_ref()).map(|unreadable| unreadable.cause)
    }

    fn nested(levels: usize) -> String {
        format!("{}1{}", "[".repeat(levels), "]".repeat(levels))
    }

    #[test]
    fn the_cause_is_named() {
        for levels in [200, 100_000] {
            assert_eq!(cause_of(nested(levels)), Some("it is nested more than 128 levels deep"));
        }
        for number in ["1e999".to_owned(), "-1e999".to_owned(), "9".repeat(400)] {
            let text = format!("{{\"a\":{number}}}");
            assert_eq!(cause_of(text), Some("it has a number beyond those of 64-bit floats"), "{number}");
        }
        for text in [&b"{\"a\":\"\xff\"}"[..], b"{\"\xc3\":1}", b"[\"\\n\xff\"]"] {
            assert_eq!(cause_of(text), Some("it has bytes that are no UTF-8"), "{text:?}");
        }
        for text in [r#"{"a":"\ud800"}"#, r#"["\udc00"]"#, r#"["\ud800\n"]"#, r#"["\ud800\ud800"]"#] {
            assert_eq!(cause_of(text), Some(r"it has half of a surrogate pair, such as \ud800"), "{text}");
        }
    }

    #[test]
    fn its_place_is_named() {
        let unreadable = UnreadableJson::of(b"{\"a\":1,\n\"b\":1e999}").unwrap();
        assert_eq!(unreadable.line, 2);
        assert!((5..=10).contains(&unreadable.column), "{unreadable:?}");
    }

    #[test]
    fn other_texts_are_readable_or_no_json() {
        for text in
            [nested(100), "{\"a\":1e99}".to_owned(), "[".repeat(200), "<html>".to_owned(), String::new()]
        {
            assert_eq!(cause_of(&text), None, "{text:.60}");
        }
    }
}
