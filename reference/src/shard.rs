//! Shard selectors (`shardSelector`): selection of objects by field hash.

mod grammar;
#[cfg(test)]
mod tests;

use std::fmt;

use serde_json::Value;

/// The shards that a list or watch selects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shards {
    field: Field,
    pub(crate) ranges: Vec<Range>,
}

/// The hashed field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Uid,
    Namespace,
}

/// A range of hashes; `end` is exclusive and at most 2^64.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) start: u128,
    pub(crate) end: u128,
}

/// The exclusive end of all hashes.
pub(crate) const END: u128 = 1 << 64;

impl Shards {
    /// Parses a selector. The error has the text of kube-apiserver.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        grammar::parse(text).map_err(|detail| format!("invalid shard selector: {detail}"))
    }

    /// Whether an object is in one of the shards.
    pub(crate) fn matches(&self, object: &Value) -> bool {
        self.contain_hash_of(object["metadata"][self.field.name()].as_str().unwrap_or_default())
    }

    /// Whether the hash of a value is in one of the shards.
    pub(crate) fn contain_hash_of(&self, value: &str) -> bool {
        let hash = u128::from(hash(value));
        self.ranges.iter().any(|range| (range.start..range.end).contains(&hash))
    }
}

impl Field {
    /// The name in `metadata`.
    fn name(self) -> &'static str {
        match self {
            Self::Uid => "uid",
            Self::Namespace => "namespace",
        }
    }

    fn of(path: &str) -> Option<Self> {
        [Self::Uid, Self::Namespace].into_iter().find(|field| path == field.path())
    }

    /// The path in a selector.
    fn path(self) -> String {
        format!("object.metadata.{}", self.name())
    }
}

/// The normalized selector, as in list metadata.
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
