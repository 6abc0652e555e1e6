//! The resourceVersions of acknowledged writes: no response to a later request shows an older state.
//!
//! Only this process's writes count, to objects of one resource: other resources may have another store. All versions are
//! plain numbers, with 0 for none.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The highest versions that acknowledged writes have shown.
pub(crate) struct AcknowledgedVersions {
    /// By the index of the object in the population.
    objects: Box<[AtomicU64]>,
    resource: AtomicU64,
}

impl AcknowledgedVersions {
    /// Without a write yet, to a population of this size.
    pub(super) fn new(objects: usize) -> Self {
        Self { objects: (0..objects).map(|_| AtomicU64::new(0)).collect(), resource: AtomicU64::new(0) }
    }

    /// Records that the population was created, the highest version of its objects, and the version of each, if known.
    pub(crate) fn created(&self, newest: u64, versions: Option<&[u64]>) {
        self.resource.fetch_max(newest, Relaxed);
        let each = versions.into_iter().flatten().enumerate();
        each.for_each(|(object, version)| self.acknowledged(object, *version));
    }

    /// Records that a write to an object is acknowledged with a version.
    pub(crate) fn acknowledged(&self, object: usize, version: u64) {
        self.resource.fetch_max(version, Relaxed);
        if let Some(known) = self.objects.get(object) {
            known.fetch_max(version, Relaxed);
        }
    }

    /// The version that a read of an object of the population shows at least, if it is sent now.
    pub(crate) fn of_object(&self, object: usize) -> u64 {
        self.objects.get(object).map_or(0, |version| version.load(Relaxed))
    }

    /// Whether an object of this version is too old for a list of that version: it lacks a write that the list has.
    pub(crate) fn is_too_old(&self, object: usize, version: u64, in_list: u64) -> bool {
        let written = self.of_object(object);
        version < written && written <= in_list
    }

    /// The version that a list of the most recent state has at least, if it is sent now.
    pub(crate) fn of_resource(&self) -> u64 {
        self.resource.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_objects_and_of_the_resource_only_grow() {
        let versions = AcknowledgedVersions::new(2);
        // An apply may be acknowledged before an earlier one to the same object.
        for (object, version) in [(0, 7), (0, 5), (1, 6), (2, 9)] {
            versions.acknowledged(object, version);
        }
        assert_eq!([0, 1, 2].map(|object| versions.of_object(object)), [7, 6, 0]);
        assert_eq!(versions.of_resource(), 9);
        let is_too_old = |version, in_list| versions.is_too_old(0, version, in_list);
        assert!(is_too_old(6, 7) && is_too_old(6, 9));
        assert!(
            !is_too_old(7, 9) && !is_too_old(8, 9) && !is_too_old(5, 6),
            "as new, or older than the write"
        );
    }
}
