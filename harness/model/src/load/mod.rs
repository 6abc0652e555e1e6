//! The vocabulary of measurement: requests, measurements and warnings of a load run, as plain data.
//!
//! A [`LoadRun`] has all data of a run, and every report is a function of it alone. Instants are durations since the
//! start of the run, measured values whole microseconds. An unfinished request counts with a lower bound of its
//! duration; a [`Quantile`] marks the effect. Nothing here reads a clock or a socket.

mod breach;
pub mod comparison;
mod conclusion;
mod counts;
mod generator;
mod histogram;
pub mod history;
mod host;
mod interval;
mod key;
mod partial_cause;
mod phase;
mod quantile;
mod run;
mod series;
mod server_metrics;
pub mod threshold;
mod warning;
mod warning_rules;
mod worker_account;

pub use breach::Breach;
pub use counts::{Deliveries, Ending, Senders, Starts, Watches};
pub use generator::Generator;
pub use histogram::{Histogram, NotAHistogram};
pub use host::Host;
pub use interval::{Interval, SeriesInterval};
pub use key::{DurationKind, NotAKey, Scope, SeriesKey};
pub use partial_cause::PartialCause;
pub use phase::{Phase, PhaseName};
pub use quantile::{Quantile, micros_text, share_text};
pub use run::{LOAD_FORMAT, LoadRun, Workload};
pub use series::{ErrorClass, Series};
pub use server_metrics::{Gauge, ServerHistogram, ServerMetrics};
pub use threshold::{Slo, Threshold, ThresholdResult, judge};
pub use warning::Warning;
pub use worker_account::WorkerAccount;
