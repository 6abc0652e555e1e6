//! A body that may be an object, a Status of failure, or no JSON, although the status of its response is 2xx.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::scan::{Collection, or_empty};
use crate::stamp::Stamp;

/// The maximum length of a Status, in bytes.
const LONGEST_STATUS: usize = 16 << 10;

static FAILURE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\"Failure\""));

/// The maximum length of a body that is always parsed, in bytes. Of the longer ones, one in [`PARSE_ONE_IN`] is: a parser
/// needs 10 µs or more for each of them.
const ALWAYS_PARSED: usize = 4 << 10;
const PARSE_ONE_IN: u32 = 16;

/// The maximum length of a body that is parsed, in bytes: the default limit of etcd is lower.
const LONGEST_PARSED: usize = 2 << 20;

/// A body so far.
pub(super) struct ShortBody {
    /// `None` once it is longer than every body that is read.
    kept: Option<Vec<u8>>,
    /// Whether it is parsed even if it is long.
    is_chosen: bool,
    /// Whether a search in its bytes was in vain so far: JSON has many spellings, so the parser decides.
    is_unclear: bool,
    /// The last byte that is no white space.
    last: Option<u8>,
}

/// The identity and the state that an object shows; absent fields, and those that are null, are empty.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct ShownObject {
    #[serde(rename = "apiVersion", deserialize_with = "or_empty")]
    api_version: String,
    #[serde(deserialize_with = "or_empty")]
    kind: String,
    #[serde(deserialize_with = "or_empty")]
    metadata: Metadata,
}

#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
struct Metadata {
    #[serde(deserialize_with = "or_empty")]
    namespace: String,
    #[serde(deserialize_with = "or_empty")]
    name: String,
    #[serde(deserialize_with = "or_empty")]
    uid: String,
    #[serde(rename = "resourceVersion", deserialize_with = "or_empty")]
    version: String,
    annotations: Option<Annotations>,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Annotations {
    #[serde(rename = "kube-assay/stamp")]
    stamp: Option<String>,
}

impl ShownObject {
    /// Its resourceVersion, if it is a number.
    pub(super) fn version(&self) -> Option<u64> {
        self.metadata.version.parse().ok()
    }

    /// The stamp of its last write, if it has one.
    pub(super) fn stamp(&self) -> Option<Stamp> {
        Stamp::read(self.metadata.annotations.as_ref()?.stamp.as_ref()?.as_bytes())
    }

    /// Its UID, if it has one.
    pub(super) fn uid(self) -> Option<String> {
        Some(self.metadata.uid).filter(|uid| !uid.is_empty())
    }

    /// Whether it is a Status.
    pub(super) fn is_status(&self) -> bool {
        self.kind == "Status"
    }

    /// Whether it is another object than the one of this name in a collection.
    pub(super) fn is_other(&self, name: &str, collection: &Collection) -> bool {
        let Collection { api_version, kind, namespace } = collection;
        let fields =
            [(&self.api_version, api_version), (&self.kind, kind), (&self.metadata.namespace, namespace)];
        let differs = |(actual, expected): (&String, &String)| !actual.is_empty() && actual != expected;
        self.metadata.name != name || fields.into_iter().any(differs)
    }
}

impl ShortBody {
    /// Without a piece yet.
    pub(super) fn empty() -> Self {
        let is_chosen = fastrand::u32(..PARSE_ONE_IN) == 0;
        Self { kept: Some(Vec::new()), is_chosen, is_unclear: false, last: None }
    }

    /// Takes the next piece of the body. `is_unclear` says whether a search in the bytes so far was in vain.
    pub(super) fn take(&mut self, piece: &[u8], is_unclear: bool) {
        self.is_unclear = is_unclear;
        self.last = piece.iter().rfind(|byte| !byte.is_ascii_whitespace()).copied().or(self.last);
        let longest = if self.is_chosen || is_unclear { LONGEST_PARSED } else { LONGEST_STATUS };
        match &mut self.kept {
            Some(body) if body.len() + piece.len() <= longest => body.extend_from_slice(piece),
            body => *body = None,
        }
    }

    /// Whether the complete body is a Status of failure. It parses only bodies with this word.
    pub(super) fn is_failure(&self) -> bool {
        let body = self.kept.as_ref().filter(|body| body.len() <= LONGEST_STATUS);
        let Some(body) = body.filter(|body| FAILURE.find(body).is_some()) else { return false };
        let status: Value = serde_json::from_slice(body).unwrap_or_default();
        status["kind"] == "Status" && status["status"] == "Failure"
    }

    /// Whether the complete body is no object of JSON, as far as that is known. No body is malformed.
    pub(super) fn is_malformed(&self) -> bool {
        let Some(last) = self.last else { return false };
        last != b'}' || self.parsed().is_some_and(|body| serde_json::from_slice::<IgnoredAny>(body).is_err())
    }

    /// Whether the complete body is parsed.
    pub(super) fn is_parsed(&self) -> bool {
        self.parsed().is_some()
    }

    /// The object that the complete body shows; `None` if it is not parsed, or is no object.
    pub(super) fn shown_object(&self) -> Option<ShownObject> {
        serde_json::from_slice(self.parsed()?).ok()
    }

    /// The body, if it is one of those that are parsed.
    fn parsed(&self) -> Option<&[u8]> {
        let body = self.kept.as_deref()?;
        (self.is_chosen || self.is_unclear || body.len() <= ALWAYS_PARSED).then_some(body)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::stamp::ANNOTATION;

    fn body(text: &str, is_chosen: bool) -> ShortBody {
        let mut body = ShortBody { is_chosen, ..ShortBody::empty() };
        text.as_bytes().chunks(1_000).for_each(|piece| body.take(piece, false));
        body
    }

    fn object(metadata: &Value, padding: usize) -> String {
        json!({ "data": { "payload": "x".repeat(padding) }, "metadata": metadata }).to_string()
    }

    #[test]
    fn an_object_shows_its_version_and_its_last_write() {
        let shown = |metadata: Value| {
            body(&object(&metadata, 0), false).shown_object().map(|shown| (shown.version(), shown.stamp()))
        };
        let stamp = Stamp { worker: 3, sequence: 7 };
        let annotations = json!({ ANNOTATION: stamp.text(), "other": "1" });
        let stamped = shown(json!({ "resourceVersion": "42", "annotations": annotations }));
        assert_eq!(stamped, Some((Some(42), Some(stamp))));
        for plain in
            [json!({ "resourceVersion": "42" }), json!({ "resourceVersion": "42", "annotations": null })]
        {
            assert_eq!(shown(plain), Some((Some(42), None)));
        }
        // A Status has no version, and not every version is a number.
        for unknown in [json!({}), json!({ "resourceVersion": "" }), json!({ "resourceVersion": "a7" })] {
            assert_eq!(shown(unknown.clone()), Some((None, None)), "{unknown}");
        }
        assert_eq!(shown(json!({ "uid": null, "resourceVersion": "42" })), Some((Some(42), None)));
        for wrong in [json!(3), json!({ "resourceVersion": 42 })] {
            assert_eq!(shown(wrong.clone()), None, "{wrong}");
        }
        assert!(body("", true).shown_object().is_none());
    }

    #[test]
    fn another_object_has_another_name_namespace_or_kind() {
        let collection = Collection {
            api_version: "v1".to_owned(),
            kind: "ConfigMap".to_owned(),
            namespace: "n".to_owned(),
        };
        let right = r#"{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"o1","namespace":"n"}}"#;
        let is_other = |text: &str| body(text, false).shown_object().unwrap().is_other("o1", &collection);
        assert!(!is_other(right) && !is_other(r#"{"metadata":{"name":"o1"}}"#));
        for (from, to) in
            [("ConfigMap", "Secret"), (r#""v1""#, r#""v2""#), ("o1", "o12"), (r#""n""#, r#""m""#)]
        {
            assert!(is_other(&right.replace(from, to)), "{to}");
        }
        assert!(is_other(r#"{"metadata":{"labels":{"name":"o1"}}}"#));
    }

    #[test]
    fn some_long_objects_are_parsed_up_to_a_limit() {
        let metadata = json!({ "resourceVersion": "42" });
        for (padding, is_chosen, is_parsed) in [
            (ALWAYS_PARSED, false, false),
            (ALWAYS_PARSED, true, true),
            (LONGEST_STATUS * 4, false, false),
            (LONGEST_STATUS * 4, true, true),
            (LONGEST_PARSED, true, false),
        ] {
            let text = object(&metadata, padding);
            assert_eq!(body(&text, is_chosen).shown_object().is_some(), is_parsed, "{padding} {is_chosen}");
            let broken = text.replace("\"metadata\":", "\"metadata\"");
            assert_eq!(body(&broken, is_chosen).is_malformed(), is_parsed, "{padding} {is_chosen}");
        }
    }
}
