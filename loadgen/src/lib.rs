//! The load engine: it performs a workload and records samples.
//!
//! The engine keeps many watches open ([`watch_pool`]) and sends paced requests ([`requests`]) over connections of its own
//! ([`wire`]). Each [`Worker`] is a thread that shares nothing while it measures: it has its own connections and
//! [`Recorder`], and reports its measurements once a second. Writes carry a stamp ([`stamp`]): a watch finds the write
//! of an event and its lag by the stamp. The engine reports its own cost beside its numbers
//! ([`generator`]). A [`workload`] is the requests and watches as data; a [`run`] performs it, driven by goose ([`attack`]).

mod aggregator;
pub mod attack;
mod broken_rules;
pub mod generator;
mod host;
mod interval_report;
pub mod job;
mod leftovers;
mod listed_check;
mod mix;
pub mod pace;
mod padding;
mod population;
mod read_back;
mod recorder;
pub mod requests;
pub mod run;
pub mod scan;
mod server_metrics;
mod share;
pub mod stamp;
mod template;
pub mod watch_pool;
pub mod wire;
mod worker;
pub mod workers;
pub mod workload;

pub use aggregator::{Aggregator, IntervalTotals};
pub use broken_rules::{BrokenRules, Rule};
pub use interval_report::IntervalReport;
pub use recorder::{Recorder, SeriesId, between, micros};
pub use share::{MOST_WORKERS, Share};
pub use template::Template;
pub use worker::{Vanished, Worker};
