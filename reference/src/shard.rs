//! Shard selectors (`shardSelector`): selection of objects by field hash.

mod grammar;
#[cfg(test)]
mod tests;

use std::fmt;

use serde_json::Value;

/// Which shards of a collection a list or watch is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shards {
    field: Field,
    /// At least one.
    pub(crate) ranges: Vec<Range>,
}

/// What is hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Uid,
    Namespace,
}

/// Hashes from the first to below the last, which may be 2^64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    /// The first.
    pub(crate) start: u128,
    /// The one after the last.
    pub(crate) end: u128,
}

/// What follows the last hash.
pub(crate) const END: u128 = 1 << 64;

impl Shards {
    /// Reads a selector; the error is the text that kube-apiserver gives.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        grammar::parse(text).map_err(|why| format!("invalid shard selector: {why}"))
    }

    /// Whether an object is in one of the shards.
    pub(crate) fn matches(&self, object: &Value) -> bool {
        self.have(object["metadata"][self.field.name()].as_str().unwrap_or_default())
    }

    /// Whether the hash of a value is in one of the shards.
    pub(crate) fn have(&self, value: &str) -> bool {
        let hash = u128::from(hash(value));
        self.ranges.iter().any(|range| (range.start..range.end).contains(&hash))
    }
}

impl Field {
    /// Its name within `metadata`.
    fn name(self) -> &'static str {
        match self {
            Self::Uid => "uid",
            Self::Namespace => "namespace",
        }
    }

    fn of(path: &str) -> Option<Self> {
        [Self::Uid, Self::Namespace].into_iter().find(|field| path == field.path())
    }

    /// Its name in a selector.
    fn path(self) -> String {
        format!("object.metadata.{}", self.name())
    }
}

/// The selector as lists repeat it, whatever its spelling was.
impl fmt::Display for Shards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, range) in self.ranges.iter().enumerate() {
            let (or, field) = (if number > 0 { " || " } else { "" }, self.field.path());
            write!(f, "{or}shardRange({field}, '{:#018x}', '{:#018x}')", range.start, range.end)?;
        }
        Ok(())
    }
}

/// FNV-1a, 64 bit.
fn hash(text: &str) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    text.bytes().fold(BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}
