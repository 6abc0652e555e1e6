//! The objects that a mix creates, and those of them that it deletes.

use std::collections::VecDeque;

use crate::read_back::{Content, MOST_READ_BACK};

/// The number of created objects of which one is not deleted.
const KEEP_ONE_IN: usize = 8;

/// The objects that a mix has created.
pub(super) struct CreatedObjects {
    /// The first one in each place: later lists must have it.
    first: Vec<Option<usize>>,
    /// Others that are not deleted: they are read back.
    kept: Vec<usize>,
    count: usize,
    /// The others without a delete in flight.
    spare: Vec<usize>,
    /// The last objects whose deletion is acknowledged, the latest first. Their names are not used again.
    deleted: VecDeque<usize>,
}

impl CreatedObjects {
    /// Without an object yet, in this number of places.
    pub(super) fn new(places: usize) -> Self {
        let first = vec![None; places];
        Self { first, kept: Vec::new(), count: 0, spare: Vec::new(), deleted: VecDeque::new() }
    }

    /// The creation of an object is acknowledged.
    pub(super) fn add(&mut self, object: usize) {
        self.count += 1;
        let place = object % self.first.len();
        if self.first[place].is_none() {
            self.first[place] = Some(object);
        } else if self.count.is_multiple_of(KEEP_ONE_IN) && self.kept.len() < MOST_READ_BACK {
            self.kept.push(object);
        } else {
            self.spare.push(object);
        }
    }

    /// Whether there is an object to delete.
    pub(super) fn has_spare(&self) -> bool {
        !self.spare.is_empty()
    }

    /// The next object to delete.
    pub(super) fn take_spare(&mut self) -> Option<usize> {
        self.spare.pop()
    }

    /// The deletion of an object is acknowledged.
    pub(super) fn deleted(&mut self, object: usize) {
        self.deleted.push_front(object);
        self.deleted.truncate(MOST_READ_BACK);
    }

    /// The object of a place that each list has from now on, if there is one.
    pub(super) fn first_in(&self, place: usize) -> Option<usize> {
        self.first.get(place).copied().flatten()
    }

    /// Objects that the server must have, and must not have, now: at most this number of each.
    pub(super) fn stored(&self, most: usize) -> impl Iterator<Item = (usize, Content)> {
        let created =
            self.kept.iter().rev().chain(self.spare.iter().rev()).chain(self.first.iter().flatten());
        let deleted = self.deleted.iter().map(|object| (*object, Content::Deleted));
        created.map(|object| (*object, Content::Any)).take(most).chain(deleted.take(most))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_object_of_each_place_is_not_deleted() {
        let mut objects = CreatedObjects::new(2);
        assert_eq!(objects.first_in(0), None);
        for object in [10, 12, 11, 13] {
            objects.add(object);
        }
        assert_eq!([objects.first_in(0), objects.first_in(1)], [Some(10), Some(11)]);
        assert_eq!([(); 3].map(|()| objects.take_spare()), [Some(13), Some(12), None]);
        assert!(!objects.has_spare());
    }

    #[test]
    fn each_eighth_object_is_read_back_and_the_latest_others() {
        let mut objects = CreatedObjects::new(1);
        for object in 1..=18 {
            objects.add(object);
        }
        let deleted = objects.take_spare().unwrap();
        objects.deleted(deleted);
        let stored: Vec<_> = objects.stored(3).collect();
        let any = |object| (object, Content::Any);
        assert_eq!(stored, [any(16), any(8), any(17), (18, Content::Deleted)]);
        while let Some(object) = objects.take_spare() {
            assert!(![1, 8, 16].contains(&object));
        }
    }
}
