//! Watch events: type per selector match, and encoding.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Value, json};

use super::Subject;
use crate::failure::Failure;
use crate::semantics::Semantics;
use crate::store::Change;

/// The annotation of the bookmark that ends the initial events.
pub(crate) const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

impl Subject {
    /// The event of a change for this watch: `None` if it does not concern it.
    pub(super) fn event(&self, change: &Change, first: bool, semantics: &dyn Semantics) -> Option<Bytes> {
        if !change.key().starts_with(&self.prefix) {
            return None;
        }
        let selected = |object: &Value| semantics.watch_selects(change, self.options.selects(object));
        let matched = change.before.as_deref().is_some_and(selected);
        let matches = !change.removed && selected(&change.after);
        match (matched, matches) {
            (false, true) => Some(self.line_of(change, "ADDED", first)),
            (true, true) => Some(self.line_of(change, "MODIFIED", first)),
            (true, false) if change.removed => Some(self.line_of(change, "DELETED", first)),
            (true, false) => Some(self.line("DELETED", &last_match(change), first)),
            (false, false) => None,
        }
    }

    /// An event for the new state of a change; watches of the same objects share it.
    fn line_of(&self, change: &Change, kind: &'static str, first: bool) -> Bytes {
        if !self.view.is_plain() {
            return self.line(kind, &change.after, first);
        }
        let form = (kind, Arc::as_ptr(&self.ty).addr());
        change.line.in_form(form, || text(kind, &self.view.event(&self.ty, &change.after, first)))
    }

    /// An event for an object.
    pub(super) fn line(&self, kind: &str, object: &Value, first: bool) -> Bytes {
        write(kind, &self.view.event(&self.ty, object, first))
    }

    pub(super) fn bookmark(&self, version: u64, ends_initial_events: bool, first: bool) -> Bytes {
        let mut object = json!({"metadata": {"resourceVersion": version.to_string()}});
        if ends_initial_events {
            object["metadata"]["annotations"] = json!({INITIAL_EVENTS_END: "true"});
        }
        self.line("BOOKMARK", &object, first)
    }
}

/// An error: the last event of a watch.
pub(super) fn error(failure: &Failure) -> Bytes {
    write("ERROR", &failure.status())
}

fn write(kind: &str, object: &Value) -> Bytes {
    Bytes::from(text(kind, object))
}

fn text(kind: &str, object: &Value) -> String {
    format!("{{\"type\":\"{kind}\",\"object\":{object}}}\n")
}

/// An object that no longer matches: its last matching content, with the version of the change.
fn last_match(change: &Change) -> Value {
    let before = change.before.as_ref().map(Arc::as_ref);
    let mut object = before.unwrap_or(&change.after).clone();
    object["metadata"]["resourceVersion"] = change.after["metadata"]["resourceVersion"].clone();
    object
}
