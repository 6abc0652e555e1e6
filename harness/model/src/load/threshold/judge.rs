//! Judges the thresholds of a run.

use super::expression::Threshold;
use super::judged::{Judged, Observed, ThresholdVerdict};
use super::metric::{Metric, Statistic};
use crate::load::counts::Deliveries;
use crate::load::key::{Kind, SeriesKey};
use crate::load::quantile::Quantile;
use crate::load::run::LoadRun;
use crate::load::series::Series;

/// Judges every threshold, in order. For several series the worst one decides.
pub fn judge(thresholds: &[Threshold], preset: Option<&str>, run: &LoadRun) -> Vec<Judged> {
    let judge = |threshold: &Threshold| {
        let worst = readings(threshold, run).max_by(|one, other| one.badness().total_cmp(&other.badness()));
        let not_judged =
            Reading { verdict: ThresholdVerdict::NotJudged, observed: None, about: None, distance: 0.0 };
        let Reading { verdict, observed, about, .. } = worst.unwrap_or(not_judged);
        Judged { threshold: threshold.clone(), preset: preset.map(str::to_owned), verdict, observed, about }
    };
    thresholds.iter().map(judge).collect()
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

fn readings<'a>(threshold: &'a Threshold, run: &'a LoadRun) -> Box<dyn Iterator<Item = Reading> + 'a> {
    if !threshold.metric.is_of_series() {
        let number = of_run(threshold.metric, run);
        return Box::new(number.into_iter().map(|value| read_number(threshold, value, None)));
    }
    let of_series = move |series: &Series| match threshold.metric {
        Metric::Time(_, statistic) => read_time(threshold, statistic, series),
        metric => {
            number(metric, series, run).map(|value| read_number(threshold, value, Some(series.key.clone())))
        }
    };
    Box::new(selected(threshold, run).into_iter().filter_map(of_series))
}

/// The series that a threshold applies to. Errors and rates count each attempt once, in its latency series.
fn selected<'a>(threshold: &Threshold, run: &'a LoadRun) -> Vec<&'a Series> {
    let of = |kind: Kind| -> Vec<&Series> {
        run.of_kind(kind).filter(|series| threshold.selector.matches(&series.key)).collect()
    };
    match threshold.metric {
        // Without a schedule latency equals service time, and the engine records latency only.
        Metric::Time(Kind::Service, _) if of(Kind::Service).is_empty() => of(Kind::Latency),
        Metric::Time(kind, _) => of(kind),
        _ => of(Kind::Latency),
    }
}

#[expect(clippy::cast_precision_loss, reason = "no count of a run comes near 2^52")]
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[expect(clippy::cast_precision_loss, reason = "no count of a run comes near 2^52")]
fn of_run(metric: Metric, run: &LoadRun) -> Option<f64> {
    let delivery = |of: fn(&Deliveries) -> u64| run.deliveries.as_ref().map(|counts| of(counts) as f64);
    match metric {
        Metric::Delivered => run.deliveries.and_then(|counts| share(counts.delivered, counts.expected)),
        Metric::Lost => delivery(|counts| counts.lost),
        Metric::Repeated => delivery(|counts| counts.repeated),
        Metric::Reordered => delivery(|counts| counts.reordered),
        Metric::Ended => run.watches.as_ref().map(|watches| watches.ended() as f64),
        Metric::Late => run.starts.and_then(|starts| share(starts.late, starts.planned)),
        Metric::Dropped => run.starts.and_then(|starts| share(starts.dropped, starts.planned)),
        Metric::Time(..) | Metric::Errors | Metric::Rate => None,
    }
}

fn number(metric: Metric, series: &Series, run: &LoadRun) -> Option<f64> {
    match metric {
        Metric::Errors => share(series.failed(), series.count),
        _ => series.rate(run.measured()),
    }
}

fn read_number(threshold: &Threshold, value: f64, about: Option<SeriesKey>) -> Reading {
    let verdict = if threshold.keeps(value) { ThresholdVerdict::Met } else { ThresholdVerdict::Missed };
    let sign = if threshold.metric.wants_more() { -1.0 } else { 1.0 };
    let observed = Some(Observed { value, open: false });
    Reading { verdict, observed, about, distance: sign * (value - threshold.limit) }
}

/// Met if the upper bound meets it, missed if even the lower bound misses it.
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
