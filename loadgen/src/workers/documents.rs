//! The content of the documents of a run.

use std::time::Duration;

use harness::TestError;
use harness::load::{Generator, Host};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::clock_bounds::ClockBounds;
use crate::broken_rules::BrokenRules;
use crate::interval_report::IntervalReport;
use crate::population::Settled;
use crate::read_back::ReadBack;
use crate::run::{Backlog, Findings};
use crate::stamp::WriteLog;
use crate::workload::Workload;

/// What the workers need to know before the load.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RunDocument {
    /// Name and version of the program: all processes must have the same.
    pub(super) tool: String,
    pub(super) run: String,
    pub(super) seed: u64,
    pub(super) workers: usize,
    pub(super) workload: Workload,
    pub(super) settled: Settled,
    /// Timeout for one response.
    pub(super) within: Duration,
    /// Whether the server speaks HTTP/2 without TLS.
    pub(super) http2: bool,
}

/// The state of the coordinator.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct CoordinatorDocument {
    pub(super) run: String,
    /// Counts the writes of the document.
    pub(super) beat: u64,
    /// When it was written, in microseconds since 1970 on the coordinator's clock.
    pub(super) now: u64,
    /// The start of the schedule on that clock.
    pub(super) start: Option<u64>,
    /// Why the load stops early.
    pub(super) stop: Option<String>,
    /// The number of interval reports that it has from each worker.
    pub(super) taken: Vec<u64>,
    /// The coordinator's clock minus that of each worker.
    pub(super) clocks: Vec<ClockBounds>,
    /// The clock of each worker minus that of the first one.
    pub(super) to_first: Vec<ClockBounds>,
    /// The number of documents with the writes of all workers, once they are complete.
    pub(super) writes: Option<usize>,
    /// Whether it has the results.
    pub(super) collected: bool,
}

/// The state of a worker.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct WorkerDocument {
    pub(super) run: String,
    /// A random number of the process.
    pub(super) process: u64,
    pub(super) beat: u64,
    /// When it was written, in microseconds since 1970 on the worker's clock.
    pub(super) now: u64,
    /// The least difference of the coordinator's clock to that one, in microseconds.
    pub(super) clock_at_least: Option<i64>,
    /// Upper bounds of its clock minus those of other workers, whose writes have arrived: of all for the first worker, and
    /// of the first one for the others.
    pub(super) ahead: Vec<(usize, i64)>,
    /// Whether its connections and watches are open.
    pub(super) ready: bool,
    /// How late it learned the common start, in microseconds.
    pub(super) late: u64,
    /// Interval reports, each with its number from 1, until the coordinator has them.
    pub(super) reports: Vec<(u64, IntervalReport)>,
    pub(super) backlog: Backlog,
    /// Its writes, after the last response.
    pub(super) writes: Option<WriteLog>,
    pub(super) result: Option<WorkerResult>,
}

/// The run of a worker's document.
#[derive(Debug, Deserialize)]
pub(super) struct Envelope {
    pub(super) run: String,
}

/// The results of a worker, except its series, which are in its interval reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct WorkerResult {
    pub(super) found: Findings,
    pub(super) read_back: Option<ReadBack>,
    pub(super) generator: Generator,
    pub(super) host: Host,
    /// Why it ended early.
    pub(super) stopped: Option<String>,
}

impl WorkerResult {
    /// The result of a worker that measured nothing.
    pub(super) fn nothing() -> Self {
        Self {
            found: Findings::default(),
            read_back: None,
            generator: Generator::default(),
            host: Host::default(),
            stopped: None,
        }
    }

    /// Replaces the texts in which a server has a part: it may give a credential back.
    pub(super) fn replace_texts(mut self, replaced: impl Fn(&str) -> String) -> Self {
        let Findings { healthy, slow, requests, .. } = &mut self.found;
        let pools = [healthy, slow].into_iter().flatten().map(|pool| &mut pool.broken_rules);
        let examples = pools.chain([&mut requests.mix_summary.broken_rules]).flat_map(BrokenRules::examples);
        let read_back = self.read_back.iter_mut().flat_map(ReadBack::texts);
        for text in examples.chain(read_back).chain(&mut self.stopped) {
            *text = replaced(text);
        }
        self
    }
}

/// The document as text.
pub(super) fn write<T: Serialize>(document: &T) -> Result<String, TestError> {
    serde_json::to_string(document).map_err(|why| TestError::new("write a document", why.to_string()))
}

/// Reads a document.
pub(super) fn read<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, TestError> {
    serde_json::from_str(text).map_err(|why| {
        TestError::new(format!("read the document {name:?} of the rendezvous"), why.to_string())
            .hint("start coordinator and workers with the same kube-assay")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broken_rules::Rule;
    use crate::watch_pool::WatchPoolSummary;

    #[test]
    fn every_text_of_a_result_is_replaced() {
        let mut healthy = WatchPoolSummary::default();
        healthy.broken_rules.count(Rule::InvalidEvent, || "its kind is \"secret\"".to_owned());
        let mut result = WorkerResult { stopped: Some("secret".to_owned()), ..WorkerResult::nothing() };
        result.found.healthy = Some(healthy);
        let mix = &mut result.found.requests.mix_summary;
        mix.broken_rules.count(Rule::Replaced, || "UID \"secret\"".to_owned());
        let mut read_back = ReadBack::default();
        read_back.missing.push("secret".to_owned());
        result.read_back = Some(read_back);

        let replaced = result.replace_texts(|text| text.replace("secret", "[redacted]"));

        let text = write(&replaced).unwrap();
        assert_eq!((text.matches("secret").count(), text.matches("[redacted]").count()), (0, 4), "{text}");
    }
}
