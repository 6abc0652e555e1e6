//! The UIDs of objects: an object keeps its UID for as long as it exists.

use std::collections::HashMap;

/// The UID that each object had first.
#[derive(Default)]
pub(super) struct Uids(HashMap<usize, Box<str>>);

impl Uids {
    /// Records the UID of an object; returns the first one, if it was another. An empty one is unknown.
    pub(super) fn replaced(&mut self, object: usize, uid: &str) -> Option<&str> {
        if uid.is_empty() {
            return None;
        }
        let first = self.0.entry(object).or_insert_with(|| uid.into());
        (**first != *uid).then_some(first)
    }

    /// Forgets an object that is deleted.
    pub(super) fn forget(&mut self, object: usize) {
        self.0.remove(&object);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_keeps_its_uid() {
        let mut uids = Uids::default();
        for uid in ["a", "a", ""] {
            assert_eq!(uids.replaced(7, uid), None);
        }
        assert_eq!(uids.replaced(8, "b"), None);
        assert_eq!(uids.replaced(7, "b"), Some("a"));
        uids.forget(7);
        assert_eq!(uids.replaced(7, "b"), None);
    }
}
