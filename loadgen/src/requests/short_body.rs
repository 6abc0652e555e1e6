//! A body that may be an object, a Status of failure, or no JSON, although the status of its response is 2xx.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

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
    /// The last byte that is no white space.
    last: Option<u8>,
}

/// The state that an object shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ShownState {
    /// Its resourceVersion.
    pub(super) version: u64,
    /// The stamp of its last write, if it has one.
    pub(super) stamp: Option<Stamp>,
}

#[derive(Deserialize)]
struct Object {
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(rename = "resourceVersion")]
    version: String,
    annotations: Option<Annotations>,
}

#[derive(Deserialize)]
struct Annotations {
    #[serde(rename = "kube-assay/stamp")]
    stamp: Option<String>,
}

impl ShortBody {
    /// Without a piece yet.
    pub(super) fn empty() -> Self {
        Self { kept: Some(Vec::new()), is_chosen: fastrand::u32(..PARSE_ONE_IN) == 0, last: None }
    }

    /// Takes the next piece of the body.
    pub(super) fn take(&mut self, piece: &[u8]) {
        self.last = piece.iter().rfind(|byte| !byte.is_ascii_whitespace()).copied().or(self.last);
        let longest = if self.is_chosen { LONGEST_PARSED } else { LONGEST_STATUS };
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

    /// The state that the complete body shows; `None` if it is not parsed, or has no resourceVersion that is a number.
    pub(super) fn shown_state(&self) -> Option<ShownState> {
        let Metadata { version, annotations } =
            serde_json::from_slice::<Object>(self.parsed()?).ok()?.metadata;
        let stamp = annotations.and_then(|annotations| Stamp::read(annotations.stamp?.as_bytes()));
        Some(ShownState { version: version.parse().ok()?, stamp })
    }

    /// The body, if it is one of those that are parsed.
    fn parsed(&self) -> Option<&[u8]> {
        let body = self.kept.as_deref()?;
        (self.is_chosen || body.len() <= ALWAYS_PARSED).then_some(body)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::stamp::ANNOTATION;

    fn body(text: &str, is_chosen: bool) -> ShortBody {
        let mut body = ShortBody { is_chosen, ..ShortBody::empty() };
        text.as_bytes().chunks(1_000).for_each(|piece| body.take(piece));
        body
    }

    fn object(metadata: &Value, padding: usize) -> String {
        json!({ "data": { "payload": "x".repeat(padding) }, "metadata": metadata }).to_string()
    }

    #[test]
    fn an_object_shows_its_version_and_its_last_write() {
        let shown = |metadata: Value| body(&object(&metadata, 0), false).shown_state();
        let stamp = Stamp { worker: 3, sequence: 7 };
        let annotations = json!({ ANNOTATION: stamp.text(), "other": "1" });
        let stamped = shown(json!({ "resourceVersion": "42", "annotations": annotations }));
        assert_eq!(stamped, Some(ShownState { version: 42, stamp: Some(stamp) }));
        for plain in
            [json!({ "resourceVersion": "42" }), json!({ "resourceVersion": "42", "annotations": null })]
        {
            assert_eq!(shown(plain), Some(ShownState { version: 42, stamp: None }));
        }
        // A Status has no version, and not every version is a number.
        for unknown in
            [json!({}), json!({ "resourceVersion": "" }), json!({ "resourceVersion": "a7" }), json!(3)]
        {
            assert_eq!(shown(unknown.clone()), None, "{unknown}");
        }
        assert_eq!(body("", true).shown_state(), None);
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
            assert_eq!(body(&text, is_chosen).shown_state().is_some(), is_parsed, "{padding} {is_chosen}");
            let broken = text.replace("\"metadata\":", "\"metadata\"");
            assert_eq!(body(&broken, is_chosen).is_malformed(), is_parsed, "{padding} {is_chosen}");
        }
    }
}
