//! Wrong resourceVersions of writes.

use serde_json::Value;

use super::{StoreFault, StoreFaults};
use crate::store::Object;
use crate::store::memory::{Version, Write};

pub(super) fn of(store_faults: StoreFaults) -> Version {
    Box::new(move |write| {
        let old = write.before.and_then(|object| object["metadata"]["resourceVersion"].as_str());
        let client_version = write.after["metadata"]["resourceVersion"]
            .as_str()
            .filter(|client_version| old != Some(client_version));
        match (old, client_version) {
            (_, Some(client_version)) if store_faults.has(StoreFault::TakesVersions) => {
                client_version.to_owned()
            }
            (Some(old), _) if keeps_version(&store_faults, write) => old.to_owned(),
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
    let number = object["metadata"]["resourceVersion"].as_str().and_then(|number| number.parse::<u64>().ok());
    with(object, number.unwrap_or_default() + 1)
}

/// An object with another resourceVersion.
pub(super) fn with(object: &Object, version: u64) -> Object {
    let mut copy = Value::clone(object);
    copy["metadata"]["resourceVersion"] = version.to_string().into();
    copy.into()
}

/// Whether a write keeps the resourceVersion.
fn keeps_version(store_faults: &StoreFaults, write: &Write<'_>) -> bool {
    let only_status = || write.before.is_some_and(|before| same_but_status(before, write.after));
    (write.removed && store_faults.has(StoreFault::DeletesAtLastVersion))
        || store_faults.has(StoreFault::KeepsVersion)
        || (store_faults.has(StoreFault::KeepsVersionOnStatus) && only_status())
}

/// Whether only the status and its managers differ.
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
