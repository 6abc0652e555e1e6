//! Applies: the annotations of managers, and the objects that must have them.

use std::collections::VecDeque;

use crate::read_back::{Content, MOST_READ_BACK};
use crate::workload::Way;

/// The last acknowledged applies of an annotation that one manager alone applies: objects and managers.
#[derive(Default)]
pub(super) struct Applies(VecDeque<(usize, usize)>);

impl Applies {
    /// An apply is acknowledged.
    pub(super) fn done(&mut self, way: Way, token: u64) {
        if way == Way::Separate {
            self.0.push_front(object_and_manager(token));
            self.0.truncate(MOST_READ_BACK);
        }
    }

    /// The objects with what they must contain, the latest first.
    pub(super) fn stored(&self) -> impl Iterator<Item = (usize, Content)> {
        let content = |manager| Content::Annotation(annotation(Way::Separate, manager));
        self.0.iter().map(move |(object, manager)| (*object, content(*manager)))
    }
}

/// The annotation that a manager applies.
pub(super) fn annotation(way: Way, manager: usize) -> String {
    if way == Way::Shared { "kube-assay/shared".to_owned() } else { format!("kube-assay/manager-{manager}") }
}

/// The identifier of a request: its object, and the manager of an apply.
pub(super) fn token(object: usize, manager: usize) -> u64 {
    object as u64 | (manager as u64) << 32
}

pub(super) fn object_and_manager(token: u64) -> (usize, usize) {
    let part = |bits: u64| usize::try_from(bits).unwrap_or(0);
    (part(token & u64::from(u32::MAX)), part(token >> 32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_that_managers_share_is_not_read_back() {
        let mut applies = Applies::default();
        applies.done(Way::Shared, token(1, 2));
        applies.done(Way::Separate, token(3, 4));
        let stored: Vec<_> = applies.stored().collect();
        assert_eq!(stored, [(3, Content::Annotation("kube-assay/manager-4".to_owned()))]);
    }
}
