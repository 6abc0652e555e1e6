//! kubectl's last-applied-configuration annotation: migration to server-side apply.

use serde_json::Value;

use super::update::Writer;
use crate::apply::{FieldSet, Types, compare, fields_of, validate};

/// The manager that this is about.
pub(super) const MANAGER: &str = "kubectl";

const ANNOTATION: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The fields that kubectl has set on the client's side, and that are still as it has set them.
pub(super) fn own_fields(writer: &Writer<'_>, live: &Value) -> FieldSet {
    let found = || {
        let said = live["metadata"]["annotations"][ANNOTATION].as_str()?;
        let last: Value = serde_json::from_str(said).ok()?;
        let version = writer.versions.version();
        let ty = writer.versions.known(version).ok()?;
        if last["apiVersion"] != version || validate(&ty, &last).is_err() {
            return None;
        }
        let comparison = compare(&ty, &last, live);
        let same = fields_of(&ty, &last).difference(&comparison.written());
        Some(same.difference(&comparison.removed))
    };
    found().unwrap_or_default()
}

/// Keeps the annotation up to date, where there is one.
pub(super) fn keep_current(object: &mut Value, config: &Value) {
    let there = object["metadata"]["annotations"][ANNOTATION].as_str().is_some_and(|said| !said.is_empty());
    if !there {
        return;
    }
    let mut config = config.clone();
    if let Some(annotations) = config.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut) {
        annotations.shift_remove(ANNOTATION);
    }
    config.sort_all_objects();
    object["metadata"]["annotations"][ANNOTATION] = format!("{config}\n").into();
}
