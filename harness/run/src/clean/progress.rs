//! The progress of a removal of leftovers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::fixture::Fixtures;

/// What a removal of leftovers does now.
#[derive(Debug, Default)]
pub struct RemovalProgress(Mutex<Option<Arc<Fixtures>>>);

impl RemovalProgress {
    /// The number of objects that are not removed yet, without those in namespaces; `None` during a search.
    pub fn left(&self) -> Option<usize> {
        self.removing().as_ref().map(|fixtures| fixtures.unremoved())
    }

    /// Notes the objects whose removal begins, or that it has ended.
    pub(super) fn note(&self, fixtures: Option<Arc<Fixtures>>) {
        *self.removing() = fixtures;
    }

    fn removing(&self) -> MutexGuard<'_, Option<Arc<Fixtures>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
