//! What many clients saw of a few objects at the same time, and whether one order of the writes explains it all.
//!
//! Pure: operations in, verdicts out. The order of the writes is that of the versions that the server gave them: as
//! numbers where all of them are, else as the watchers were told of them. Each object's states follow from it, and each
//! operation narrows down when a write must have happened. A write whose answer is not known counts from where its value
//! was seen; it may have happened at any time after it was called, or never.
//!
//! What must hold is a [`Rule`]; what breaks it is a [`Violation`] of few operations, with a timeline to read.

mod bounds;
mod conditions;
mod ledger;
mod reads;
mod refusals;
mod search;
mod seen;
mod shrink;
#[cfg(test)]
mod tests;
mod timeline;
mod watchers;
mod writes;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use ledger::Ledger;
use search::Searched;
pub use timeline::timeline;

/// One state of an object, as somebody was shown it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Its version.
    pub version: String,
    /// All of it that a write determines. No two writes write the same.
    pub value: String,
}

/// One thing that one client did, or that one watcher was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Who; a client does one thing after the other.
    pub client: String,
    /// When it was begun, counted from the beginning of the history.
    pub called: Duration,
    /// When the answer had come, or was not waited for any more.
    pub returned: Duration,
    /// What, and what came of it.
    pub action: Action,
}

/// What is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// An object is written.
    Write {
        /// Its name.
        name: String,
        /// How.
        verb: Verb,
        /// What came of it.
        answer: Answer,
    },
    /// An object is read; there may be none.
    Get {
        /// Its name.
        name: String,
        /// How new it must be.
        freshness: Freshness,
        /// What is shown.
        shown: Option<State>,
    },
    /// All objects are read.
    List {
        /// How new it must be.
        freshness: Freshness,
        /// The list's own version.
        version: String,
        /// What is shown, by name.
        items: BTreeMap<String, State>,
    },
    /// A watcher, who has watched from the beginning, is told of a change.
    Event {
        /// The object's name.
        name: String,
        /// The change's version.
        version: String,
        /// The value that it has now; none if it is gone.
        value: Option<String>,
    },
}

/// How an object is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verb {
    /// With a value, where there is none.
    Create(String),
    /// With a value, where it has this version.
    Update {
        /// The value.
        value: String,
        /// The version that is replaced.
        from: String,
    },
    /// With a value, where there is one, whatever its state.
    Patch(String),
    /// So that it is gone.
    Delete,
}

impl Verb {
    fn value(&self) -> Option<&str> {
        match self {
            Self::Create(value) | Self::Update { value, .. } | Self::Patch(value) => Some(value),
            Self::Delete => None,
        }
    }
}

/// What came of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It was done, and made this version; that of a deletion is not told.
    Done(Option<String>),
    /// It was not done.
    Refused(Refusal),
    /// There was no answer: it may have been done, or not, or be done yet.
    Unknown,
}

/// Why a write was not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The object has another version.
    Conflict,
    /// There is no such object.
    Missing,
    /// There is one already.
    Exists,
    /// For a reason that says nothing about the object.
    Other,
}

/// How new a read must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// As new as can be: no resourceVersion was given.
    MostRecent,
    /// Any state that there was: resourceVersion 0 was given.
    Any,
}

/// What must hold of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Writes have versions in the order in which they happened, and each follows the state that it names.
    WritesOrdered,
    /// A read without resourceVersion shows what was there at some moment while it was under way.
    ReadsLinearizable,
    /// A read at version 0 shows a state that a write made, wholly.
    CachedReadsWhole,
    /// A list shows exactly what there was at its version.
    ListsSnapshot,
    /// Every watcher is told of the same changes, in the same order, and of all of them.
    WatchersAgree,
    /// A refused write leaves no trace, and had a reason when it was refused.
    RefusalsWithoutTrace,
    /// Every write happens at most once, and under its conditions, also one whose answer was lost.
    UnknownOutcomes,
}

impl Rule {
    /// All rules. What does not hold of the first makes the others undecided.
    pub const ALL: [Self; 7] = [
        Self::WritesOrdered,
        Self::ReadsLinearizable,
        Self::CachedReadsWhole,
        Self::ListsSnapshot,
        Self::WatchersAgree,
        Self::RefusalsWithoutTrace,
        Self::UnknownOutcomes,
    ];
}

/// What breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// What a right server would have shown.
    pub expected: String,
    /// What was shown.
    pub actual: String,
    /// The few operations that show it, by the time when they were called: without any of them nothing is wrong.
    pub operations: Vec<Operation>,
}

impl fmt::Display for Violation {
    /// What is wrong, and the timeline that shows it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n\n{}", self.actual, timeline(&self.operations))
    }
}

/// Why a rule is not known to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// It is broken.
    Broken(Box<Violation>),
    /// Nothing is wrong as far as can be seen, but that is not far enough.
    Undecided(String),
}

/// All that happened in the course of a history.
#[derive(Debug, Clone, Default)]
pub struct History {
    operations: Vec<Operation>,
}

impl History {
    /// Takes the operations of all clients, each client's in the order in which they happened.
    pub fn new(mut operations: Vec<Operation>) -> Self {
        operations.sort_by_key(|operation| operation.called);
        Self { operations }
    }

    /// The operations by the time when they were called.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }
}

/// What is to be said of a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// What is broken, at most one violation for each rule.
    pub violations: Vec<Violation>,
    /// Why the rest cannot be decided, if it cannot.
    pub undecided: Option<String>,
}

/// Judges a history by all rules.
pub fn judge(history: &History) -> Judged {
    let ledger = Ledger::of(history);
    let violations: Vec<_> = Rule::ALL.iter().filter_map(|rule| shrink::smallest(&ledger, *rule)).collect();
    let mut judged = Judged { violations, undecided: None };
    if judged.violations.is_empty()
        && let Some(why) = ledger.vague()
    {
        judged.search(&ledger, &why);
    }
    judged
}

impl Judged {
    /// Decides what is vague by a search.
    fn search(&mut self, ledger: &Ledger<'_>, why: &str) {
        match search::explain(ledger) {
            Searched::Explained => {}
            Searched::GivenUp => {
                self.undecided = Some(format!("{why}, and the search for an order was given up"));
            }
            Searched::Stuck(stuck) => self.violations.push(Violation {
                rule: Rule::ReadsLinearizable,
                expected: "an order of the writes that explains what was acknowledged and read".to_owned(),
                actual: "there is none: one of these cannot be put into any order with what came before"
                    .to_owned(),
                operations: stuck.into_iter().map(|one| ledger.history[one].clone()).collect(),
            }),
        }
    }

    /// Whether a rule holds.
    pub fn of(&self, rule: Rule) -> Result<(), Doubt> {
        let broken = |rule| self.violations.iter().find(|violation| violation.rule == rule);
        if let Some(violation) = broken(rule) {
            return Err(Doubt::Broken(Box::new(violation.clone())));
        }
        if let Some(violation) = broken(Rule::WritesOrdered) {
            let why = format!("the writes have no order that reads could be judged by: {}", violation.actual);
            return Err(Doubt::Undecided(why));
        }
        self.undecided.clone().map_or(Ok(()), |why| Err(Doubt::Undecided(why)))
    }
}

/// What a check finds: the rule, the operations (by index) that show it, and what is wrong.
#[derive(Debug, Clone)]
struct Finding {
    rule: Rule,
    operations: Vec<usize>,
    expected: String,
    actual: String,
}

impl Finding {
    fn new(
        rule: Rule,
        operations: impl IntoIterator<Item = usize>,
        expected: impl Into<String>,
        actual: impl Into<String>,
    ) -> Self {
        let mut operations: Vec<_> = operations.into_iter().collect();
        operations.sort_unstable();
        operations.dedup();
        Self { rule, operations, expected: expected.into(), actual: actual.into() }
    }
}

/// Which operations count. Of all others only the order and the states of the objects are known.
struct Kept(Vec<bool>);

impl Kept {
    fn all(count: usize) -> Self {
        Self(vec![true; count])
    }

    fn only(count: usize, operations: &[usize]) -> Self {
        let mut kept = vec![false; count];
        for operation in operations {
            kept[*operation] = true;
        }
        Self(kept)
    }

    fn has(&self, operation: usize) -> bool {
        self.0[operation]
    }
}
