//! The vocabulary of measurement: what a load run sent, measured and warns of, as plain data.
//!
//! A [`LoadRun`] is all that is known of a run, and every report of it is a function of that alone. Instants are
//! durations since the run began, measured values whole microseconds. What did not come to an end is kept as well: it
//! took *at least* so long, and a [`Quantile`] says so where that matters. Nothing here reads a clock or a socket.

mod breach;
pub mod comparison;
mod conclusion;
mod counts;
mod generator;
mod histogram;
mod interval;
mod key;
mod phase;
mod quantile;
mod run;
mod series;
pub mod threshold;
mod warning;
mod warning_rules;

pub use breach::Breach;
pub use counts::{Deliveries, Ending, Starts, Watches};
pub use generator::Generator;
pub use histogram::{Histogram, NotAHistogram};
pub use interval::{Interval, SeriesInterval};
pub use key::{Kind, NotAKey, Scope, SeriesKey};
pub use phase::{Phase, PhaseName};
pub use quantile::{Quantile, micros_text, share_text};
pub use run::{LOAD_FORMAT, LoadRun, Workload};
pub use series::{ErrorClass, Series};
pub use threshold::{Judged, Preset, Threshold, judge};
pub use warning::Warning;
