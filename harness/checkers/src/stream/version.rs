//! A resourceVersion in the checkers.

use std::fmt;
use std::sync::Arc;

use model::decimal;

/// A version: a number if it is decimal, else an opaque text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ResourceVersion {
    /// Comparable.
    Number(u64),
    /// Opaque.
    Text(Arc<str>),
}

impl ResourceVersion {
    /// Reads a version.
    pub fn of(version: &str) -> Self {
        match decimal(version).and_then(|number| u64::try_from(number).ok()) {
            Some(number) => Self::Number(number),
            None => Self::Text(version.into()),
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(_) => None,
        }
    }

    /// The length of its text, in bytes.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Number(_) => 0,
            Self::Text(text) => text.len(),
        }
    }

    /// Whether this certainly precedes another.
    pub fn before(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Number(this), Self::Number(other)) if this < other)
    }

    /// Whether this certainly does not follow another.
    pub fn up_to(&self, other: &Self) -> bool {
        self == other || self.before(other)
    }
}

impl fmt::Display for ResourceVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}
