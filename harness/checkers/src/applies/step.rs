//! What a step does.

use std::collections::BTreeMap;
use std::fmt;

/// What becomes of cells, by their names: the number of a value, or none at all.
pub type CellValues = BTreeMap<&'static str, Option<u8>>;

/// A way to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// POST of a new object.
    Create,
    /// An apply of the cells that are given a value, and of no others.
    Apply {
        /// Whoever owns them.
        force: bool,
    },
    /// PUT of the object as it was read, changed.
    Update,
    /// A merge patch.
    Merge,
}

/// One write in the name of a manager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplyStep {
    /// Who writes.
    pub manager: &'static str,
    /// How.
    pub verb: Verb,
    /// What.
    pub change: CellValues,
}

impl ApplyStep {
    /// The cells that are given a value.
    pub(super) fn sent(&self) -> impl Iterator<Item = (&'static str, u8)> {
        self.change.iter().filter_map(|(name, number)| Some((*name, (*number)?)))
    }

    /// The operation that is recorded.
    pub(super) fn operation(&self) -> &'static str {
        match self.verb {
            Verb::Apply { .. } => "Apply",
            Verb::Create | Verb::Update | Verb::Merge => "Update",
        }
    }
}

impl fmt::Display for ApplyStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, only_said) = match self.verb {
            Verb::Create => ("creates an object with", true),
            Verb::Apply { force: false } => ("applies", true),
            Verb::Apply { force: true } => ("applies by force", true),
            Verb::Update => ("updates", false),
            Verb::Merge => ("merges", false),
        };
        let each = self.change.iter().filter_map(|(name, number)| match number {
            Some(number) => Some(format!("{name} {number}")),
            None if only_said => None,
            None => Some(format!("no {name}")),
        });
        let each: Vec<_> = each.collect();
        write!(
            f,
            "{} {verb} {}",
            self.manager,
            if each.is_empty() { "nothing".to_owned() } else { each.join(", ") }
        )
    }
}
