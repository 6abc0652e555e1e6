//! Applies: the annotations of managers, the objects that must have them, and the applies that must conflict.

use std::collections::{HashMap, VecDeque};

use super::claims::Claims;
use crate::read_back::{Content, MOST_READ_BACK};
use crate::workload::Way;

/// The maximum number of objects whose owners are known.
const MOST_OWNERS: usize = 10_000;

/// The bit of an identifier that says that the apply must conflict.
const MUST_CONFLICT: u64 = 1 << 63;

/// What the acknowledged applies leave.
pub(super) struct Applies {
    /// Whether nothing else removes the fields of managers.
    fields_last: bool,
    /// The last acknowledged applies of an annotation that one manager alone applies: objects and managers.
    separate: VecDeque<(usize, usize)>,
    /// The manager that owns the annotation that all managers apply, by the object.
    owners: HashMap<usize, usize>,
    /// `None` if other workers apply as well.
    claims: Option<Claims>,
}

impl Applies {
    /// Without an apply yet. The fields of managers may last, or other requests may remove them; and this may be the
    /// only worker.
    pub(super) fn new(fields_last: bool, is_alone: bool) -> Self {
        let claims = is_alone.then(Claims::default);
        Self { fields_last, separate: VecDeque::new(), owners: HashMap::new(), claims }
    }

    /// The next apply: returns its identifier.
    pub(super) fn next(&mut self, way: Way, object: usize, manager: usize) -> u64 {
        if let Some(claims) = self.claims.as_mut().filter(|_| way == Way::Shared) {
            claims.sent(object, manager);
        }
        token(object, manager, self.must_conflict(way, object, manager))
    }

    /// Whether a conflict is right, now that it has arrived. No manager but one applies a separate annotation.
    pub(super) fn may_conflict(&self, way: Way, token: u64) -> bool {
        let (object, manager) = (object_of(token), manager_of(token));
        let of_others = |claims: &Claims| claims.may_conflict(object, manager);
        way == Way::Shared && self.claims.as_ref().is_none_or(of_others)
    }

    /// An apply has ended, with or without a rejection.
    pub(super) fn ended(&mut self, way: Way, token: u64, is_rejected: bool) {
        if let Some(claims) = self.claims.as_mut().filter(|_| way == Way::Shared) {
            claims.ended(object_of(token), manager_of(token), is_rejected);
        }
    }

    /// Whether an apply by a manager must conflict: another one owns the annotation.
    fn must_conflict(&self, way: Way, object: usize, manager: usize) -> bool {
        way == Way::Shared && self.owners.get(&object).is_some_and(|owner| *owner != manager)
    }

    /// An apply is acknowledged. Returns whether it had to conflict.
    pub(super) fn done(&mut self, way: Way, token: u64) -> bool {
        let (object, manager) = (object_of(token), manager_of(token));
        if self.fields_last && way == Way::Separate {
            self.separate.push_front((object, manager));
            self.separate.truncate(MOST_READ_BACK);
        } else if self.fields_last && self.owners.len() < MOST_OWNERS {
            self.owners.entry(object).or_insert(manager);
        }
        token & MUST_CONFLICT != 0
    }

    /// The objects with what they must contain, the latest first.
    pub(super) fn stored(&self) -> impl Iterator<Item = (usize, Content)> {
        let content = |manager| Content::Annotation(annotation(Way::Separate, manager));
        self.separate.iter().map(move |(object, manager)| (*object, content(*manager)))
    }
}

/// The annotation that a manager applies.
pub(super) fn annotation(way: Way, manager: usize) -> String {
    if way == Way::Shared { "kube-assay/shared".to_owned() } else { format!("kube-assay/manager-{manager}") }
}

/// The identifier of an apply: its object, its manager, and whether it must conflict.
fn token(object: usize, manager: usize, must_conflict: bool) -> u64 {
    object as u64 | (manager as u64) << 32 | if must_conflict { MUST_CONFLICT } else { 0 }
}

/// The object of a request's identifier.
pub(super) fn object_of(token: u64) -> usize {
    usize::try_from(token & u64::from(u32::MAX)).unwrap_or(usize::MAX)
}

fn manager_of(token: u64) -> usize {
    usize::try_from((token & !MUST_CONFLICT) >> 32).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_managers_share_is_not_read_back() {
        let mut applies = Applies::new(true, true);
        applies.done(Way::Shared, token(1, 2, false));
        applies.done(Way::Separate, token(3, 4, false));
        let stored: Vec<_> = applies.stored().collect();
        assert_eq!(stored, [(3, Content::Annotation("kube-assay/manager-4".to_owned()))]);
    }

    #[test]
    fn an_apply_conflicts_with_the_first_owner_of_a_field_that_lasts() {
        for fields_last in [true, false] {
            let mut applies = Applies::new(fields_last, true);
            // The second was sent before the first was acknowledged.
            for manager in [2, 3] {
                let token = token(7, manager, applies.must_conflict(Way::Shared, 1, manager));
                assert!(!applies.done(Way::Shared, token));
            }
            let must_conflict = |way, object, manager| applies.must_conflict(way, object, manager);
            assert_eq!(must_conflict(Way::Shared, 7, 3), fields_last);
            for (way, object, manager) in [(Way::Shared, 7, 2), (Way::Shared, 8, 3), (Way::Separate, 7, 3)] {
                assert!(!must_conflict(way, object, manager), "{way:?} {object} {manager}");
            }
            let token = token(7, 3, must_conflict(Way::Shared, 7, 3));
            assert_eq!(
                (object_of(token), manager_of(token), applies.done(Way::Shared, token)),
                (7, 3, fields_last)
            );
        }
    }

    #[test]
    fn only_a_field_of_another_manager_explains_a_conflict() {
        let mut applies = Applies::new(true, true);
        let separate = applies.next(Way::Separate, 7, 1);
        let first = applies.next(Way::Shared, 7, 1);
        assert!(!applies.may_conflict(Way::Separate, separate) && !applies.may_conflict(Way::Shared, first));
        applies.ended(Way::Shared, first, false);
        let second = applies.next(Way::Shared, 7, 2);
        assert!(applies.may_conflict(Way::Shared, second));
        // Another worker may have applied before.
        let mut divided = Applies::new(true, false);
        let first = divided.next(Way::Shared, 7, 1);
        assert!(divided.may_conflict(Way::Shared, first));
    }
}
