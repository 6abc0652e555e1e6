//! Shards: parts of a selection for several machines. Together they run all of it, and nothing twice.

use std::fmt;
use std::str::FromStr;

use model::stable_hash;

/// A shard, such as `2/3`: the second of three.
///
/// It depends on the ids of clauses only: it is the same on every machine, in every build and for every selection. All
/// variants of a scenario are in one shard, so that one report has the verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: u16,
    of: u16,
}

/// The text is not a shard.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("{0:?} is not a shard such as 1/3: give its number, from 1 on, and the number of shards")]
pub struct NotAShard(String);

impl Shard {
    /// Whether it has the scenarios whose first clause is this one.
    pub fn holds(self, clause: &str) -> bool {
        stable_hash(clause) % u64::from(self.of) == u64::from(self.number - 1)
    }
}

impl FromStr for Shard {
    type Err = NotAShard;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (number, of) = text.split_once('/')?;
            let shard = Self { number: number.parse().ok()?, of: of.parse().ok()? };
            (1..=shard.of).contains(&shard.number).then_some(shard)
        };
        parse().ok_or_else(|| NotAShard(text.to_owned()))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_survives_a_round_trip_through_text() {
        assert_eq!("2/3".parse::<Shard>().unwrap().to_string(), "2/3");
        for text in ["", "1", "0/3", "4/3", "1/0", "1/x", "-1/3", "1/3/5", "1/70000"] {
            assert_eq!(text.parse::<Shard>(), Err(NotAShard(text.to_owned())), "{text}");
        }
    }
}
