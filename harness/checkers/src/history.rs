//! Operations of concurrent clients on a few objects, and whether one order of the writes explains them all.
//!
//! Pure: operations in, findings out. The writes have the order of their versions: as numbers if all are decimal, else
//! as the watchers received them. The states of each object follow from it, and each operation narrows down the time of
//! a write. A write with an unknown outcome counts from the first sight of its value: it may have happened at any time
//! after its call, or never.
//!
//! A [`HistoryRule`] is a requirement; a [`Violation`] of it has few operations, and prints a timeline.

mod bounds;
mod change;
mod conditions;
mod finding;
mod judge;
mod operation;
mod reads;
mod refusals;
mod rule;
mod search;
mod shrink;
mod sightings;
#[cfg(test)]
mod tests;
mod timeline;
mod violation;
mod watchers;
mod write_order;
mod writes;

pub use judge::{Doubt, HistoryResult, judge};
pub use operation::{Action, Freshness, History, ObjectState, Operation, Refusal, Verb, WriteOutcome};
pub use rule::HistoryRule;
pub use timeline::timeline;
pub use violation::Violation;
