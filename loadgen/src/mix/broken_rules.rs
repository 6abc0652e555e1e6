//! The rules that responses broke, each with its count and a few examples.

use std::collections::BTreeMap;

use harness::load::Breach;
use serde::{Deserialize, Serialize};

/// The maximum number of examples of a rule.
const EXAMPLES: usize = 5;

/// A rule that a complete 2xx response can break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Rule {
    /// A list has every object of the population.
    ListShort,
    /// A list has each object once.
    Repeated,
    /// An apply of a field that another manager owns is a conflict.
    NoConflict,
}

impl Rule {
    fn name(self) -> &'static str {
        match self {
            Self::ListShort => "list-short",
            Self::Repeated => "repeated",
            Self::NoConflict => "no-conflict",
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Self::ListShort => "a list holds every object of the population",
            Self::Repeated => "a list holds each object once",
            Self::NoConflict => "the server rejects the apply of a field that another manager owns",
        }
    }
}

/// The broken rules.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct BrokenRules(BTreeMap<Rule, Broken>);

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Broken {
    count: u64,
    examples: Vec<String>,
}

impl BrokenRules {
    /// Counts a response that breaks a rule.
    pub(super) fn count(&mut self, rule: Rule, example: impl FnOnce() -> String) {
        let broken = self.0.entry(rule).or_default();
        broken.count += 1;
        if broken.examples.len() < EXAMPLES {
            broken.examples.push(example());
        }
    }

    /// Adds those of another worker.
    pub(super) fn add(&mut self, other: Self) {
        for (rule, more) in other.0 {
            let broken = self.0.entry(rule).or_default();
            broken.count += more.count;
            broken.examples.extend(more.examples);
            broken.examples.truncate(EXAMPLES);
        }
    }

    /// One breach for each rule.
    pub(crate) fn breaches(self) -> impl Iterator<Item = Breach> {
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
        let mut all = broken(Rule::ListShort, 4);
        all.add(broken(Rule::ListShort, 3));
        all.add(broken(Rule::NoConflict, 1));
        let breaches: Vec<Breach> = all.breaches().collect();
        let counted: Vec<(&str, u64, usize)> =
            breaches.iter().map(|one| (&*one.rule, one.count, one.evidence.len())).collect();
        assert_eq!(counted, [("list-short", 7, EXAMPLES), ("no-conflict", 1, 1)]);
    }
}
