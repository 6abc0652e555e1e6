//! `metadata.managedFields`: field managers of an object, updated by every write.
//!
//! [`crate::apply`] computes the field sets; this module names, orders and stores the managers.

mod apply;
mod entries;
mod last_applied;
mod manager;
mod manager_limit;
mod required_fields;
mod scale;
mod update;
mod versions;

use serde_json::{Map, Value};

pub(crate) use apply::{Applied, Refused, apply};
pub(crate) use manager::{LONGEST, from_user_agent, unprintable};
pub(crate) use scale::{Place, ScaleEntries};
pub(crate) use update::{Writer, keep_times, track};
pub(crate) use versions::Versions;

/// The `metadata.managedFields` of an object.
pub(crate) fn entries(object: &Value) -> &Value {
    &object["metadata"]["managedFields"]
}

/// Takes `metadata.managedFields` out of an object, which may be most of it; null if there is none.
pub(crate) fn take_entries(object: &mut Value) -> Value {
    let metadata = object["metadata"].as_object_mut();
    metadata.and_then(|metadata| metadata.shift_remove("managedFields")).unwrap_or_default()
}

/// A copy of an object without `metadata.managedFields`.
fn without_entries(object: &Value) -> Value {
    let Some(fields) = object.as_object() else { return object.clone() };
    let copied = fields.iter().map(|(name, value)| {
        let metadata = value.as_object().filter(|_| name == "metadata");
        (name.clone(), metadata.map_or_else(|| value.clone(), metadata_without_entries))
    });
    copied.collect()
}

fn metadata_without_entries(metadata: &Map<String, Value>) -> Value {
    let others = metadata.iter().filter(|(name, _)| *name != "managedFields");
    others.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Replaces `metadata.managedFields`; null removes it.
pub(crate) fn set_entries(object: &mut Value, entries: Value) {
    if entries.is_null() {
        if let Some(metadata) = object["metadata"].as_object_mut() {
            metadata.shift_remove("managedFields");
        }
        return;
    }
    object["metadata"]["managedFields"] = entries;
}
