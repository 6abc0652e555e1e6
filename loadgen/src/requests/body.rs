//! Reads the body of a response as it arrives, and judges whether it can be what was asked.
//!
//! It searches the bytes and does not parse them. It judges only what is certain: a body in another format or encoding
//! than plain JSON is not judged.

use bytes::Bytes;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};

use super::load_request::{Outcome, Page, Reading};
use crate::scan::{Items, Search};

/// The maximum length of a kept body, in bytes.
const MOST_KEPT: usize = 4 << 20;

/// Formats of Kubernetes whose bytes the search does not understand.
const OTHER_FORMATS: [&str; 3] = ["protobuf", "yaml", "cbor"];

/// A body as it arrives.
pub(super) enum Body {
    Discard,
    Keep(Vec<u8>),
    Object(Search),
    List { items: Items, nonempty: bool },
    Table { start: Items, nonempty: bool },
}

impl Body {
    /// The body of a successful response with these headers.
    pub(super) fn new(reading: &Reading, headers: &HeaderMap) -> Self {
        match reading {
            Reading::Keep => Self::Keep(Vec::new()),
            _ if !is_plain_json(headers) => Self::Discard,
            Reading::Discard => Self::Discard,
            Reading::Object { name } => Self::Object(Search::new(format!("\"{name}\"").as_bytes())),
            Reading::Items { thorough, nonempty } => {
                Self::List { items: Items::new(*thorough), nonempty: *nonempty }
            }
            Reading::Table { nonempty } => Self::Table { start: Items::new(false), nonempty: *nonempty },
        }
    }

    /// The body of an error, which has its reason.
    pub(super) fn of_error() -> Self {
        Self::Keep(Vec::new())
    }

    /// Takes the next piece; returns the number of items of a list so far.
    pub(super) fn take(&mut self, piece: &Bytes) -> u64 {
        match self {
            Self::Keep(kept) if kept.len() + piece.len() <= MOST_KEPT => kept.extend_from_slice(piece),
            Self::Object(name) if name.found() == 0 => name.take(piece),
            Self::Table { start, .. } => start.take_start(piece),
            Self::List { items, .. } => {
                items.take(piece);
                return items.count();
            }
            _ => {}
        }
        0
    }

    /// Judges the complete body.
    pub(super) fn end(self, outcome: &mut Outcome) {
        match self {
            Self::Discard => {}
            Self::Keep(kept) => outcome.body = kept.into(),
            Self::Object(name) => outcome.is_invalid = name.found() == 0,
            Self::Table { start, nonempty } => {
                outcome.is_invalid = !start.is_list() || (nonempty && start.count() == 0);
            }
            Self::List { items, nonempty } => {
                outcome.items = items.sure_count();
                outcome.misread = items.misread();
                let page = Page { version: items.version(), goes_on: items.goes_on() };
                // The server may return an empty page before the last one.
                let empty = outcome.items == 0 && page.goes_on.is_none();
                outcome.is_invalid = !items.is_list() || (nonempty && empty);
                outcome.page = Some(page);
            }
        }
    }
}

/// Whether the search understands the bytes of the body. It takes an unknown format for JSON: no object is in HTML.
pub(crate) fn is_plain_json(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_encoded = !matches!(text(CONTENT_ENCODING), "" | "identity");
    !is_encoded && !OTHER_FORMATS.iter().any(|format| text(CONTENT_TYPE).contains(format))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(http::HeaderName::from_static(name), value.parse().unwrap())])
    }

    fn is_invalid(reading: &Reading, headers: &HeaderMap, text: &'static str) -> bool {
        let all: Vec<bool> = (1..=text.len().max(1))
            .map(|size| {
                let mut body = Body::new(reading, headers);
                for piece in text.as_bytes().chunks(size) {
                    body.take(&Bytes::from_static(piece));
                }
                let mut outcome = Outcome::default();
                body.end(&mut outcome);
                outcome.is_invalid
            })
            .collect();
        assert!(all.windows(2).all(|two| two[0] == two[1]), "depends on the pieces: {text}");
        all[0]
    }

    #[test]
    fn an_object_has_the_name_that_was_asked() {
        let reading = Reading::Object { name: "o1".to_owned() };
        let judge = |text| is_invalid(&reading, &HeaderMap::new(), text);
        assert!(!judge(r#"{"kind":"ConfigMap","metadata":{"name":"o1","resourceVersion":"7"}}"#));
        assert!(!judge("{\"data\": {},\n \"metadata\": {\"name\": \"o1\"}}"));
        for wrong in ["", "null", "{}", "<html>o1</html>", r#"{"metadata":{"name":"o12"}}"#] {
            assert!(judge(wrong), "{wrong}");
        }
    }

    #[test]
    fn a_list_has_items_where_some_exist() {
        let judge = |nonempty, text| {
            let list = Reading::Items { thorough: false, nonempty };
            is_invalid(&list, &HeaderMap::new(), text)
        };
        for empty in [r#"{"items":[]}"#, r#"{"items":null}"#] {
            assert!(!judge(false, empty) && judge(true, empty), "{empty}");
        }
        assert!(!judge(true, r#"{"items":[{"metadata":{"name":"a"}}]}"#));
        assert!(!judge(true, r#"{"metadata":{"continue":"more"},"items":[]}"#));
        for wrong in ["", "null", "[]", r#"{"kind":"Status"}"#] {
            assert!(judge(false, wrong), "{wrong}");
        }
    }

    #[test]
    fn a_table_has_rows_where_some_exist() {
        let judge = |nonempty, text| is_invalid(&Reading::Table { nonempty }, &HeaderMap::new(), text);
        let empty = r#"{"kind":"Table","columnDefinitions":[{"name":"a"}],"rows":[]}"#;
        assert!(!judge(false, empty) && judge(true, empty));
        assert!(!judge(true, r#"{"columnDefinitions":[{"name":"a"}],"rows":[{"cells":[1]},{"cells":[2]}]}"#));
        // A server without tables returns the list.
        assert!(!judge(true, r#"{"items":[{"metadata":{"name":"a"}}]}"#));
        assert!(judge(false, "null"));
    }

    #[test]
    fn another_format_or_encoding_is_not_judged() {
        let object = Reading::Object { name: "o1".to_owned() };
        let list = Reading::Items { thorough: true, nonempty: true };
        for (name, value) in [
            ("content-encoding", "gzip"),
            ("content-type", "application/vnd.kubernetes.protobuf"),
            ("content-type", "application/yaml"),
        ] {
            let headers = headers(name, value);
            assert!(!is_invalid(&object, &headers, "k8s") && !is_invalid(&list, &headers, "k8s"), "{value}");
        }
        assert!(is_invalid(&object, &headers("content-type", "text/html"), "k8s"));
    }
}
