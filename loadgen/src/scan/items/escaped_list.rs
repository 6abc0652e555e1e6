//! A list whose texts are written in escapes (`\u0061` for `a`): legal JSON that a search for bytes does not find.

use memchr::memmem;
use serde_json::Value;

/// The length of the beginning of a list that shows whether its texts are in escapes, in bytes.
const HEAD: usize = 256;

/// The maximum length of such a list, in bytes.
const LONGEST: usize = 1 << 20;

/// The bytes of a list so far; `None` once its beginning has no escape, or it is too long.
pub(super) struct EscapedList(Option<Vec<u8>>);

impl EscapedList {
    /// Without a piece yet.
    pub(super) fn empty() -> Self {
        Self(Some(Vec::new()))
    }

    /// Takes the next piece. Of a list without escapes it copies only the beginning.
    pub(super) fn take(&mut self, piece: &[u8]) {
        let Some(bytes) = &mut self.0 else { return };
        let missing = HEAD.saturating_sub(bytes.len()).min(piece.len());
        let (head, rest) = piece.split_at(missing);
        bytes.extend_from_slice(head);
        let is_kept = bytes.len() < HEAD || is_escaped(bytes);
        if is_kept && bytes.len() + rest.len() <= LONGEST {
            bytes.extend_from_slice(rest);
        } else {
            self.0 = None;
        }
    }

    /// The list as the search expects it, if its texts are in escapes.
    pub(super) fn plain(&self) -> Option<String> {
        let bytes = self.0.as_ref().filter(|bytes| is_escaped(bytes))?;
        serde_json::from_slice::<Value>(bytes).ok().map(|list| list.to_string())
    }
}

/// Whether a text in the beginning begins with an escape. Servers that escape only some letters, such as `<`, do so
/// elsewhere.
fn is_escaped(bytes: &[u8]) -> bool {
    memmem::find(&bytes[..bytes.len().min(HEAD)], br#""\u"#).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, size: usize) -> Option<String> {
        let mut list = EscapedList::empty();
        text.as_bytes().chunks(size).for_each(|piece| list.take(piece));
        list.plain()
    }

    #[test]
    fn only_a_list_that_begins_with_escapes_is_kept_and_up_to_a_limit() {
        let list = |name: &str, data: usize| format!(r#"{{"items":[{{"{name}":"{}"}}]}}"#, "x".repeat(data));
        for size in [1, 100, 1 << 20] {
            assert_eq!(plain(&list("\\u0061", 1_000), size), Some(list("a", 1_000)));
            assert_eq!(plain(&list("a", 1_000), size), None);
            assert_eq!(plain(&list("\\u0061", LONGEST), size), None);
        }
        let late = list("a", HEAD).replace(']', r#",{"\u0061":1}]"#);
        assert_eq!(plain(&late, 10), None);
    }
}
