//! Random choices as data.

use std::slice::Iter;

/// Choices in turn. After the last one the first alternative is chosen, so fewer choices make smaller expressions.
#[derive(Debug, Clone)]
pub struct Choices<'a>(Iter<'a, u16>);

impl<'a> Choices<'a> {
    /// These choices.
    pub fn new(choices: &'a [u16]) -> Self {
        Self(choices.iter())
    }

    /// A number below `count`.
    pub(super) fn below(&mut self, count: usize) -> usize {
        self.0.next().map_or(0, |choice| usize::from(*choice) % count.max(1))
    }

    /// One of some alternatives, if there are any.
    pub(super) fn one<T: Clone>(&mut self, alternatives: &[T]) -> Option<T> {
        alternatives.get(self.below(alternatives.len())).cloned()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.as_slice().is_empty()
    }
}
