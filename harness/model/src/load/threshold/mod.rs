//! Limits of a run: `p99<500ms for LIST configmaps`, `errors<1%`, `delivered=100%`.
//!
//! A [`Threshold`] is one limit, an [`Slo`] a named set of limits, and [`judge`] compares them with a run.

mod expression;
mod judge;
mod metric;
mod parse;
mod selector;
mod slo;
mod threshold_result;

#[cfg(test)]
mod tests;

pub use expression::Threshold;
pub use judge::judge;
pub use metric::{Comparison, Metric, Statistic};
pub use parse::NotAThreshold;
pub use selector::{Selector, Verbs};
pub use slo::{DEFAULT_SLO, NotAnSlo, Slo, SloRow};
pub use threshold_result::{Observed, ThresholdResult, ThresholdVerdict};
