//! The relevant fields of a watch event: its type, version and stamp.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use memchr::{memchr, memchr_iter};
use serde::Deserialize;
use serde_json::Value;

use crate::padding;
use crate::population::object_of;
use crate::stamp::{ANNOTATION, Stamp, Trace};

/// The type of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// `ADDED`.
    Added,
    /// `MODIFIED`.
    Modified,
    /// `DELETED`.
    Deleted,
    /// `BOOKMARK`.
    Bookmark,
    /// `ERROR`.
    Error,
    /// Any other type, or no event at all.
    Unknown,
}

/// The relevant fields of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScannedEvent<'a> {
    /// The type.
    pub kind: Type,
    /// The object's resourceVersion; empty if it is absent.
    pub version: Cow<'a, str>,
    /// The stamp of the write, if the object has one.
    pub stamp: Option<Stamp>,
    /// The part of the stamp for other workers than its own.
    pub trace: Option<Trace>,
    /// The `code` of an error's Status, or 0.
    pub code: u16,
    /// Whether it is the bookmark that ends the initial events.
    pub initial_end: bool,
    /// The identity of the object, if the event was parsed.
    pub head: Option<ObjectHead>,
}

/// The identity of an object, and whether it has its data; absent fields are empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectHead {
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) namespace: String,
    pub(super) name: String,
    uid: String,
    /// The length of its padding, in bytes; 0 if it has none, or another one than was written.
    pub(crate) padding: u64,
}

impl ObjectHead {
    /// The object of a run with its name, and its UID, which is empty if it has none.
    pub(crate) fn identity(&self) -> Option<(usize, &str)> {
        Some((object_of(self.name.as_bytes())? as usize, &self.uid))
    }
}

static VERSION: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"resourceVersion\":\""));
pub(super) static NAME: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"name\":\""));
static STAMP: LazyLock<Finder<'static>> =
    LazyLock::new(|| Finder::new(format!("\"{ANNOTATION}\":\"").as_bytes()).into_owned());

/// The first bytes of kube-apiserver's events of objects.
const BEGINNINGS: [(&[u8], Type); 3] = [
    (b"{\"type\":\"MODIFIED\",\"object\":", Type::Modified),
    (b"{\"type\":\"ADDED\",\"object\":", Type::Added),
    (b"{\"type\":\"DELETED\",\"object\":", Type::Deleted),
];

impl<'a> ScannedEvent<'a> {
    /// Scans an event; `None` unless it begins like an event of an object.
    pub fn glance(frame: &'a [u8]) -> Option<Self> {
        let (_, kind) = BEGINNINGS.into_iter().find(|(beginning, _)| frame.starts_with(beginning))?;
        let text = text_behind(&STAMP, frame);
        let (stamp, trace) = (text.and_then(Stamp::read), text.and_then(Trace::read));
        let version = version_at_once(frame).map(Cow::Borrowed).or_else(|| version_in_metadata(frame))?;
        Some(Self { kind, version, stamp, trace, code: 0, initial_end: false, head: None })
    }

    /// The object of a run whose name an event has.
    pub(crate) fn object(&self, frame: &[u8]) -> Option<u32> {
        if let Some(head) = &self.head {
            return object_of(head.name.as_bytes());
        }
        // JSON has many spellings, and a label or an owner has a name, too.
        let found = name_at_once(frame);
        found.map_or_else(|| object_of(Self::parse(frame).head?.name.as_bytes()), object_of)
    }

    /// Parses a complete event; invalid JSON has an unknown type.
    pub fn parse(frame: &[u8]) -> ScannedEvent<'static> {
        let event: Value = serde_json::from_slice(frame).unwrap_or_default();
        let object = &event["object"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let metadata = &object["metadata"];
        let annotations = &metadata["annotations"];
        let stamp = annotations[ANNOTATION].as_str().map(str::as_bytes);
        ScannedEvent {
            kind: kind(event["type"].as_str().unwrap_or_default()),
            version: Cow::Owned(text(&metadata["resourceVersion"])),
            stamp: stamp.and_then(Stamp::read),
            trace: stamp.and_then(Trace::read),
            code: object["code"].as_u64().and_then(|code| u16::try_from(code).ok()).unwrap_or(0),
            initial_end: annotations["k8s.io/initial-events-end"] == "true",
            head: Some(ObjectHead {
                api_version: text(&object["apiVersion"]),
                kind: text(&object["kind"]),
                namespace: text(&metadata["namespace"]),
                name: text(&metadata["name"]),
                uid: text(&metadata["uid"]),
                padding: padding::length(object),
            }),
        }
    }
}

/// The version of the object, if it is a field of the metadata, and no object is before the metadata or in it.
fn version_at_once(frame: &[u8]) -> Option<&str> {
    let at = VERSION.find(frame)?;
    let mut opened = memchr_iter(b'{', &frame[..at]);
    let third = opened.nth(2).filter(|_| opened.next().is_none())?;
    let is_open = memchr(b'}', &frame[third..at]).is_none();
    let is_in_metadata = is_open && frame[..third].ends_with(b"\"metadata\":");
    let version = text_behind(&VERSION, &frame[at..]).filter(|_| is_in_metadata)?;
    std::str::from_utf8(version).ok()
}

/// The version of the object, wherever it is: custom resources have sorted fields, and any field may have this name.
fn version_in_metadata(frame: &[u8]) -> Option<Cow<'_, str>> {
    let version = serde_json::from_slice::<VersionedEvent<'_>>(frame).ok()?.object.metadata.version;
    (!version.is_empty()).then_some(version)
}

#[derive(Deserialize)]
struct VersionedEvent<'a> {
    #[serde(borrow)]
    object: VersionedObject<'a>,
}

#[derive(Deserialize)]
struct VersionedObject<'a> {
    #[serde(borrow)]
    metadata: VersionedMetadata<'a>,
}

#[derive(Deserialize)]
struct VersionedMetadata<'a> {
    #[serde(borrow, rename = "resourceVersion")]
    version: Cow<'a, str>,
}

/// The name of the object, if it is the first field of the metadata, and no object is before the metadata.
fn name_at_once(frame: &[u8]) -> Option<&[u8]> {
    let at = NAME.find(frame)?;
    let before = frame[..at].strip_suffix(b"\"metadata\":{")?;
    let opened = memchr_iter(b'{', before).count();
    (opened == 2).then(|| text_behind(&NAME, &frame[at..])).flatten()
}

fn kind(word: &str) -> Type {
    match word {
        "ADDED" => Type::Added,
        "MODIFIED" => Type::Modified,
        "DELETED" => Type::Deleted,
        "BOOKMARK" => Type::Bookmark,
        "ERROR" => Type::Error,
        _ => Type::Unknown,
    }
}

/// The text between a needle and the next quote; `None` with an escape in it, which only the parser reads.
fn text_behind<'a>(needle: &Finder<'_>, frame: &'a [u8]) -> Option<&'a [u8]> {
    let rest = &frame[needle.find(frame)? + needle.needle().len()..];
    let text = &rest[..memchr(b'"', rest)?];
    memchr(b'\\', text).is_none().then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVENT: &str = r#"{"type":"MODIFIED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","resourceVersion":"42","annotations":{"kube-assay/stamp":"0.7"},"managedFields":[{"fieldsV1":{"f:kube-assay/stamp":{}}}]},"data":{"x":"\"resourceVersion\":\"1\""}}}"#;

    #[test]
    fn a_glance_sees_what_a_parser_sees() {
        let (seen, parsed) =
            (ScannedEvent::glance(EVENT.as_bytes()).unwrap(), ScannedEvent::parse(EVENT.as_bytes()));
        assert_eq!(seen, ScannedEvent { head: None, ..parsed });
        assert_eq!((&*seen.version, seen.stamp), ("42", Some(Stamp { worker: 0, sequence: 7 })));
    }

    #[test]
    fn the_version_is_that_of_the_metadata() {
        for object in [
            r#""config":{"resourceVersion":"1"},"metadata":{"name":"a","resourceVersion":"42"}"#,
            r#""metadata":{"annotations":{"resourceVersion":"3"},"name":"a","resourceVersion":"42"}"#,
            r#""metadata":{"labels":{"a":"}{"},"resourceVersion":"42"},"spec":{"resourceVersion":"9"}"#,
            r#""resourceVersion":"7","metadata":{"resourceVersion":"42"}"#,
            r#""metadata":{"resourceVersion":"\u0034\u0032"}"#,
        ] {
            let event = format!(r#"{{"type":"ADDED","object":{{{object}}}}}"#);
            assert_eq!(ScannedEvent::glance(event.as_bytes()).unwrap().version, "42", "{event}");
        }
        let without = br#"{"type":"ADDED","object":{"metadata":{"name":"a"},"resourceVersion":"7"}}"#;
        assert_eq!(ScannedEvent::glance(without), None);
    }

    #[test]
    fn a_glance_finds_the_object_that_a_parser_finds() {
        let named = EVENT.replace(r#""name":"a""#, r#""name":"o12""#);
        let spaced = named.replace(r#""name":"#, r#""name": "#);
        let labelled = named.replace(r#""name":"o12""#, r#""labels":{"name":"o1"},"name":"o12""#);
        let behind = named.replace(r#""kind":"#, r#""data":{"metadata":{"name":"o1"}},"kind":"#);
        for event in [&named, &spaced, &labelled, &behind] {
            let (frame, parsed) = (event.as_bytes(), ScannedEvent::parse(event.as_bytes()));
            let glance = ScannedEvent::glance(frame).unwrap();
            assert_eq!((glance.object(frame), parsed.object(frame)), (Some(12), Some(12)), "{event}");
        }
        assert_eq!(ScannedEvent::glance(EVENT.as_bytes()).unwrap().object(EVENT.as_bytes()), None);
    }

    #[test]
    fn what_is_no_event_of_an_object_is_left_to_the_parser() {
        for frame in [
            r#"{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}"#,
            r#"{"type": "ADDED", "object": {}}"#,
            r#"{"type":"ADDED","object":{}}"#,
            "no JSON",
            "",
        ] {
            assert_eq!(ScannedEvent::glance(frame.as_bytes()), None, "{frame}");
        }
    }

    #[test]
    fn an_error_has_a_code_and_a_bookmark_may_end_the_beginning() {
        let error = ScannedEvent::parse(br#"{"type":"ERROR","object":{"kind":"Status","code":410}}"#);
        assert_eq!((error.kind, error.code), (Type::Error, 410));
        let bookmark = ScannedEvent::parse(
            br#"{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9","annotations":{"k8s.io/initial-events-end":"true"}}}}"#,
        );
        assert_eq!((bookmark.kind, &*bookmark.version, bookmark.initial_end), (Type::Bookmark, "9", true));
        assert_eq!(ScannedEvent::parse(b"\xff{").kind, Type::Unknown);
    }
}
