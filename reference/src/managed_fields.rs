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

use serde_json::Value;

pub(crate) use apply::{Applied, Refused, apply};
pub(crate) use manager::{LONGEST, from_user_agent, unprintable};
pub(crate) use scale::{Place, ScaleEntries};
pub(crate) use update::{Writer, keep_times, track};
pub(crate) use versions::Versions;

/// The `metadata.managedFields` of an object.
pub(crate) fn entries(object: &Value) -> &Value {
    &object["metadata"]["managedFields"]
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
