//! kubectl's last-applied-configuration annotation: migration to server-side apply.

use serde_json::Value;

use super::update::Writer;
use crate::apply::{FieldSet, Types, compare, fields_of, validate};

/// The manager of kubectl's applies.
pub(super) const MANAGER: &str = "kubectl";

const ANNOTATION: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// The fields of kubectl's client-side apply that are still unchanged.
pub(super) fn own_fields(writer: &Writer<'_>, live: &Value) -> FieldSet {
    let unchanged_fields = || {
        let annotation = live["metadata"]["annotations"][ANNOTATION].as_str()?;
        let last: Value = serde_json::from_str(annotation).ok()?;
        let version = writer.versions.version();
        let ty = writer.versions.known(version).ok()?;
        if last["apiVersion"] != version || validate(&ty, &last).is_err() {
            return None;
        }
        let comparison = compare(&ty, &last, live);
        let same = fields_of(&ty, &last).difference(&comparison.written());
        Some(same.difference(&comparison.removed))
    };
    unchanged_fields().unwrap_or_default()
}

/// Updates the annotation, if the object has it.
pub(super) fn keep_current(object: &mut Value, config: &Value) {
    let annotated = object["metadata"]["annotations"][ANNOTATION]
        .as_str()
        .is_some_and(|annotation| !annotation.is_empty());
    if !annotated {
        return;
    }
    let mut config = config.clone();
    if let Some(annotations) = config.pointer_mut("/metadata/annotations").and_then(Value::as_object_mut) {
        annotations.shift_remove(ANNOTATION);
    }
    config.sort_all_objects();
    object["metadata"]["annotations"][ANNOTATION] = format!("{config}\n").into();
}
