//! What many clients saw of a few objects at the same time, and whether one order of the writes explains it all.
//!
//! Pure: operations in, verdicts out. The order of the writes is that of the versions that the server gave them: as
//! numbers where all of them are, else as the watchers received them. Each object's states follow from it, and each
//! operation narrows down when a write must have happened. A write whose response is not known counts from where its value
//! was seen; it may have happened at any time after it was called, or never.
//!
//! What must hold is a [`HistoryRule`]; what breaks it is a [`Violation`] of few operations, with a timeline to read.

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

pub use judge::{Doubt, Judged, judge};
pub use operation::{Action, Freshness, History, Operation, Refusal, State, Verb, WriteOutcome};
pub use rule::HistoryRule;
pub use timeline::timeline;
pub use violation::Violation;
