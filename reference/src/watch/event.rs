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
    /// The event that a change is for this watcher, if it is one.
    pub(super) fn event(&self, change: &Change, first: bool, semantics: &dyn Semantics) -> Option<Bytes> {
        if !change.key().starts_with(&self.prefix) {
            return None;
        }
        let selected = |object: &Value| semantics.watch_selects(change, self.options.selects(object));
        let was = change.before.as_deref().is_some_and(selected);
        let is = !change.gone && selected(&change.after);
        match (was, is) {
            (false, true) => Some(self.line("ADDED", &change.after, first)),
            (true, true) => Some(self.line("MODIFIED", &change.after, first)),
            (true, false) if change.gone => Some(self.line("DELETED", &change.after, first)),
            (true, false) => Some(self.line("DELETED", &left(change), first)),
            (false, false) => None,
        }
    }

    /// One event about an object.
    pub(super) fn line(&self, kind: &str, object: &Value, first: bool) -> Bytes {
        write(kind, &self.view.event(&self.ty, object, first))
    }

    /// A bookmark at a version.
    pub(super) fn bookmark(&self, version: u64, ends_initial_events: bool, first: bool) -> Bytes {
        let mut object = json!({"metadata": {"resourceVersion": version.to_string()}});
        if ends_initial_events {
            object["metadata"]["annotations"] = json!({INITIAL_EVENTS_END: "true"});
        }
        self.line("BOOKMARK", &object, first)
    }
}

/// An error, the last event of a watch.
pub(super) fn error(failure: &Failure) -> Bytes {
    write("ERROR", &failure.status())
}

fn write(kind: &str, object: &Value) -> Bytes {
    Bytes::from(format!("{{\"type\":\"{kind}\",\"object\":{object}}}\n"))
}

/// An object that left the selection: its last selected content, under the version of the change.
fn left(change: &Change) -> Value {
    let before = change.before.as_ref().map(Arc::as_ref);
    let mut object = before.unwrap_or(&change.after).clone();
    object["metadata"]["resourceVersion"] = change.after["metadata"]["resourceVersion"].clone();
    object
}
