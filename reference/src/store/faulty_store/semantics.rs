//! Wrong decisions of the server about its store.

use bytes::Bytes;
use serde_json::Value;

use super::{StoreFault, StoreFaults};
use crate::failure::Failure;
use crate::metadata::text;
use crate::semantics::{Checked, Semantics};
use crate::store::{Change, Commit, Decision, Store};

pub(crate) struct FaultySemantics(pub(crate) StoreFaults);

impl Semantics for FaultySemantics {
    fn delete_preconditions(&self, checked: Checked) -> Checked {
        if self.0.has(StoreFault::IgnoresPreconditions) { Ok(()) } else { checked }
    }

    fn update_preconditions(&self, checked: Checked) -> Checked {
        let ignored = self.0.has(StoreFault::IgnoresPreconditions) || self.0.has(StoreFault::TakesVersions);
        if ignored { Ok(()) } else { checked }
    }

    fn create_with_version(&self, checked: Checked) -> Checked {
        if self.0.has(StoreFault::TakesVersions) { Ok(()) } else { checked }
    }

    fn client_version(&self, object: &mut Value, client_version: &str) {
        if self.0.has(StoreFault::TakesVersions) && !client_version.is_empty() {
            object["metadata"]["resourceVersion"] = client_version.into();
        }
    }

    fn watch_selects(&self, change: &Change, selected: bool) -> bool {
        let modified = change.before.is_some() && !change.removed;
        selected || (modified && self.0.has(StoreFault::TellsAllModified))
    }

    fn watch_frames(&self, mut event: Bytes) -> Vec<Bytes> {
        if !self.0.has(StoreFault::SplitsFrames) {
            return vec![event];
        }
        let first = event.split_to(event.len() / 2);
        vec![first, event]
    }

    fn health_checked(&self, store: &dyn Store) {
        if self.0.has(StoreFault::HealthWrites) {
            store.all("configmaps", "").iter().for_each(|object| touch(store, object));
        }
    }
}

/// Writes an annotation to a `ConfigMap`.
fn touch(store: &dyn Store, object: &Value) {
    let key = format!("{}/{}", text(object, "namespace"), text(object, "name"));
    // A concurrently deleted object needs no write.
    let _ = store.write(
        "configmaps",
        &key,
        Commit::Real,
        Box::new(|_, current| {
            let mut object = Value::clone(current.ok_or_else(Failure::no_such_resource)?);
            object["metadata"]["annotations"]["touched"] = fastrand::u64(..).to_string().into();
            Ok(Decision::Put(object))
        }),
    );
}
