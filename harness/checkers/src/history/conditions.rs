//! The conditions under which a write succeeds or is refused.

use super::operation::{Refusal, Verb};

/// A version, if it is known.
pub(super) type Known<'a> = Option<&'a str>;

impl Verb {
    /// Whether it can succeed on this state: an object with this version, or no object.
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
    /// Whether this state can be the reason for a refusal. A reason unrelated to the object fits every state.
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
