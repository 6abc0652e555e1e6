//! Faults of watch streams under load.

use serde_json::Value;

use super::AT_A_VERSION;
use crate::fault::{Edit::*, Event, Fault, When::*, on};

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("stream-ordered", "a watch swaps each pair of events", &[Watch], &[Events(Event::Swap)]),
    on("stream-unique", "a watch sends MODIFIED events twice", &[Watch], &[Events(Event::Duplicate("MODIFIED"))]),
    on("stream-reliable", "a watch loses its fifth event", &[Watch], &[Events(Event::Lose(5, 5))]),
    on("stream-atomic", "MODIFIED events contain half of the object", &[Watch], &[Events(Event::Edit("MODIFIED", &EditJson(remove_content)))]),
    on("stream-resumable", "a resumed watch loses its first event", &[Watch, AT_A_VERSION], &[Events(Event::Skip(1))]),
    on("stream-bookmarkable", "bookmarks have a future resourceVersion", &[Watch], &[Events(Event::Edit("BOOKMARK", &EditJson(set_future_version)))]),
    on("stream-filtered", "objects that leave the selector come as MODIFIED", &[Watch, Has("labelSelector")], &[Events(Event::Retype("DELETED", "MODIFIED"))]),
    on("stream-typed", "the server sends UPDATED instead of MODIFIED", &[Watch], &[Events(Event::Retype("MODIFIED", "UPDATED"))]),
];

/// Removes the content of an object.
fn remove_content(object: &mut Value) {
    if let Some(fields) = object.as_object_mut() {
        fields.shift_remove("data");
        fields.shift_remove("spec");
    }
}

/// Sets a future version.
fn set_future_version(bookmark: &mut Value) {
    let version = &mut bookmark["metadata"]["resourceVersion"];
    let number = version.as_str().and_then(|version| version.parse::<u64>().ok()).unwrap_or_default();
    *version = (number + 1_000).to_string().into();
}
