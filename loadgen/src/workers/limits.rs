//! The limits of a worker's document: a right worker cannot exceed them, and within them no sum overflows and no list fills
//! the memory of the coordinator.

use std::fmt;

use harness::load::{DurationKind, Series, SeriesKey};
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::documents::WorkerDocument;
use crate::interval_report::IntervalReport;
use crate::workload::Workload;

/// The maximum of every number and of the sum of all numbers in the reports of a worker: a thousand of them fit into 64 bits.
pub(super) const MOST: u64 = 1 << 52;

/// The maximum number of interval reports in a document: without news of the coordinator for so many, a worker ends.
const MOST_REPORTS: usize = 20;

/// WATCH and LIST, of healthy and slow watches.
const OF_WATCHES: usize = 4;

/// The member of every series, and of nothing else.
const HISTOGRAM: &str = "histogram";

/// Members with other numbers: random ones, ones that are only compared, and bounds that a wrong server can spoil.
const OTHERS: [&str; 3] = ["process", "beat", "ahead"];

/// The limits of the documents in a run.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    workload: Workload,
    resource: String,
}

impl Limits {
    pub(super) fn new(workload: &Workload, resource: &str) -> Self {
        Self { workload: workload.clone(), resource: resource.to_owned() }
    }

    /// Checks the text of a document, before its content takes memory.
    pub(super) fn check_text(&self, text: &str) -> Result<(), String> {
        let requests = self.workload.requests.as_ref().map_or(0, |requests| requests.operations.len());
        let verbs = requests.saturating_add(OF_WATCHES);
        let most = verbs.saturating_mul(DurationKind::ALL.len()).saturating_mul(MOST_REPORTS);
        let scan = Scan { most, series: &mut 0 };
        let scanned = scan.deserialize(&mut serde_json::Deserializer::from_str(text));
        scanned.map_err(|why| why.to_string())
    }

    /// Checks the content of a document. The error is a sentence.
    pub(super) fn check(&self, document: &WorkerDocument) -> Result<(), String> {
        for series in document.reports.iter().flat_map(|(_, report)| &report.series) {
            self.check_series(series)?;
        }
        let Some(log) = &document.writes else { return Ok(()) };
        log.check(self.workload.most_writes()).map_err(|why| format!("its write log is wrong: {why}"))
    }

    fn check_series(&self, series: &Series) -> Result<(), String> {
        let key = &series.key;
        if key.resource != self.resource || !self.workload.has_series(key) {
            let name: String = key.to_string().chars().take(100).collect();
            return Err(format!("the workload has no series {name:?}"));
        }
        if is_consistent(series) {
            return Ok(());
        }
        Err(format!("the counts of the series {:?} contradict each other", key.to_string()))
    }

    /// Whether a series has one attempt for each request that was sent.
    pub(super) fn counts_requests(&self, key: &SeriesKey) -> bool {
        key.kind == DurationKind::Latency && !self.workload.watches_have_series(key)
    }
}

/// Whether every value, error and lower bound is of an attempt.
fn is_consistent(series: &Series) -> bool {
    let values = series.histogram.len();
    let failed = series.errors.values().fold(0, |sum: u64, count| sum.saturating_add(*count));
    values.saturating_add(failed) <= series.count
        && values.saturating_add(series.censored.len()) <= series.count
        && series.conflicts.max(series.early) <= values
        && series.outside <= series.count
        && (series.upper.is_empty() || series.upper.len() == values)
}

/// The sum of all numbers in a report.
pub(super) fn sum_of(report: &IntervalReport) -> u64 {
    let series = report.series.iter().flat_map(|series| [series.count, series.bytes]);
    let others = [report.events, report.watches, report.dropped, report.cpu, report.queueing.len()];
    series.chain(others).fold(0, u64::saturating_add)
}

/// Refuses a document with a greater number than [`MOST`], or with too many series.
struct Scan<'a> {
    most: usize,
    series: &'a mut usize,
}

impl Scan<'_> {
    fn nested(&mut self) -> Scan<'_> {
        Scan { most: self.most, series: self.series }
    }
}

impl<'de> DeserializeSeed<'de> for Scan<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Scan<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any JSON value")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        if number <= MOST {
            Ok(())
        } else {
            Err(E::custom(format!("{number} is more than any count of a run")))
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        if number.unsigned_abs() <= MOST {
            Ok(())
        } else {
            Err(E::custom(format!("{number} microseconds are more than any difference of two clocks")))
        }
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut access: A) -> Result<(), A::Error> {
        while access.next_element_seed(self.nested())?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut access: A) -> Result<(), A::Error> {
        while let Some(name) = access.next_key::<String>()? {
            *self.series += usize::from(name == HISTOGRAM);
            if *self.series > self.most {
                return Err(A::Error::custom(format!("its reports have more than {} series", self.most)));
            }
            if OTHERS.contains(&name.as_str()) {
                access.next_value::<IgnoredAny>()?;
            } else {
                access.next_value_seed(self.nested())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use harness::load::Scope;
    use serde_json::json;

    use super::*;
    use crate::run::Backlog;
    use crate::workers::documents::write;

    fn checked(document: &WorkerDocument) -> Result<(), String> {
        let workload = Workload::named("crud-mix").unwrap();
        let limits = Limits::new(&workload, "configmaps");
        limits.check_text(&write(document).unwrap()).and_then(|()| limits.check(document))
    }

    fn series(resource: &str, variant: &str) -> Series {
        let key = SeriesKey::new("GET", resource, Scope::Resource, DurationKind::Latency, variant);
        let mut series = Series::new(key);
        series.record(5);
        series.give_up(harness::load::ErrorClass::Timeout, 7);
        series.pend(9);
        series
    }

    fn reporting(series: Series) -> WorkerDocument {
        let report = IntervalReport { series: vec![series], ..IntervalReport::empty("worker 0") };
        WorkerDocument { reports: vec![(1, report)], ..WorkerDocument::default() }
    }

    #[test]
    fn the_document_of_a_right_worker_is_within_the_limits() {
        let now = 1_900_000_000_000_000;
        let (clock_at_least, ahead) = (Some(-1_900_000_000_000_000), vec![(1, i64::MIN)]);
        let (process, beat) = (u64::MAX, u64::MAX);
        let document = reporting(series("configmaps", ""));
        assert_eq!(
            checked(&WorkerDocument { process, beat, now, clock_at_least, ahead, ..document }),
            Ok(())
        );
    }

    #[test]
    fn a_document_beyond_the_limits_is_refused() {
        let empty = WorkerDocument::default;
        let refused = |document: &WorkerDocument, why: &str| {
            let error = checked(document).unwrap_err();
            assert!(error.contains(why), "{error}");
        };
        refused(
            &reporting(series("configmaps", "new")),
            "has no series \"GET configmaps resource latency new\"",
        );
        refused(&reporting(series("pods", "")), "has no series");
        refused(&reporting(Series { count: 2, ..series("configmaps", "") }), "contradict each other");
        refused(&reporting(Series { outside: 4, ..series("configmaps", "") }), "contradict each other");
        refused(&reporting(Series { conflicts: 2, ..series("configmaps", "") }), "contradict each other");
        let reports = vec![(1, reporting(series("configmaps", "")).reports.remove(0).1); 3_000];
        refused(&WorkerDocument { reports, ..empty() }, "its reports have more than 2000 series");
        let backlog = Backlog { writes: u64::MAX, ..Backlog::default() };
        refused(&WorkerDocument { backlog, ..empty() }, "18446744073709551615 is more than any count");
        refused(&WorkerDocument { now: 1 << 63, ..empty() }, "is more than any count");
        refused(
            &WorkerDocument { clock_at_least: Some(i64::MIN), ..empty() },
            "are more than any difference of two clocks",
        );
        let log = json!({"issued": 4_000_000_000_u32, "measured_from": 0, "content": ""});
        let writes = Some(serde_json::from_value(log).unwrap());
        refused(
            &WorkerDocument { writes, ..empty() },
            "it has 4000000000 writes, and the workload has at most",
        );
    }
}
