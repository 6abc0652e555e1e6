//! Judges the thresholds of a run.

use super::expression::Threshold;
use super::metric::{Metric, Statistic};
use super::threshold_result::{Observed, ThresholdResult, ThresholdVerdict};
use crate::load::counts::Deliveries;
use crate::load::key::{DurationKind, SeriesKey};
use crate::load::partial_cause::PartialCause;
use crate::load::quantile::Quantile;
use crate::load::run::LoadRun;
use crate::load::series::Series;

/// Judges every threshold, in order. For several series the worst one decides.
///
/// A threshold that something else than the server missed is inconclusive, and so is one that a partial run keeps: the part
/// that is missing could have missed it.
pub fn judge(thresholds: &[Threshold], run: &LoadRun) -> Vec<ThresholdResult> {
    let judge = |threshold: &Threshold| {
        let worst = readings(threshold, run).max_by(|one, other| one.badness().total_cmp(&other.badness()));
        let not_judged =
            Reading { verdict: ThresholdVerdict::NotJudged, observed: None, about: None, distance: 0.0 };
        let Reading { verdict, observed, about, .. } = worst.unwrap_or(not_judged);
        let is_open = match verdict {
            ThresholdVerdict::Missed => is_excused(threshold, run),
            ThresholdVerdict::Met => run.partial.is_some(),
            ThresholdVerdict::NotJudged | ThresholdVerdict::Inconclusive => false,
        };
        let verdict = if is_open { ThresholdVerdict::Inconclusive } else { verdict };
        ThresholdResult {
            threshold: threshold.clone(),
            preset: None,
            required: true,
            verdict,
            observed,
            about,
        }
    };
    thresholds.iter().map(judge).collect()
}

/// Whether the server is not the reason for a missed threshold.
fn is_excused(threshold: &Threshold, run: &LoadRun) -> bool {
    let stood_still = run.generator.standstill().is_some() && threshold.metric.needs_generator();
    stood_still
        || run.partial_cause == PartialCause::NamespaceDeleted
        || is_missed_by_refusals(threshold, run)
}

/// Whether a threshold for failures holds without those that the credentials explain.
fn is_missed_by_refusals(threshold: &Threshold, run: &LoadRun) -> bool {
    let holds = |failed, attempts| share(failed, attempts).is_none_or(|share| threshold.keeps(share));
    let unexplained = |series: &Series| series.failed() - series.refused();
    match threshold.metric {
        Metric::Errors => {
            selected(threshold, run).into_iter().all(|series| holds(unexplained(series), series.count))
        }
        Metric::Failed => holds(of_attempts(run, unexplained), of_attempts(run, |series| series.count)),
        _ => false,
    }
}

/// A value that a threshold applies to.
struct Reading {
    verdict: ThresholdVerdict,
    observed: Option<Observed>,
    about: Option<SeriesKey>,
    /// How far it is on the wrong side of the limit.
    distance: f64,
}

impl Reading {
    /// A missed threshold is worse than an inconclusive one, and that is worse than a met one.
    fn badness(&self) -> f64 {
        f64::from(self.verdict as u8) * 1e18 + self.distance
    }
}

/// The bounds of a number: attempts and deliveries that had not ended may still succeed or fail.
#[derive(Clone, Copy)]
struct Range {
    least: f64,
    most: f64,
}

impl Range {
    fn exactly(value: f64) -> Self {
        Self { least: value, most: value }
    }

    /// Of a known part, and the open rest that may become part of it.
    fn of_share(known: u64, open: u64, whole: u64) -> Self {
        let share = |part: u64, of_nothing: f64| share(part, whole).unwrap_or(of_nothing);
        Self { least: share(known, 0.0), most: share(known + open, 1.0) }
    }
}

fn readings<'a>(threshold: &'a Threshold, run: &'a LoadRun) -> Box<dyn Iterator<Item = Reading> + 'a> {
    if !threshold.metric.is_of_series() {
        let range = of_run(threshold.metric, run);
        return Box::new(range.into_iter().map(|range| read_number(threshold, range, None)));
    }
    let of_series = move |series: &Series| match threshold.metric {
        Metric::Time(_, statistic) => read_time(threshold, statistic, series),
        metric => {
            let range = number(metric, series, run).map(Range::exactly);
            range.map(|range| read_number(threshold, range, Some(series.key.clone())))
        }
    };
    Box::new(selected(threshold, run).into_iter().filter_map(of_series))
}

/// The series that a threshold applies to. Errors and rates count each attempt once, in its latency series.
fn selected<'a>(threshold: &Threshold, run: &'a LoadRun) -> Vec<&'a Series> {
    let of = |kind: DurationKind| -> Vec<&Series> {
        run.of_kind(kind).filter(|series| threshold.selector.matches(&series.key)).collect()
    };
    match threshold.metric {
        // Without a schedule latency equals service time, and the engine records latency only.
        Metric::Time(DurationKind::Service, _) if of(DurationKind::Service).is_empty() => {
            of(DurationKind::Latency)
        }
        Metric::Time(kind, _) => of(kind),
        _ => of(DurationKind::Latency),
    }
}

#[expect(clippy::cast_precision_loss, reason = "no count of a run comes near 2^52")]
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn of_run(metric: Metric, run: &LoadRun) -> Option<Range> {
    #[expect(clippy::cast_precision_loss, reason = "no count of a run comes near 2^52")]
    let delivery = |of: fn(&Deliveries) -> u64| run.deliveries.as_ref().map(|counts| of(counts) as f64);
    let exact = match metric {
        Metric::Failed => return Some(failed(run)),
        Metric::Delivered => return run.deliveries.map(delivered),
        Metric::Lost => delivery(|counts| counts.lost),
        Metric::Repeated => delivery(|counts| counts.repeated),
        Metric::Reordered => delivery(|counts| counts.reordered),
        #[expect(clippy::cast_precision_loss, reason = "no count of a run comes near 2^52")]
        Metric::Ended => run.watches.as_ref().map(|watches| watches.ended() as f64),
        Metric::Late => run.starts.and_then(|starts| share(starts.late, starts.planned)),
        Metric::Dropped => run.starts.and_then(|starts| share(starts.dropped, starts.planned)),
        Metric::GeneratorCpu => generator_cpu(run),
        Metric::GeneratorLag(statistic) => generator_lag(run, statistic),
        Metric::Time(..) | Metric::Errors | Metric::Rate => None,
    };
    exact.map(Range::exactly)
}

/// The share of all processors.
#[expect(clippy::cast_precision_loss, reason = "no time of a run comes near 2^52 µs")]
fn generator_cpu(run: &LoadRun) -> Option<f64> {
    let had = f64::from(run.generator.cores) * run.measured().as_secs_f64() * 1e6;
    (had > 0.0).then(|| run.generator.cpu as f64 / had)
}

#[expect(clippy::cast_precision_loss, reason = "no time of a run comes near 2^52 µs")]
fn generator_lag(run: &LoadRun, statistic: Statistic) -> Option<f64> {
    let lag = &run.generator.timer_lag;
    (!lag.is_empty()).then(|| lag.inner().value_at_quantile(statistic.quantile()) as f64)
}

/// Attempts without a response at the end of the run may still fail. Without any attempt the share is open.
fn failed(run: &LoadRun) -> Range {
    let (attempts, failed) = (of_attempts(run, |series| series.count), of_attempts(run, Series::failed));
    Range::of_share(failed, of_attempts(run, Series::unfinished), attempts)
}

/// The sum of a count over the series that have each attempt once.
fn of_attempts(run: &LoadRun, count: fn(&Series) -> u64) -> u64 {
    run.of_kind(DurationKind::Latency).map(count).sum()
}

/// Deliveries that are pending at the end of the run may still arrive.
fn delivered(counts: Deliveries) -> Range {
    Range::of_share(counts.delivered, counts.pending, counts.expected)
}

fn number(metric: Metric, series: &Series, run: &LoadRun) -> Option<f64> {
    match metric {
        Metric::Errors => share(series.failed(), series.count),
        _ => series.rate(run.measured()),
    }
}

/// Met if both bounds meet it, missed if both miss it. A limit of the generator is never missed by the server.
fn read_number(threshold: &Threshold, range: Range, about: Option<SeriesKey>) -> Reading {
    let Range { least, most } = range;
    let verdict = match (threshold.keeps(least), threshold.keeps(most)) {
        (true, true) => ThresholdVerdict::Met,
        // A generator that is its own bottleneck says nothing about the server.
        (false, false) if threshold.metric.is_of_generator() => ThresholdVerdict::Inconclusive,
        (false, false) => ThresholdVerdict::Missed,
        _ => ThresholdVerdict::Inconclusive,
    };
    let sign = if threshold.metric.wants_more() { -1.0 } else { 1.0 };
    let observed = Some(Observed { value: least, open: most > least });
    Reading { verdict, observed, about, distance: sign * (least - threshold.limit) }
}

/// Met if both bounds meet it, missed if both miss it.
#[expect(clippy::cast_precision_loss, reason = "no time of a run comes near 2^52 µs")]
fn read_time(threshold: &Threshold, statistic: Statistic, series: &Series) -> Option<Reading> {
    let quantile: Quantile = series.quantile(statistic.quantile())?;
    let verdict = match quantile {
        Quantile { at_most: Some(most), .. } if threshold.keeps(most as f64) => ThresholdVerdict::Met,
        Quantile { at_least, .. } if threshold.keeps(at_least as f64) => ThresholdVerdict::Inconclusive,
        _ => ThresholdVerdict::Missed,
    };
    let value = quantile.micros() as f64;
    let observed = Some(Observed { value, open: quantile.is_open() });
    Some(Reading { verdict, observed, about: Some(series.key.clone()), distance: value - threshold.limit })
}
