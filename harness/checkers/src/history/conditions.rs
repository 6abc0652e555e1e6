//! What must be there, and what not, where a write is done or refused.

use super::operation::{Refusal, Verb};

/// A version, if it is known.
pub(super) type Known<'a> = Option<&'a str>;

impl Verb {
    /// Whether it may be done to what is there: an object of this version, or none.
    pub(super) fn fits(&self, there: Option<Known<'_>>) -> bool {
        match self {
            Self::Create(_) => there.is_none(),
            Self::Update { from, .. } => {
                there.is_some_and(|version| version.is_none_or(|known| known == from))
            }
            Self::Patch(_) | Self::Delete => there.is_some(),
        }
    }
}

impl Refusal {
    /// Whether what is there may be why a write is refused; of one that says nothing about the object, anything may.
    pub(super) fn has_reason(self, verb: &Verb, there: Option<Known<'_>>) -> bool {
        match (self, verb) {
            (Self::Conflict, Verb::Update { from, .. }) => {
                there.is_none_or(|version| version.is_none_or(|known| known != from))
            }
            (Self::Missing, _) => there.is_none(),
            (Self::Exists, _) => there.is_some(),
            (Self::Conflict | Self::Other, _) => true,
        }
    }
}
