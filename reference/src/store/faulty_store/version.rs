//! Wrong resourceVersions of writes.

use serde_json::Value;

use super::{StoreFault, StoreFaults};
use crate::store::Object;
use crate::store::memory::{Version, Write};

/// The resourceVersions of a store with these faults.
pub(super) fn of(store_faults: StoreFaults) -> Version {
    Box::new(move |write| {
        let old = write.before.and_then(|object| object["metadata"]["resourceVersion"].as_str());
        let given = write.after["metadata"]["resourceVersion"].as_str().filter(|given| old != Some(given));
        match (old, given) {
            (_, Some(given)) if store_faults.has(StoreFault::TakesVersions) => given.to_owned(),
            (Some(old), _) if keeps(&store_faults, write) => old.to_owned(),
            (old, _) if store_faults.has(StoreFault::CountsPerObject) => {
                let count = old.and_then(|old| old.parse::<u64>().ok()).unwrap_or_default();
                (count + 1).to_string()
            }
            _ if store_faults.has(StoreFault::PadsVersions) => format!("{:012}", write.revision),
            _ => write.revision.to_string(),
        }
    })
}

/// An object with the resourceVersion after its own.
pub(super) fn next(object: &Object) -> Object {
    let own = object["metadata"]["resourceVersion"].as_str().and_then(|own| own.parse::<u64>().ok());
    with(object, own.unwrap_or_default() + 1)
}

/// An object with another resourceVersion.
pub(super) fn with(object: &Object, version: u64) -> Object {
    let mut copy = Value::clone(object);
    copy["metadata"]["resourceVersion"] = version.to_string().into();
    copy.into()
}

/// Whether a write leaves the resourceVersion as it was.
fn keeps(store_faults: &StoreFaults, write: &Write<'_>) -> bool {
    let only_status = || write.before.is_some_and(|before| same_but_status(before, write.after));
    (write.gone && store_faults.has(StoreFault::DeletesAtLastVersion))
        || store_faults.has(StoreFault::KeepsVersion)
        || (store_faults.has(StoreFault::KeepsVersionOnStatus) && only_status())
}

/// Whether only the status differs, and its managers.
fn same_but_status(before: &Value, after: &Value) -> bool {
    let without = |object: &Value| {
        let mut copy = object.clone();
        if let Some(fields) = copy.as_object_mut() {
            fields.remove("status");
        }
        if let Some(metadata) = copy["metadata"].as_object_mut() {
            metadata.remove("managedFields");
        }
        copy
    };
    before.get("status") != after.get("status") && without(before) == without(after)
}
