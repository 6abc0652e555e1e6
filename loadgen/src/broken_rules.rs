//! The rules that a server broke, each with its count and a few examples.

use std::collections::BTreeMap;

use harness::load::Breach;
use serde::{Deserialize, Serialize};

/// The maximum number of examples of a rule.
const EXAMPLES: usize = 10;

/// A rule that events and responses can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Rule {
    /// A line of a watch is an event.
    Malformed,
    /// An event has the type and the object of the write.
    InvalidEvent,
    /// A watch has every write.
    Lost,
    /// A watch has each change once, and a list each object.
    Repeated,
    /// A watch has the changes in their order.
    Reordered,
    /// A list has every object of the population, and what was created before.
    ListShort,
    /// A list has the objects of its namespace, and with a selector those that match, alone.
    Unselected,
    /// The server carries out a write or a deletion that it acknowledges.
    Unstored,
    /// An apply of a field that another manager owns is a conflict.
    NoConflict,
    /// A response shows the writes that were acknowledged before its request was sent.
    Stale,
    /// An object keeps its UID.
    Replaced,
    /// A response has the object that was asked for.
    OtherObject,
}

impl Rule {
    fn name(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::InvalidEvent => "invalid-event",
            Self::Lost => "lost",
            Self::Repeated => "repeated",
            Self::Reordered => "reordered",
            Self::ListShort => "list-short",
            Self::Unselected => "unselected",
            Self::Unstored => "unstored",
            Self::NoConflict => "no-conflict",
            Self::Stale => "stale",
            Self::Replaced => "replaced",
            Self::OtherObject => "other-object",
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Self::Malformed => "every line of a watch is an event",
            Self::InvalidEvent => "an event has the type and the object of the write",
            Self::Lost => "every write comes to every watch",
            Self::Repeated => "a change comes to a watch once, and a list holds each object once",
            Self::Reordered => "changes come in their order",
            Self::ListShort => "a list holds every object of the population, and those created before",
            Self::Unselected => "a list holds the objects of its namespace and its label selector alone",
            Self::Unstored => "the server carries out a write that it acknowledges",
            Self::NoConflict => "the server rejects the apply of a field that another manager owns",
            Self::Stale => "a response shows every write that was acknowledged before",
            Self::Replaced => "an object keeps its UID",
            Self::OtherObject => "a response has the object that was asked for",
        }
    }
}

/// The broken rules.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BrokenRules(BTreeMap<Rule, Broken>);

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Broken {
    count: u64,
    examples: Vec<String>,
}

impl BrokenRules {
    /// Counts what breaks a rule.
    pub(crate) fn count(&mut self, rule: Rule, example: impl FnOnce() -> String) {
        let broken = self.0.entry(rule).or_default();
        broken.count += 1;
        if broken.examples.len() < EXAMPLES {
            broken.examples.push(example());
        }
    }

    /// Adds others, such as those of another worker.
    pub(crate) fn add(&mut self, other: Self) {
        for (rule, more) in other.0 {
            let broken = self.0.entry(rule).or_default();
            broken.count += more.count;
            broken.examples.extend(more.examples);
            broken.examples.truncate(EXAMPLES);
        }
    }

    /// The examples, in which a server has a part.
    pub(crate) fn examples(&mut self) -> impl Iterator<Item = &mut String> {
        self.0.values_mut().flat_map(|broken| &mut broken.examples)
    }

    /// One breach for each rule.
    pub fn breaches(self) -> impl Iterator<Item = Breach> {
        self.0.into_iter().map(|(rule, Broken { count, examples })| Breach {
            rule: rule.name().to_owned(),
            count,
            expected: rule.expected().to_owned(),
            actual: examples.first().cloned().unwrap_or_default(),
            evidence: examples,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_add_their_broken_rules() {
        let broken = |rule, count: usize| {
            let mut all = BrokenRules::default();
            (0..count).for_each(|number| all.count(rule, || number.to_string()));
            all
        };
        let mut all = broken(Rule::ListShort, 7);
        all.add(broken(Rule::ListShort, 5));
        all.add(broken(Rule::NoConflict, 1));
        let breaches: Vec<Breach> = all.breaches().collect();
        let counted: Vec<(&str, u64, usize)> =
            breaches.iter().map(|one| (&*one.rule, one.count, one.evidence.len())).collect();
        assert_eq!(counted, [("list-short", 12, EXAMPLES), ("no-conflict", 1, 1)]);
    }
}
