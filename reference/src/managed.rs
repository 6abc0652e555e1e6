//! `metadata.managedFields`: who manages which fields of an object, written down by every write.
//!
//! The sets of fields and what becomes of them are [`crate::apply`]'s; here is how managers are called and kept.

mod applying;
mod cap;
mod entries;
mod last_applied;
mod manager;
mod scale;
mod skeleton;
mod tracking;
mod versions;

use serde_json::Value;

pub(crate) use applying::{Applied, Refused, apply};
pub(crate) use manager::{LONGEST, from_user_agent, unprintable};
pub(crate) use scale::{Place, ScaleEntries};
pub(crate) use tracking::{Writer, keep_times, track};
pub(crate) use versions::Versions;

/// What an object's metadata says of its managers.
pub(crate) fn entries(object: &Value) -> &Value {
    &object["metadata"]["managedFields"]
}

/// Writes down the managers of an object; none if nobody manages anything.
pub(crate) fn set_entries(object: &mut Value, entries: Value) {
    if entries.is_null() {
        if let Some(metadata) = object["metadata"].as_object_mut() {
            metadata.shift_remove("managedFields");
        }
        return;
    }
    object["metadata"]["managedFields"] = entries;
}
