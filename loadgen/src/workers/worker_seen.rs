//! One worker, as the coordinator sees it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use harness::TestError;

use super::LOST_AFTER;
use super::clock_bounds::{ClockBounds, OwnClock, UpperBound};
use super::documents::{Envelope, WorkerDocument, WorkerResult, read};
use super::expected_share::ExpectedShare;
use super::limits::{Limits, MOST, sum_of};
use super::rendezvous::Documents;
use crate::interval_report::IntervalReport;
use crate::run::Backlog;
use crate::stamp::WriteLog;

/// A worker that learns the common start later has missed a part of its share.
const LATE: Duration = Duration::from_millis(500);

/// One worker.
#[derive(Default)]
pub(super) struct WorkerSeen {
    /// The last document as text.
    text: String,
    beat: u64,
    /// When it last wrote something; `None` before its first document.
    heard: Option<Instant>,
    upper: UpperBound,
    at_least: Option<i64>,
    ahead: Vec<(usize, i64)>,
    clock_changed: bool,
    /// The numbers of the processes that have written the document: one, if all is well.
    processes: BTreeSet<u64>,
    is_lost: bool,
    /// Why it cannot be a right worker.
    refused: Option<String>,
    /// Why its last document cannot be read.
    unreadable: Option<String>,
    /// The sum of all numbers in its interval reports, and the attempts of its requests there.
    reported: u64,
    attempts: u64,
    late: Duration,
    pub(super) ready: bool,
    /// The number of interval reports so far.
    pub(super) taken: u64,
    pub(super) backlog: Backlog,
    pub(super) writes: Option<WriteLog>,
    pub(super) result: Option<WorkerResult>,
}

/// What makes the run incomplete, if any worker has ended so. A worker that is gone explains what the others miss of it.
pub(super) fn problem_of(workers: &[WorkerSeen]) -> Option<String> {
    let first = |is_gone: bool| {
        let mut ended = (0..).zip(workers).filter(|(_, worker)| worker.has_ended());
        ended.find_map(|(index, worker): (usize, _)| {
            let problem = worker.problem().filter(|_| worker.result.is_none() == is_gone)?;
            Some(format!("worker {index} of {}: {problem}", workers.len()))
        })
    };
    first(true).or_else(|| first(false))
}

/// The first worker whose document is there and cannot be read, and why.
pub(super) fn unreadable_of(workers: &[WorkerSeen]) -> Option<String> {
    let unreadable = (0..)
        .zip(workers)
        .find_map(|(index, worker): (usize, _)| worker.unreadable.as_ref().map(|why| (index, why)));
    unreadable.map(|(index, why)| format!("worker {index} of {}: {why}", workers.len()))
}

/// Refuses each worker whose document a process has written that wrote the document of an earlier worker: one of them is a
/// copy, and its numbers would count twice.
pub(super) fn refuse_copies(workers: &mut [WorkerSeen], now: Instant) {
    let mut first_of = BTreeMap::new();
    for (index, worker) in workers.iter_mut().enumerate() {
        let firsts = worker.processes.iter().map(|process| *first_of.entry(*process).or_insert(index));
        let first = firsts.filter(|first| *first != index).min();
        if let Some(first) = first.filter(|_| worker.refused.is_none()) {
            worker.refuse(format!("one process wrote its document and that of worker {first}"), now);
        }
    }
}

impl WorkerSeen {
    /// Takes its document, read at an instant, and returns the new interval reports. A document of an earlier run, or
    /// a damaged one, is no news.
    pub(super) fn take(
        &mut self,
        index: usize,
        text: &str,
        run: &str,
        (now, clock): (Instant, OwnClock),
        limits: &Limits,
    ) -> Vec<IntervalReport> {
        if text.is_empty() || text == self.text || self.refused.is_some() {
            return Vec::new();
        }
        let Some(document) = self.document(index, text, run, now, limits) else { return Vec::new() };
        self.unreadable = None;
        self.processes.insert(document.process);
        if document.beat <= self.beat {
            return Vec::new();
        }
        text.clone_into(&mut self.text);
        (self.beat, self.heard) = (document.beat, Some(now));
        if let Err(why) = limits.check(&document) {
            self.refuse(why, now);
            return Vec::new();
        }
        self.upper.take(clock.micros(now).cast_signed().saturating_sub(document.now.cast_signed()), now);
        (self.at_least, self.ahead) = (document.clock_at_least, document.ahead);
        self.clock_changed |= self.bounds(now).is_contradictory();
        self.late = Duration::from_micros(document.late);
        // Without a bound of its clock it would start at a wrong time.
        self.ready = document.ready && document.clock_at_least.is_some();
        self.backlog = document.backlog;
        self.writes = self.writes.take().or(document.writes);
        self.result = self.result.take().or(document.result);
        let first = self.taken;
        self.taken = document.reports.iter().map(|(number, _)| *number).max().unwrap_or(0).max(first);
        let new = document.reports.into_iter().filter(|(number, _)| *number > first);
        self.count(index, new.map(|(_, report)| report).collect(), limits)
    }

    /// The document of a text; `None` if it is of an earlier run, or is none.
    fn document(
        &mut self,
        index: usize,
        text: &str,
        run: &str,
        now: Instant,
        limits: &Limits,
    ) -> Option<WorkerDocument> {
        let name = Documents::worker(index);
        let envelope = self.readable(read::<Envelope>(&name, text))?;
        if envelope.run != run {
            return None;
        }
        if let Err(why) = limits.check_text(text) {
            self.refuse(why, now);
            return None;
        }
        self.readable(read(&name, text))
    }

    /// What was read. A text that is no document may be complete at the next look.
    fn readable<T>(&mut self, read: Result<T, TestError>) -> Option<T> {
        read.map_err(|why| self.unreadable = Some(why.to_string())).ok()
    }

    fn refuse(&mut self, why: String, now: Instant) {
        (self.heard, self.refused) = (Some(now), Some(why));
    }

    /// Adds up interval reports; none of them counts if the sum is too great.
    fn count(
        &mut self,
        index: usize,
        mut reports: Vec<IntervalReport>,
        limits: &Limits,
    ) -> Vec<IntervalReport> {
        for report in &mut reports {
            // Watches are counted by this name.
            report.thread = format!("worker {index}");
            self.reported = self.reported.saturating_add(sum_of(report));
            let requests = report.series.iter().filter(|series| limits.counts_requests(&series.key));
            self.attempts = requests.fold(self.attempts, |sum, series| sum.saturating_add(series.count));
        }
        if self.reported > MOST {
            self.refused = Some("the sum of its interval reports is too great".to_owned());
            reports.clear();
        }
        reports
    }

    /// Compares its result with its share, if it says that it performed it.
    pub(super) fn check_share(&mut self, expected: &ExpectedShare) {
        let result = self.result.as_ref().filter(|result| result.stopped.is_none());
        let checked = result.map_or(Ok(()), |result| expected.check(result, self.attempts));
        if let Err(why) = checked {
            self.refused.get_or_insert(why);
        }
    }

    /// Notes whether it is lost: it has joined, and is silent without a result.
    pub(super) fn look(&mut self, now: Instant) {
        let silent = self.heard.is_some_and(|heard| now.saturating_duration_since(heard) > LOST_AFTER);
        self.is_lost |= silent && self.result.is_none();
    }

    pub(super) fn has_joined(&self) -> bool {
        self.heard.is_some()
    }

    /// Whether nothing more will come from it.
    pub(super) fn has_ended(&self) -> bool {
        self.is_lost || self.refused.is_some() || self.processes.len() > 1 || self.result.is_some()
    }

    /// Nothing more is expected of it.
    pub(super) fn give_up(&mut self) {
        self.is_lost |= self.result.is_none();
    }

    /// The coordinator's clock minus that of the worker. A clock that was changed has no bounds.
    pub(super) fn clock(&self, now: Instant) -> ClockBounds {
        if self.clock_changed { ClockBounds::default() } else { self.bounds(now) }
    }

    /// The upper bound of its clock minus that of another worker, from the arrival of writes.
    pub(super) fn ahead_of(&self, other: usize) -> Option<i64> {
        let bound = self.ahead.iter().find(|(worker, _)| *worker == other).map(|(_, bound)| *bound);
        bound.filter(|_| !self.clock_changed)
    }

    fn bounds(&self, now: Instant) -> ClockBounds {
        ClockBounds { at_least: self.at_least, at_most: self.upper.at(now) }
    }

    /// What makes its part of the run incomplete, if anything does.
    pub(super) fn problem(&self) -> Option<String> {
        if self.processes.len() > 1 {
            return Some("two processes were started with this index".to_owned());
        }
        if let Some(why) = &self.refused {
            return Some(format!("its measurements cannot be right: {why}"));
        }
        if self.is_lost
            && let Some(why) = &self.unreadable
        {
            return Some(why.clone());
        }
        if self.is_lost && !self.has_joined() {
            return Some("it never joined".to_owned());
        }
        if self.is_lost {
            let last = if self.taken == 0 { "it never reported" } else { "its last report counts" };
            return Some(format!(
                "it no longer reports; {last}, and its later load and deliveries are missing"
            ));
        }
        if let Some(stopped) = self.result.as_ref().and_then(|result| result.stopped.clone()) {
            return Some(stopped);
        }
        if self.late > LATE {
            return Some(format!("it learned the common start {} ms late", self.late.as_millis()));
        }
        self.clock_changed.then(|| "its clock does not run evenly, or was changed during the run".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(stopped: Option<&str>) -> WorkerSeen {
        let result = WorkerResult { stopped: stopped.map(str::to_owned), ..WorkerResult::nothing() };
        WorkerSeen { heard: Some(Instant::now()), result: Some(result), ..WorkerSeen::default() }
    }

    #[test]
    fn a_worker_that_is_gone_is_named_before_those_that_miss_it() {
        let gone = WorkerSeen { heard: Some(Instant::now()), is_lost: true, ..WorkerSeen::default() };
        let workers = [ended(None), ended(Some("the writes of worker 2 did not arrive")), gone];
        let problem = problem_of(&workers).unwrap();
        assert!(problem.starts_with("worker 2 of 3: it no longer reports"), "{problem}");
        assert_eq!(
            problem_of(&workers[..2]).unwrap(),
            "worker 1 of 2: the writes of worker 2 did not arrive"
        );
        assert_eq!(problem_of(&workers[..1]), None);
    }

    #[test]
    fn a_worker_whose_document_cannot_be_read_is_named() {
        let limits = Limits::new(&crate::workload::Workload::named("crud-mix").unwrap(), "configmaps");
        let now = (Instant::now(), OwnClock::start(|| jiff::Timestamp::UNIX_EPOCH));
        let mut worker = WorkerSeen::default();
        for (text, is_readable) in [
            ("", true),
            (r#"{"run":"earlier","other":1}"#, true),
            (r#"{"run":"r","other":1}"#, false),
            (r#"{"run":"#, false),
        ] {
            assert_eq!(worker.take(0, text, "r", now, &limits), []);
            assert_eq!(worker.unreadable.is_none(), is_readable, "{text}");
        }
        let why = unreadable_of(std::slice::from_ref(&worker)).unwrap();
        assert!(why.starts_with("worker 0 of 1: failed to read the document \"worker-0\""), "{why}");
        worker.give_up();
        assert_eq!(problem_of(std::slice::from_ref(&worker)), Some(why));
        let document = WorkerDocument { run: "r".to_owned(), beat: 1, ..WorkerDocument::default() };
        worker.take(0, &crate::workers::documents::write(&document).unwrap(), "r", now, &limits);
        assert_eq!(worker.unreadable, None);
    }

    #[test]
    fn a_copy_of_the_document_of_another_worker_is_refused() {
        let limits = Limits::new(&crate::workload::Workload::named("crud-mix").unwrap(), "configmaps");
        let now = (Instant::now(), OwnClock::start(|| jiff::Timestamp::UNIX_EPOCH));
        let of_process = |process| {
            let document =
                WorkerDocument { run: "r".to_owned(), process, beat: 1, ..WorkerDocument::default() };
            let mut worker = WorkerSeen::default();
            worker.take(0, &crate::workers::documents::write(&document).unwrap(), "r", now, &limits);
            worker
        };
        let mut different = [of_process(1), of_process(2), WorkerSeen::default()];
        refuse_copies(&mut different, now.0);
        assert_eq!(problem_of(&different), None);
        let mut copied = [of_process(1), of_process(2), of_process(1)];
        refuse_copies(&mut copied, now.0);
        let problem = problem_of(&copied).unwrap();
        let why = "its measurements cannot be right: one process wrote its document and that of worker 0";
        assert_eq!(problem, format!("worker 2 of 3: {why}"));
    }

    #[test]
    fn a_worker_whose_document_cannot_be_right_is_refused() {
        let limits = Limits::new(&crate::workload::Workload::named("crud-mix").unwrap(), "configmaps");
        let report = IntervalReport { events: MOST / 2, ..IntervalReport::empty("any name") };
        let text = |beat, reports: Vec<u64>| {
            let reports = reports.into_iter().map(|number| (number, report.clone())).collect();
            let document = WorkerDocument { run: "r".to_owned(), beat, reports, ..WorkerDocument::default() };
            crate::workers::documents::write(&document).unwrap()
        };
        let now = (Instant::now(), OwnClock::start(|| jiff::Timestamp::UNIX_EPOCH));
        let mut worker = WorkerSeen::default();
        let taken = worker.take(3, &text(1, vec![1]), "r", now, &limits);
        assert_eq!(taken.iter().map(|report| &*report.thread).collect::<Vec<_>>(), ["worker 3"]);
        assert_eq!(worker.problem(), None);
        assert_eq!(worker.take(3, &text(2, vec![1, 2, 3]), "r", now, &limits), []);
        assert!(worker.has_ended());
        let problem = problem_of(&[worker]).unwrap();
        assert!(
            problem.starts_with("worker 0 of 1: its measurements cannot be right: the sum of"),
            "{problem}"
        );
    }
}
