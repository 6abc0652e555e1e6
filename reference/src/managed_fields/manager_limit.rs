//! Limit of update entries in managedFields: the oldest become `ancient-changes`.

use std::collections::BTreeMap;

use super::entries::{Managed, Manager, Operation};

/// The maximum number of update entries.
const MOST: usize = 10;

/// The manager of the merged oldest entries.
const ANCIENT: &str = "ancient-changes";

/// Merges the oldest entries of each version until the limit holds.
pub(super) fn cap(managed: &mut Managed) {
    let updates = managed.owners.keys().filter(|manager| manager.operation == Operation::Update);
    let mut updaters: Vec<Manager> = updates.cloned().collect();
    updaters.sort_by_key(|updater| managed.times.get(updater).cloned().unwrap_or_default());
    let mut count = updaters.len();
    let mut first_of: BTreeMap<String, Manager> = BTreeMap::new();
    for updater in updaters {
        if count <= MOST {
            return;
        }
        let Some(owned) = managed.owners.get(&updater).cloned() else { continue };
        let Some(first) = first_of.get(&owned.version) else {
            first_of.insert(owned.version, updater);
            continue;
        };
        let bucket = Manager::updater(ANCIENT, &owned.version, "");
        if !managed.owners.contains_key(&bucket)
            && let Some(first) = managed.owners.remove(first)
        {
            managed.owners.insert(bucket.clone(), first);
        }
        managed.owners.remove(&updater);
        if let Some(kept) = managed.owners.get_mut(&bucket) {
            kept.fields = kept.fields.union(&owned.fields);
        }
        // The merged entry has the time of its newest part.
        match managed.times.get(&updater).cloned() {
            Some(time) => managed.times.insert(bucket, time),
            None => managed.times.remove(&bucket),
        };
        count -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply::{FieldSet, Owned, Path};

    #[test]
    fn the_oldest_entries_are_merged_without_loss_of_fields() {
        let mut managed = Managed::default();
        for number in 0..14 {
            let manager = Manager::updater(&format!("u{number:02}"), "v1", "");
            let fields = FieldSet::of(&[Path::of(&["data", &format!("k{number:02}")])]);
            managed.times.insert(manager.clone(), format!("2026-01-01T00:00:{number:02}Z"));
            managed.owners.insert(manager, Owned { version: "v1".to_owned(), fields });
        }
        let all = |managed: &Managed| {
            managed.owners.values().fold(FieldSet::default(), |all, owned| all.union(&owned.fields))
        };
        let before = all(&managed);
        cap(&mut managed);
        assert_eq!((managed.owners.len(), all(&managed)), (MOST, before));
        let ancient = Manager::updater(ANCIENT, "v1", "");
        assert_eq!(managed.owners[&ancient].fields.paths().len(), 5);
        assert_eq!(managed.times[&ancient], "2026-01-01T00:00:04Z");
        assert!(!managed.owners.contains_key(&Manager::updater("u04", "v1", "")));
    }
}
