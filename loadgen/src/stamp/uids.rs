//! The UIDs of objects: an object keeps its UID for as long as it exists.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The UID that each object had first.
#[derive(Default)]
pub(crate) struct Uids(Mutex<HashMap<usize, Box<str>>>);

impl Uids {
    /// Records the UID of an object; returns the first one, if it was another. An empty one is unknown.
    pub(crate) fn replaced(&self, object: usize, uid: &str) -> Option<String> {
        if uid.is_empty() {
            return None;
        }
        let mut known = self.known();
        let first = known.entry(object).or_insert_with(|| uid.into());
        (**first != *uid).then(|| first.to_string())
    }

    /// Forgets an object that is deleted.
    pub(crate) fn forget(&self, object: usize) {
        self.known().remove(&object);
    }

    fn known(&self) -> MutexGuard<'_, HashMap<usize, Box<str>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_keeps_its_uid() {
        let uids = Uids::default();
        for uid in ["a", "a", ""] {
            assert_eq!(uids.replaced(7, uid), None);
        }
        assert_eq!(uids.replaced(8, "b"), None);
        assert_eq!(uids.replaced(7, "b"), Some("a".to_owned()));
        uids.forget(7);
        assert_eq!(uids.replaced(7, "b"), None);
    }
}
