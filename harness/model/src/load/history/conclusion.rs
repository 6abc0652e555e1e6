//! Whether the newest results are slower than earlier ones, and since which.

use jiff::{SignedDuration, Timestamp};

use super::change_point::results_needed;
use super::entry::HistoryEntry;
use super::group::ResultGroup;
use super::trend::{LevelChange, Trend};
use crate::load::SeriesKey;
use crate::load::comparison::{Measure, TYPICAL_AND_SLOW, error_share};

/// Groups without a result for this long before the newest one are over: a workload that nobody runs any more.
const CURRENT: SignedDuration = SignedDuration::from_hours(7 * 24);

/// The conclusion on a history.
#[derive(Debug, Default)]
pub struct HistoryConclusion<'a> {
    /// Trends that are worse, in the order of their groups.
    pub regressions: Vec<Regression<'a>>,
    /// The same, but kube-assay itself changed there: no regression of the server.
    pub other_tools: Vec<Regression<'a>>,
    /// Groups with too few results to see any change.
    pub too_few: Vec<TooFew>,
    /// The numbers that were judged.
    pub judged: Vec<JudgedTrend>,
}

/// A number with enough results to see a change.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedTrend {
    /// The name of the workload.
    pub workload: String,
    /// The host and the flavour of the group.
    pub place: String,
    /// The series.
    pub series: SeriesKey,
    /// Which number of it.
    pub measure: Measure,
}

/// A number that is worse since a change, and still is.
#[derive(Debug)]
pub struct Regression<'a> {
    /// The name of the workload.
    pub workload: &'a str,
    /// The host and the flavour of the group.
    pub place: String,
    /// The series.
    pub series: SeriesKey,
    /// Which number of it.
    pub measure: Measure,
    /// The change.
    pub change: LevelChange,
    /// The current level, in microseconds.
    pub now: f64,
    /// The first result behind the change.
    pub first: &'a HistoryEntry,
    /// The last result before it.
    pub last_before: &'a HistoryEntry,
}

/// A group in which no change could be seen yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooFew {
    /// The name of the workload.
    pub workload: String,
    /// The host and the flavour of the group.
    pub place: String,
    /// The results with numbers to judge.
    pub results: usize,
    /// As many are needed.
    pub needed: usize,
}

/// Judges the newest results of every group.
///
/// A number is worse if its current level exceeds the level before a change by more than `limit`, such as 0.05, and so
/// does the level behind that change. Changes before `since` are accepted.
pub fn conclude_history<'a>(
    groups: &[ResultGroup<'a>],
    limit: f64,
    since: Option<Timestamp>,
) -> HistoryConclusion<'a> {
    let mut conclusion = HistoryConclusion::default();
    for group in current(groups) {
        let trends = group.trends();
        let results = trends.iter().map(|trend| trend.points.len()).max().unwrap_or(0);
        let needed = results_needed(error_share(trends.len().max(TYPICAL_AND_SLOW.len())));
        if results < needed {
            let (workload, place) = (group.workload.to_owned(), group.place());
            conclusion.too_few.push(TooFew { workload, place, results, needed });
        }
        for trend in trends.iter().filter(|trend| trend.points.len() >= needed) {
            conclusion.add(group, trend, limit, since);
        }
    }
    conclusion
}

impl<'a> HistoryConclusion<'a> {
    fn add(&mut self, group: &ResultGroup<'a>, trend: &Trend, limit: f64, since: Option<Timestamp>) {
        let (workload, place) = (group.workload.to_owned(), group.place());
        let (series, measure) = (trend.series.clone(), trend.measure);
        self.judged.push(JudgedTrend { workload, place, series, measure });
        for regression in worse(group, trend, limit, since) {
            if regression.change.tools.is_some() {
                self.other_tools.push(regression);
            } else {
                self.regressions.push(regression);
            }
        }
    }
}

impl Regression<'_> {
    /// Whether it is one of this number.
    pub fn is_of(&self, judged: &JudgedTrend) -> bool {
        (self.workload, &self.place, &self.series) == (&*judged.workload, &judged.place, &judged.series)
            && self.measure == judged.measure
    }
}

/// The groups that still get results.
fn current<'g, 'a>(groups: &'g [ResultGroup<'a>]) -> impl Iterator<Item = &'g ResultGroup<'a>> {
    let newest = groups.iter().filter_map(|group| Some(group.newest()?.began)).max();
    groups.iter().filter(move |group| {
        let age = newest.zip(group.newest()).map(|(newest, entry)| newest.duration_since(entry.began));
        age.is_some_and(|age| age <= CURRENT)
    })
}

fn worse<'a>(
    group: &ResultGroup<'a>,
    trend: &Trend,
    limit: f64,
    since: Option<Timestamp>,
) -> Vec<Regression<'a>> {
    let Some(now) = trend.levels().last().map(|level| level.median) else { return Vec::new() };
    let entry = |point: usize| group.entries[trend.points[point].result];
    let worse = trend.changes.iter().filter(|change| {
        let most = change.before * (1.0 + limit);
        change.after > most && now > most && since.is_none_or(|since| entry(change.point).began >= since)
    });
    let regression = |change: &LevelChange| Regression {
        workload: group.workload,
        place: group.place(),
        series: trend.series.clone(),
        measure: trend.measure,
        change: change.clone(),
        now,
        first: entry(change.point),
        last_before: entry(change.point - 1),
    };
    worse.map(regression).collect()
}
