//! The steps of a sequence.

use std::collections::BTreeMap;
use std::fmt;

/// The changes of cells, by name: the number of a value; `None` removes the cell.
pub type CellValues = BTreeMap<&'static str, Option<u8>>;

/// The verb of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// POST of a new object.
    Create,
    /// An apply of the cells with a value, and of no others.
    Apply {
        /// Whether it forces, and so takes the cells from other owners.
        force: bool,
    },
    /// PUT of the object as read, with changes.
    Update,
    /// A merge patch.
    Merge,
}

/// One write of a manager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApplyStep {
    /// The manager.
    pub manager: &'static str,
    /// The verb.
    pub verb: Verb,
    /// The changes.
    pub change: CellValues,
}

impl ApplyStep {
    /// The cells with a value.
    pub(super) fn sent(&self) -> impl Iterator<Item = (&'static str, u8)> {
        self.change.iter().filter_map(|(name, number)| Some((*name, (*number)?)))
    }

    /// The operation in `managedFields`.
    pub(super) fn operation(&self) -> &'static str {
        match self.verb {
            Verb::Apply { .. } => "Apply",
            Verb::Create | Verb::Update | Verb::Merge => "Update",
        }
    }
}

impl fmt::Display for ApplyStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, values_only) = match self.verb {
            Verb::Create => ("creates an object with", true),
            Verb::Apply { force: false } => ("applies", true),
            Verb::Apply { force: true } => ("applies by force", true),
            Verb::Update => ("updates", false),
            Verb::Merge => ("merges", false),
        };
        let each = self.change.iter().filter_map(|(name, number)| match number {
            Some(number) => Some(format!("{name} {number}")),
            None if values_only => None,
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
