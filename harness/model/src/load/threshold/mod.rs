//! What a run must not exceed: `p99<500ms for LIST configmaps`, `errors<1%`, `delivered=100%`.
//!
//! A [`Threshold`] is one such sentence, a [`Preset`] a table of them that others have agreed on, and [`judge`] says
//! what became of each in a run.

mod expression;
mod judge;
mod judged;
mod metric;
mod parse;
mod preset;
mod selector;

#[cfg(test)]
mod tests;

pub use expression::Threshold;
pub use judge::judge;
pub use judged::{Judged, Observed, ThresholdVerdict};
pub use metric::{Comparison, Metric, Statistic};
pub use parse::NotAThreshold;
pub use preset::Preset;
pub use selector::{Selector, Verbs};
