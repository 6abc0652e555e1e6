//! The visible state of an object.

use serde_json::Value;

use super::step::{FINALIZERS, ObjectChange};
use model::ResourceUnderTest;

/// The annotation that steps write.
pub(super) const NOTE: &str = "kube-assay.dev/note";

/// The label that steps write.
pub(super) const COLOUR: &str = "kube-assay.dev/colour";

/// The parts of an object that steps write.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Content {
    /// The value.
    pub value: String,
    /// The annotation.
    pub note: Option<String>,
    /// The label.
    pub colour: Option<String>,
    /// Our finalizers, in order.
    pub finalizers: Vec<String>,
}

impl Content {
    /// The content after a change.
    pub(super) fn changed(&self, change: &ObjectChange) -> Self {
        let text = |letter: char, number: u8| format!("{letter}{number}");
        Self {
            value: change.value.map_or_else(|| self.value.clone(), |number| text('v', number)),
            note: change
                .note
                .map_or_else(|| self.note.clone(), |value| value.map(|number| text('n', number))),
            colour: change
                .colour
                .map_or_else(|| self.colour.clone(), |value| value.map(|number| text('c', number))),
            finalizers: change.finalizers.map_or_else(|| self.finalizers.clone(), finalizers),
        }
    }

    /// Whether it has a finalizer that the other does not have.
    pub(super) fn holds_more_than(&self, other: &Self) -> bool {
        self.finalizers.iter().any(|finalizer| !other.finalizers.contains(finalizer))
    }

    /// Every part with its text.
    pub(super) fn parts(&self) -> [(&'static str, String); 4] {
        let value = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
        [
            ("value", self.value.clone()),
            ("annotation", value(&self.note)),
            ("label", value(&self.colour)),
            ("finalizers", format!("[{}]", self.finalizers.join(", "))),
        ]
    }
}

/// This many of our finalizers.
pub(super) fn finalizers(count: usize) -> Vec<String> {
    FINALIZERS.iter().take(count).map(|&name| name.to_owned()).collect()
}

/// An object as the server returned it.
#[derive(Debug, Clone, PartialEq)]
pub struct WrittenObject {
    /// `metadata.resourceVersion`.
    pub version: String,
    /// `metadata.uid`.
    pub uid: String,
    /// `metadata.generation`, if any.
    pub generation: Option<i64>,
    /// Whether it is being deleted.
    pub deleting: bool,
    /// Whether it has a grace period, or finalizers of others hold it.
    pub lingers: bool,
    /// The parts that steps write.
    pub content: Content,
    /// The whole object.
    pub json: Value,
}

impl WrittenObject {
    /// Reads an object.
    pub fn read(json: &Value, resource: &ResourceUnderTest) -> Self {
        let metadata = &json["metadata"];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let all: Vec<String> =
            metadata["finalizers"].as_array().into_iter().flatten().filter_map(text).collect();
        let (ours, others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|finalizer| FINALIZERS.contains(&finalizer.as_str()));
        let grace = metadata["deletionGracePeriodSeconds"].as_i64().is_some_and(|seconds| seconds > 0);
        Self {
            version: text(&metadata["resourceVersion"]).unwrap_or_default(),
            uid: text(&metadata["uid"]).unwrap_or_default(),
            generation: metadata["generation"].as_i64().filter(|generation| *generation > 0),
            deleting: metadata["deletionTimestamp"].is_string(),
            lingers: grace || !others.is_empty(),
            content: Content {
                value: json.pointer(resource.value_at()).and_then(text).unwrap_or_default(),
                note: text(&metadata["annotations"][NOTE]),
                colour: text(&metadata["labels"][COLOUR]),
                finalizers: ours,
            },
            json: json.clone(),
        }
    }
}
