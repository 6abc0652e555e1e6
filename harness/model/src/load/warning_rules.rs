//! The warnings that follow from the numbers of a run, so that no engine can omit them.

use super::counts::Starts;
use super::key::{DurationKind, SeriesKey};
use super::run::LoadRun;
use super::series::Series;
use super::warning::Warning;

/// The CPU time, in percent of all processors, above which the generator waits for itself.
const BUSY: u64 = 85;

/// The generator's own delay may be at most one part in this many of a measured time.
const OWN_SHARE: u64 = 10;

/// A series without enough values for this quantile has a warning.
const TAIL: f64 = 0.99;

/// The share of late starts, in percent, above which the pace was not kept.
const LATE: u64 = 1;

impl LoadRun {
    /// The warnings of the engine and those that follow from the numbers.
    pub fn all_warnings(&self) -> Vec<Warning> {
        let found = [
            check_cpu(self),
            check_timers(self),
            check_standstill(self),
            check_pace(self),
            check_senders(self),
            check_scans(self),
            check_success(self),
            check_credentials(self),
            check_unfinished(self),
            check_sample_size(self),
            check_clocks(self),
        ];
        self.warnings.iter().cloned().chain(found.into_iter().flatten()).collect()
    }

    /// Whether the run measures the generator.
    pub fn is_unreliable(&self) -> bool {
        self.all_warnings().iter().any(|warning| warning.grave)
    }

    /// Whether requests were sent, and all failed.
    pub fn is_hopeless(&self) -> bool {
        let mut tried = self.of_kind(DurationKind::Latency).filter(|series| series.count > 0).peekable();
        tried.peek().is_some() && tried.all(Series::is_hopeless)
    }

    /// The series of at least ten attempts, all failed. Among many other attempts they hardly raise the share of failures.
    pub fn hopeless(&self) -> impl Iterator<Item = &Series> {
        self.of_kind(DurationKind::Latency).filter(|series| series.count >= 10 && series.is_hopeless())
    }

    /// Whether the server refused the credentials of an attempt.
    pub fn is_refused(&self) -> bool {
        self.of_kind(DurationKind::Latency).any(|series| series.refused() > 0)
    }

    /// Why none of the planned requests started; `None` if one did. Such a run has no load, whatever else succeeded.
    pub fn idle(&self) -> Option<String> {
        let Starts { planned, .. } = self.starts.filter(|starts| starts.planned > 0 && starts.sent == 0)?;
        Some(format!(
            "0 of {planned} planned requests started, because those before them had no response yet; hint: lower --rate, or raise --duration"
        ))
    }
}

fn check_cpu(run: &LoadRun) -> Option<Warning> {
    let had = u128::from(run.generator.cores) * run.measured().as_micros();
    let percent = (u128::from(run.generator.cpu) * 100).checked_div(had)?;
    (percent > u128::from(BUSY)).then(|| {
        let text = format!(
            "the generator used {percent} % of its {} processors: it was the bottleneck itself",
            run.generator.cores
        );
        Warning::new("generator-cpu", text).grave()
    })
}

/// A late timer means that other instants are late as well.
fn check_timers(run: &LoadRun) -> Option<Warning> {
    let own = run.generator.timer_lag.inner().value_at_quantile(0.99);
    let about: Vec<SeriesKey> = run
        .series
        .iter()
        .filter(|series| series.key.kind.is_lag() || series.key.kind == DurationKind::Latency)
        .filter(|series| series.quantile(0.99).is_some_and(|p99| own * OWN_SHARE > p99.micros()))
        .map(|series| series.key.clone())
        .collect();
    if about.is_empty() {
        return None;
    }
    let text = format!(
        "the generator's own timers were {}.{} ms late at p99, more than a {OWN_SHARE}th of the measured times",
        own / 1_000,
        own % 1_000 / 100
    );
    Some(Warning::new("generator-lag", text).about(about))
}

/// Requests wait for a generator that stands still, whatever the server does.
fn check_standstill(run: &LoadRun) -> Option<Warning> {
    let standstill = run.generator.standstill()?.as_secs_f64();
    let text = format!(
        "the generator stood still for {standstill:.1} s: it was stopped, or its machine paused; times and rates are not the server's alone, so a threshold for them that is missed is inconclusive"
    );
    Some(Warning::new("standstill", text))
}

fn check_pace(run: &LoadRun) -> Option<Warning> {
    if let Some(why) = run.idle() {
        return Some(Warning::new("pace", why));
    }
    let starts = run.starts?;
    let late = starts.late.saturating_mul(100) > starts.planned.saturating_mul(LATE);
    (late || starts.dropped > 0).then(|| {
        let text = format!(
            "of {} planned starts {} were late and {} were dropped; the load was not as requested",
            starts.planned, starts.late, starts.dropped
        );
        Warning::new("pace", text)
    })
}

/// A run that was stopped before its measured time has measured nothing in any case.
fn check_senders(run: &LoadRun) -> Option<Warning> {
    let senders = run.senders.filter(|senders| senders.idle() > 0 && !run.measured().is_zero())?;
    let text = format!(
        "{} of {} senders of the closed loop started no request in the measured time, because their last one had no response yet, or other senders used all connections; the load was not as requested; hint: find out why the server does not respond, or raise --connections",
        senders.idle(),
        senders.planned
    );
    Some(Warning::new("pace", text))
}

fn check_scans(run: &LoadRun) -> Option<Warning> {
    let (wrong, checked) = (run.generator.misread, run.generator.checked);
    (wrong > 0).then(|| {
        let text = format!("{wrong} of {checked} verified events were misread, a bug of the generator");
        Warning::new("misread", text).grave()
    })
}

/// Requests that all fail are no load, but their numbers look calm.
fn check_success(run: &LoadRun) -> Option<Warning> {
    let hopeless = |series: &&Series| series.is_hopeless();
    let about: Vec<SeriesKey> =
        run.of_kind(DurationKind::Latency).filter(hopeless).map(|series| series.key.clone()).collect();
    (!about.is_empty())
        .then(|| Warning::new("refused", "every attempt failed: nothing was measured").about(about))
}

/// Attempts without permission say nothing about the load that the server bears.
fn check_credentials(run: &LoadRun) -> Option<Warning> {
    let refused: Vec<&Series> =
        run.of_kind(DurationKind::Latency).filter(|series| series.refused() > 0).collect();
    if refused.is_empty() {
        return None;
    }
    let count = refused.iter().map(|series| series.refused()).sum::<u64>();
    let text = format!(
        "the server refused the credentials of {count} attempts (401, or 403 without any success): such failures miss no threshold; hint: use credentials that are valid for the whole run, with permission for all verbs of the workload"
    );
    Some(Warning::new("credentials", text).about(refused.iter().map(|series| series.key.clone())))
}

fn check_unfinished(run: &LoadRun) -> Option<Warning> {
    let about: Vec<SeriesKey> =
        run.series.iter().filter(|one| !one.censored.is_empty()).map(|one| one.key.clone()).collect();
    if about.is_empty() {
        return None;
    }
    let text = "some attempts did not end in time; percentiles that they could move are printed as > x";
    Some(Warning::new("unfinished", text).about(about))
}

/// The number of watches, not the duration, decides how often watches are opened: that takes no longer run.
fn is_opening(key: &SeriesKey) -> bool {
    let times = [DurationKind::Latency, DurationKind::Service, DurationKind::FirstByte];
    key.verb == "WATCH" && times.contains(&key.kind)
}

fn check_sample_size(run: &LoadRun) -> Option<Warning> {
    let scarce =
        |series: &&Series| series.max().is_some() && !series.carries(TAIL) && !is_opening(&series.key);
    let about: Vec<SeriesKey> = run.series.iter().filter(scarce).map(|series| series.key.clone()).collect();
    if about.is_empty() {
        return None;
    }
    let text = "fewer than 100 values: too few for p99; measure for longer, or raise the rate";
    Some(Warning::new("few-samples", text).about(about))
}

/// A lag between the clocks of two machines that is less certain than it is long.
fn check_clocks(run: &LoadRun) -> Option<Warning> {
    let is_wide = |series: &&Series| {
        let quantiles = series.quantiles([0.5, TAIL]).into_iter().flatten();
        let bounds = quantiles.filter_map(|quantile| Some((quantile.at_least, quantile.at_most?)));
        !series.upper.is_empty() && bounds.into_iter().any(|(least, most)| most > least.saturating_mul(2))
    };
    let about: Vec<SeriesKey> = run.series.iter().filter(is_wide).map(|series| series.key.clone()).collect();
    if about.is_empty() {
        return None;
    }
    let text = "the difference of the workers' clocks is less certain than these lags are long; their percentiles are lower bounds";
    Some(Warning::new("clocks", text).about(about))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Phase, PhaseName, Scope, Senders, Workload};
    use crate::target_info::TargetInfo;

    /// Ten seconds of a run without warnings.
    fn calm() -> LoadRun {
        let at = jiff::Timestamp::UNIX_EPOCH;
        let mut run = LoadRun::new("kube-assay 0", "r1", Workload::default(), TargetInfo::default(), at);
        run.phases = vec![Phase { name: PhaseName::Measure, from_ms: 0, to_ms: 10_000 }];
        run.generator.cores = 2;
        run.generator.cpu = 5_000_000;
        run.generator.timer_lag.record_n(90, 1_000);
        run.starts = Some(Starts { planned: 2_000, sent: 2_000, ..Starts::default() });
        let mut series =
            Series::new(SeriesKey::new("GET", "configmaps", Scope::Resource, DurationKind::Latency, ""));
        (0..2_000).for_each(|_| series.record(2_000));
        run.series = vec![series];
        run
    }

    fn names(run: &LoadRun) -> Vec<String> {
        run.all_warnings().into_iter().map(|warning| warning.name).collect()
    }

    #[test]
    fn a_calm_run_has_no_warning() {
        assert_eq!(calm().all_warnings(), []);
    }

    #[test]
    fn every_weakness_has_a_warning() {
        type Change = fn(&mut LoadRun);
        let changes: [(&str, Change); 11] = [
            ("generator-cpu", |run| run.generator.cpu = 18_000_000),
            ("generator-lag", |run| run.generator.timer_lag.record_n(900, 100)),
            ("standstill", |run| run.generator.timer_lag.record(3_000_000)),
            ("pace", |run| run.starts = Some(Starts { planned: 10, sent: 9, late: 0, dropped: 1 })),
            ("pace", |run| run.senders = Some(Senders { planned: 4, measured: 3 })),
            ("misread", |run| run.generator.misread = 1),
            ("refused", |run| {
                run.series[0] = Series::new(run.series[0].key.clone());
                run.series[0].fail(crate::load::ErrorClass::Status(415));
            }),
            ("credentials", |run| run.series[0].fail(crate::load::ErrorClass::Status(401))),
            ("unfinished", |run| run.series[0].pend(5)),
            ("clocks", |run| run.series[0].upper.record_n(4_500, 2_000)),
            ("few-samples", |run| {
                run.series[0] = Series::new(run.series[0].key.clone());
                run.series[0].record(2_000);
            }),
        ];
        for (name, change) in changes {
            let mut run = calm();
            change(&mut run);
            assert_eq!(names(&run), [name]);
        }
    }

    #[test]
    fn the_pace_of_a_run_without_a_start_has_a_cause() {
        let mut run = calm();
        assert_eq!(run.idle(), None);
        run.starts = Some(Starts { planned: 100, dropped: 100, ..Starts::default() });
        let warnings = run.all_warnings();
        assert_eq!(warnings.len(), 1);
        assert!(warnings[0].says.starts_with("0 of 100 planned requests started"), "{warnings:?}");
        // A run that ended before its schedule planned nothing.
        run.starts = Some(Starts::default());
        assert_eq!(run.idle(), None);
    }

    #[test]
    fn senders_of_a_run_that_did_not_measure_have_no_warning() {
        let mut run = calm();
        run.senders = Some(Senders { planned: 4, measured: 4 });
        assert_eq!(run.all_warnings(), []);
        run.senders = Some(Senders { planned: 4, measured: 0 });
        assert_eq!(names(&run), ["pace"]);
        run.phases.clear();
        assert_eq!(names(&run), [""; 0]);
    }

    #[test]
    fn few_openings_of_watches_have_no_warning() {
        let mut run = calm();
        let before = run.all_warnings().len();
        let of = |verb| SeriesKey::new(verb, "configmaps", Scope::Namespace, DurationKind::Service, "");
        let mut opening = Series::new(of("WATCH"));
        opening.record(2_000);
        run.series.push(opening.clone());
        assert_eq!(run.all_warnings().len(), before);
        run.series.push(Series { key: of("LIST"), ..opening });
        assert_eq!(run.all_warnings().last().unwrap().name, "few-samples");
    }

    #[test]
    fn a_busy_generator_makes_the_run_unreliable() {
        let mut run = calm();
        assert!(!run.is_unreliable());
        run.generator.cpu = 20_000_000;
        assert!(run.is_unreliable());
    }
}
