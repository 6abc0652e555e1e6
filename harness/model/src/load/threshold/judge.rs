//! What became of each threshold in a run.

use super::expression::Threshold;
use super::judged::{Judged, Observed, ThresholdVerdict};
use super::metric::{Metric, Statistic};
use crate::load::counts::Deliveries;
use crate::load::key::{Kind, SeriesKey};
use crate::load::quantile::Quantile;
use crate::load::run::LoadRun;
use crate::load::series::Series;

/// Judges every threshold, in its order. Where one is about several series, the worst of them decides.
pub fn judge(thresholds: &[Threshold], preset: Option<&str>, run: &LoadRun) -> Vec<Judged> {
    let judge = |threshold: &Threshold| {
        let worst = seen(threshold, run).max_by(|one, other| one.badness().total_cmp(&other.badness()));
        let not_judged =
            Seen { verdict: ThresholdVerdict::NotJudged, observed: None, about: None, distance: 0.0 };
        let Seen { verdict, observed, about, .. } = worst.unwrap_or(not_judged);
        Judged { threshold: threshold.clone(), preset: preset.map(str::to_owned), verdict, observed, about }
    };
    thresholds.iter().map(judge).collect()
}

/// One thing that a threshold is about.
struct Seen {
    verdict: ThresholdVerdict,
    observed: Option<Observed>,
    about: Option<SeriesKey>,
    /// How far it is on the wrong side.
    distance: f64,
}

impl Seen {
    /// A miss is worse than what is unknown, and that is worse than what was kept.
    fn badness(&self) -> f64 {
        f64::from(self.verdict as u8) * 1e18 + self.distance
    }
}

fn seen<'a>(threshold: &'a Threshold, run: &'a LoadRun) -> Box<dyn Iterator<Item = Seen> + 'a> {
    if !threshold.metric.is_of_series() {
        let number = of_run(threshold.metric, run);
        return Box::new(number.into_iter().map(|value| number_seen(threshold, value, None)));
    }
    let of_series = move |series: &Series| match threshold.metric {
        Metric::Time(_, statistic) => time_seen(threshold, statistic, series),
        metric => {
            number(metric, series, run).map(|value| number_seen(threshold, value, Some(series.key.clone())))
        }
    };
    Box::new(selected(threshold, run).into_iter().filter_map(of_series))
}

/// The series that a threshold is about. Attempts are counted once, where they are counted from what was meant.
fn selected<'a>(threshold: &Threshold, run: &'a LoadRun) -> Vec<&'a Series> {
    let of = |kind: Kind| -> Vec<&Series> {
        run.of_kind(kind).filter(|series| threshold.selector.matches(&series.key)).collect()
    };
    match threshold.metric {
        // Without a plan both are the same, and only one is recorded.
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
    let delivery = |of: fn(&Deliveries) -> u64| run.deliveries.as_ref().map(|books| of(books) as f64);
    match metric {
        Metric::Delivered => run.deliveries.and_then(|books| share(books.delivered, books.expected)),
        Metric::Lost => delivery(|books| books.lost),
        Metric::Repeated => delivery(|books| books.repeated),
        Metric::Reordered => delivery(|books| books.reordered),
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

fn number_seen(threshold: &Threshold, value: f64, about: Option<SeriesKey>) -> Seen {
    let verdict = if threshold.keeps(value) { ThresholdVerdict::Met } else { ThresholdVerdict::Missed };
    let sign = if threshold.metric.wants_more() { -1.0 } else { 1.0 };
    let observed = Some(Observed { value, open: false });
    Seen { verdict, observed, about, distance: sign * (value - threshold.limit) }
}

/// Kept if it is kept at worst, missed if it is missed at best.
#[expect(clippy::cast_precision_loss, reason = "no time of a run comes near 2^52 µs")]
fn time_seen(threshold: &Threshold, statistic: Statistic, series: &Series) -> Option<Seen> {
    let quantile: Quantile = series.quantile(statistic.quantile())?;
    let verdict = match quantile {
        Quantile { at_most: Some(most), .. } if threshold.keeps(most as f64) => ThresholdVerdict::Met,
        Quantile { at_least, .. } if threshold.keeps(at_least as f64) => ThresholdVerdict::Inconclusive,
        _ => ThresholdVerdict::Missed,
    };
    let value = quantile.micros() as f64;
    let observed = Some(Observed { value, open: quantile.is_open() });
    Some(Seen { verdict, observed, about: Some(series.key.clone()), distance: value - threshold.limit })
}
