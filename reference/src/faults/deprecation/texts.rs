//! Metrics with these faults.

use crate::fault::RequestFacts;

const GAUGE: &str = "apiserver_requested_deprecated_apis{";
const DEPRECATED: &str = "apiserver_storage_objects";

/// The lines of a text that remain, each after an edit.
fn lines(text: &str, edit: impl Fn(&str) -> Option<String>) -> String {
    text.lines().filter_map(edit).map(|line| line + "\n").collect()
}

pub(super) fn count_requests(_: &RequestFacts, text: &str) -> String {
    lines(text, |line| {
        let counted = line.strip_suffix(" 1").filter(|_| line.starts_with(GAUGE));
        Some(counted.map_or_else(|| line.to_owned(), |line| format!("{line} 2")))
    })
}

pub(super) fn omit_custom_types(_: &RequestFacts, text: &str) -> String {
    lines(text, |line| {
        let custom = line.starts_with(GAUGE) && line.contains(".dev\"");
        (!custom).then(|| line.to_owned())
    })
}

pub(super) fn omit_deprecated(_: &RequestFacts, text: &str) -> String {
    lines(text, |line| (!line.contains(DEPRECATED)).then(|| line.to_owned()))
}

pub(super) fn hide_deprecated(_: &RequestFacts, text: &str) -> String {
    lines(text, |line| {
        let hidden = line.contains(DEPRECATED) || line.contains("deprecated_version=\"1.34.0\"");
        (!hidden).then(|| line.to_owned())
    })
}
