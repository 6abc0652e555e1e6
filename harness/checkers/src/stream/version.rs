//! A version as the checkers remember it.

use std::fmt;
use std::sync::Arc;

use model::decimal;

/// A version: a number where it is written as one, else a text that is only equal or not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Can be compared.
    Number(u64),
    /// Opaque.
    Text(Arc<str>),
}

impl Mark {
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

    /// Whether it is certain that this comes before another.
    pub fn before(&self, other: &Self) -> bool {
        matches!((self, other), (Self::Number(this), Self::Number(other)) if this < other)
    }

    /// Whether it is certain that this does not come after another.
    pub fn up_to(&self, other: &Self) -> bool {
        self == other || self.before(other)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}
