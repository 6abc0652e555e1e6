//! Reads the body of a response as it arrives, and judges whether it can be what was asked.
//!
//! It searches the bytes, and parses them where the search fails. It judges only what is certain: a body in another format
//! or encoding than plain JSON is not judged.

use bytes::Bytes;
use http::HeaderMap;
use http::header::{CONTENT_ENCODING, CONTENT_TYPE};

use super::load_request::{ExpectedObject, Outcome, Page, Reading, Room};
use super::short_body::ShortBody;
use crate::scan::{Items, Search};

/// The maximum length of a kept body, in bytes.
const MOST_KEPT: usize = 4 << 20;

/// Formats of Kubernetes whose bytes the search does not understand.
const OTHER_FORMATS: [&str; 3] = ["protobuf", "yaml", "cbor"];

/// A body as it arrives.
pub(super) enum Body<'a> {
    Discard,
    Keep(Vec<u8>),
    Object { name: Search, expected: &'a ExpectedObject, body: ShortBody },
    Deletion { expected: &'a ExpectedObject, body: ShortBody },
    List { items: Box<Items>, kind: Option<&'static str>, sought: Sought, room: Room },
}

/// The search for the name of an object that a list must have.
pub(super) struct Sought(Option<Search>);

impl<'a> Body<'a> {
    /// The body of a successful response with these headers.
    pub(super) fn new(reading: &'a Reading, headers: &HeaderMap) -> Self {
        match reading {
            Reading::Keep => Self::Keep(Vec::new()),
            _ if !is_plain_json(headers) => Self::Discard,
            Reading::Discard => Self::Discard,
            Reading::Object(expected) => {
                Self::Object { name: search_name(&expected.name), expected, body: ShortBody::empty() }
            }
            Reading::Deletion(expected) => Self::Deletion { expected, body: ShortBody::empty() },
            Reading::Items { kind, thorough, sought, room, .. } => Self::List {
                items: Box::new(Items::new(*thorough)),
                kind: *kind,
                sought: Sought::new(sought.as_deref()),
                room: *room,
            },
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
            Self::Object { name, body, .. } => {
                if name.found() == 0 {
                    name.take(piece);
                }
                body.take(piece, name.found() == 0);
            }
            Self::Deletion { body, .. } => body.take(piece, false),
            Self::List { items, sought, .. } => {
                items.take(piece);
                sought.take(piece);
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
            // A Status may have the name of the object in its details.
            Self::Object { name, expected, body } => {
                let shown = body.shown_object();
                // A field has another type than that of an object, or it is no JSON.
                let is_malformed = shown.is_none() && (body.is_parsed() || body.is_malformed());
                outcome.is_other =
                    shown.as_ref().map(|shown| shown.is_other(&expected.name, &expected.collection));
                let is_nameless = name.found() == 0 && shown.is_none();
                let (is_other, is_short) = (outcome.is_other == Some(true), outcome.bytes < expected.padding);
                outcome.is_invalid = is_nameless || body.is_failure() || is_malformed || is_other || is_short;
                if let Some(shown) = shown {
                    (outcome.version, outcome.stamp) = (shown.version(), shown.stamp());
                    outcome.uid = shown.uid();
                }
            }
            Self::Deletion { expected, body } => {
                let shown = body.shown_object().filter(|shown| !shown.is_status());
                outcome.is_other = shown.map(|shown| shown.is_other(&expected.name, &expected.collection));
                outcome.is_invalid =
                    body.is_failure() || body.is_malformed() || outcome.is_other == Some(true);
            }
            Self::List { items, kind, sought, room } => {
                let (items, lacks_sought) = match items.without_escapes() {
                    Some((items, text)) => (Box::new(items), sought.is_missing_in(&text)),
                    None => (items, sought.is_missing()),
                };
                outcome.items = items.sure_count();
                outcome.misread = items.misread();
                outcome.listed = items.listed();
                let size = if outcome.misread.is_some() { outcome.items.max(1) } else { 1 };
                let (version, goes_on) = (items.version(), items.goes_on());
                outcome.version = version.as_ref().and_then(|version| version.parse().ok());
                let lacks_version = items.lacks_version(version.as_deref());
                let page = Page { version, goes_on, lacks_sought, items: items.count(), size };
                // A later page may have the object.
                let lacks_object = lacks_sought && page.goes_on.is_none();
                let is_other = kind.zip(items.kind()).is_some_and(|(kind, actual)| actual != kind);
                outcome.is_invalid = !items.is_complete_list()
                    || lacks_version
                    || is_other
                    || lacks_object
                    || room.is_exceeded_by(&page);
                outcome.page = Some(page);
            }
        }
    }
}

impl Sought {
    fn new(name: Option<&str>) -> Self {
        Self(name.map(search_name))
    }

    fn take(&mut self, piece: &[u8]) {
        if let Some(search) = self.0.as_mut().filter(|search| search.found() == 0) {
            search.take(piece);
        }
    }

    fn is_missing(&self) -> bool {
        self.0.as_ref().is_some_and(|search| search.found() == 0)
    }

    fn is_missing_in(&self, list: &str) -> bool {
        self.0.as_ref().is_some_and(|search| !search.is_in(list))
    }
}

fn search_name(name: &str) -> Search {
    Search::new(format!("\"{name}\"").as_bytes())
}

/// Whether the search understands the bytes of the body. It takes an unknown format for JSON: no object is in HTML.
pub(crate) fn is_plain_json(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_encoded = !matches!(text(CONTENT_ENCODING), "" | "identity");
    !is_encoded && !OTHER_FORMATS.iter().any(|format| text(CONTENT_TYPE).contains(format))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::sync::Arc;

    use super::*;
    use crate::scan::Collection;

    fn headers(name: &'static str, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(http::HeaderName::from_static(name), value.parse().unwrap())])
    }

    /// An object with so many bytes of data.
    fn expected(padding: u64) -> ExpectedObject {
        let text = |text: &str| text.to_owned();
        let collection =
            Collection { api_version: text("v1"), kind: text("ConfigMap"), namespace: text("n") };
        ExpectedObject { name: text("o1"), collection: Arc::new(collection), padding }
    }

    fn object_of(padding: u64) -> Reading {
        Reading::Object(expected(padding))
    }

    fn deletion() -> Reading {
        Reading::Deletion(expected(0))
    }

    fn is_invalid(reading: &Reading, headers: &HeaderMap, text: &'static str) -> bool {
        let all: Vec<bool> = (1..=text.len().max(1))
            .map(|size| {
                let mut body = Body::new(reading, headers);
                for piece in text.as_bytes().chunks(size) {
                    body.take(&Bytes::from_static(piece));
                }
                let mut outcome = Outcome { bytes: text.len() as u64, ..Outcome::default() };
                body.end(&mut outcome);
                outcome.is_invalid
            })
            .collect();
        assert!(all.windows(2).all(|two| two[0] == two[1]), "depends on the pieces: {text}");
        all[0]
    }

    #[test]
    fn an_object_has_the_name_that_was_asked() {
        let reading = object_of(0);
        let judge = |text| is_invalid(&reading, &HeaderMap::new(), text);
        assert!(!judge(r#"{"kind":"ConfigMap","metadata":{"name":"o1","resourceVersion":"7"}}"#));
        assert!(!judge("{\"data\": {},\n \"metadata\": {\"name\": \"o1\"}}"));
        for wrong in ["", "null", "{}", "<html>o1</html>", r#"{"metadata":{"name":"o12"}}"#] {
            assert!(judge(wrong), "{wrong}");
        }
    }

    #[test]
    fn an_object_is_the_one_that_was_asked_and_has_its_data() {
        let judge = |padding, text| is_invalid(&object_of(padding), &HeaderMap::new(), text);
        let right =
            r#"{"kind":"ConfigMap","metadata":{"name":"o1","namespace":"n"},"data":{"a":"xxxxxxxx"}}"#;
        assert!(!judge(8, right) && judge(right.len() as u64 + 1, right));
        assert!(judge(0, r#"{"metadata":{"name":"o2","labels":{"name":"o1"}}}"#));
        assert!(judge(0, r#"{"metadata":{"name":"o1","namespace":"m"}}"#));
    }

    #[test]
    fn an_object_is_complete() {
        let object = r#"{"metadata":{"name":"o1","labels":{"a":"}"}},"data":{"a":"b"}}"#;
        for reading in [deletion(), object_of(0)] {
            let judge = |text| is_invalid(&reading, &HeaderMap::new(), text);
            assert!(!judge(object));
            assert!((1..object.len()).all(|length| judge(&object[..length])), "{reading:?}");
        }
    }

    #[test]
    fn a_status_of_failure_is_no_success() {
        let failure =
            r#"{"kind":"Status","apiVersion":"v1","status":"Failure","code":500,"details":{"name":"o1"}}"#;
        let object = r#"{"kind":"ConfigMap","metadata":{"name":"o1"},"status":"Failure"}"#;
        let success = r#"{"kind":"Status","status":"Success","details":{"name":"o1"}}"#;
        for reading in [deletion(), object_of(0)] {
            let judge = |text| is_invalid(&reading, &HeaderMap::new(), text);
            assert!(judge(failure) && !judge(object), "{reading:?}");
            // Only a deletion may end with a Status.
            assert_eq!(judge(success), reading != deletion());
        }
        assert!(!is_invalid(&deletion(), &HeaderMap::new(), ""));
    }

    #[test]
    fn a_deletion_shows_the_deleted_object_or_a_status() {
        let judge = |text| is_invalid(&deletion(), &HeaderMap::new(), text);
        assert!(!judge(r#"{"kind":"ConfigMap","metadata":{"name":"o1","namespace":"n"}}"#));
        assert!(!judge(r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}"#));
        assert!(judge(r#"{"kind":"ConfigMap","metadata":{"name":"o2","namespace":"n"}}"#));
        assert!(judge(r#"{"kind":"Secret","metadata":{"name":"o1","namespace":"n"}}"#));
    }

    #[test]
    fn a_list_has_the_object_that_it_must_have() {
        let judge = |sought: Option<&str>, text| {
            let (sought, room) = (sought.map(str::to_owned), Room::UNKNOWN);
            let list = Reading::Items { kind: None, thorough: false, sought, room, earlier: None };
            is_invalid(&list, &HeaderMap::new(), text)
        };
        let foreign = r#"{"items":[{"metadata":{"name":"b"}},{"metadata":{"name":"a1"}}]}"#;
        for lacking in [r#"{"items":[]}"#, r#"{"items":null}"#, foreign] {
            assert!(!judge(None, lacking) && judge(Some("a"), lacking), "{lacking}");
        }
        assert!(!judge(Some("a"), r#"{"items":[{"metadata":{"name":"b"}},{"metadata":{"name":"a"}}]}"#));
        assert!(!judge(Some("a"), r#"{"metadata":{"resourceVersion":"1","continue":"more"},"items":[]}"#));
        let without_version = r#"{"metadata":{},"items":[]}"#;
        for wrong in ["", "null", "[]", r#"{"kind":"Status"}"#, without_version] {
            assert!(judge(None, wrong), "{wrong}");
        }
    }

    /// The same JSON with an escape for each letter and digit in a text.
    fn escaped(text: &str) -> String {
        let (mut escaped, mut is_text) = (String::new(), false);
        for letter in text.chars() {
            is_text ^= letter == '"';
            if is_text && letter.is_ascii_alphanumeric() {
                write!(escaped, "\\u{:04x}", u32::from(letter)).unwrap();
            } else {
                escaped.push(letter);
            }
        }
        escaped
    }

    #[test]
    fn an_object_in_escapes_is_one() {
        let object = |name: &str, data: usize| {
            let data = "x".repeat(data);
            escaped(&format!(r#"{{"metadata":{{"name":"{name}","namespace":"n"}},"data":{{"a":"{data}"}}}}"#))
        };
        let (reading, headers) = (object_of(0), HeaderMap::new());
        for length in [0, 5_000, 50_000] {
            for (name, is_wrong) in [("o1", false), ("o12", true), ("p1", true)] {
                let (text, mut outcome) = (object(name, length), Outcome::default());
                let mut body = Body::new(&reading, &headers);
                for piece in text.as_bytes().chunks(1_000) {
                    body.take(&Bytes::copy_from_slice(piece));
                }
                body.end(&mut outcome);
                assert_eq!(outcome.is_invalid, is_wrong, "{name} {length}");
            }
        }
    }

    #[test]
    fn a_list_in_escapes_is_one() {
        let text = escaped(
            r#"{"kind":"L","metadata":{"resourceVersion":"7"},"items":[{"metadata":{"name":"b"}},{"metadata":{"name":"a"}}]}"#,
        );
        for (name, is_wrong) in [("a", false), ("b", false), ("c", true)] {
            let sought = Some(name.to_owned());
            let (kind, room) = (Some("L"), Room::UNKNOWN);
            let list = Reading::Items { kind, thorough: true, sought, room, earlier: None };
            assert_eq!(is_invalid(&list, &HeaderMap::new(), text.clone().leak()), is_wrong, "{name}");
        }
        let list =
            Reading::Items { kind: None, thorough: true, sought: None, room: Room::UNKNOWN, earlier: None };
        let mut body = Body::new(&list, &HeaderMap::new());
        body.take(&Bytes::from(text));
        let mut outcome = Outcome::default();
        body.end(&mut outcome);
        assert_eq!((outcome.version, outcome.items, outcome.misread), (Some(7), 2, Some(false)));
    }

    #[test]
    fn a_list_has_no_more_than_it_can_have() {
        let judge = |thorough, most, text| {
            let room = Room { expected: 0, most };
            is_invalid(
                &Reading::Items { kind: None, thorough, sought: None, room, earlier: None },
                &HeaderMap::new(),
                text,
            )
        };
        let last = r#"{"metadata":{"resourceVersion":"1"},"items":[{"metadata":{}},{"metadata":{}}]}"#;
        let page = r#"{"metadata":{"resourceVersion":"1","continue":"more"},"items":[{"metadata":{}},{"metadata":{}}]}"#;
        let empty = r#"{"metadata":{"resourceVersion":"1","continue":"more"},"items":[]}"#;
        assert!(!judge(true, 2, last) && !judge(true, 3, page) && !judge(true, 2, empty));
        assert!(judge(true, 1, last) && judge(true, 2, page) && judge(true, 1, empty));
        // The quick count is not certain.
        assert!(!judge(false, 1, last) && judge(false, 1, page));
    }

    #[test]
    fn a_table_has_the_object_that_it_must_have() {
        let judge = |sought: Option<&str>, text| {
            let (kind, sought) = (Some("Table"), sought.map(str::to_owned));
            let table = Reading::Items { kind, thorough: false, sought, room: Room::UNKNOWN, earlier: None };
            is_invalid(&table, &HeaderMap::new(), text)
        };
        let empty = r#"{"kind":"Table","columnDefinitions":[{"name":"Name"}],"rows":[]}"#;
        assert!(!judge(None, empty) && judge(Some("a"), empty));
        assert!(!judge(Some("a"), r#"{"rows":[{"cells":[1]},{"object":{"metadata":{"name":"a"}}}]}"#));
        let list = r#"{"kind":"ConfigMapList","items":[{"metadata":{"name":"a"}}]}"#;
        let sorted = r#"{"apiVersion":"v1","items":[{"metadata":{"name":"a"},"kind":"Table"}],"kind":"ConfigMapList"}"#;
        assert!(judge(Some("a"), list) && judge(Some("a"), sorted));
        assert!(judge(None, "null"));
    }

    #[test]
    fn another_format_or_encoding_is_not_judged() {
        let object = object_of(99);
        let (sought, room) = (Some("o1".to_owned()), Room { expected: 0, most: 0 });
        let list = Reading::Items { kind: None, thorough: true, sought, room, earlier: None };
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
