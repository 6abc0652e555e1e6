//! The conclusion of a load run: its verdict, which decides the exit code, and the reason.

use super::partial_cause::PartialCause;
use super::run::LoadRun;
use super::series::Series;
use super::threshold::{DEFAULT_SLO, Metric, ThresholdResult, ThresholdVerdict};

impl LoadRun {
    /// Missed if a threshold was missed or a requirement broken, inconclusive if the run decides nothing, met if a given
    /// threshold was met, else not judged.
    pub fn verdict(&self) -> ThresholdVerdict {
        // What ended a run early is a graver reason than a default threshold that it missed.
        let default_missed = if self.is_whole() { self.default(ThresholdVerdict::Missed) } else { 0 };
        let missed = self.given(ThresholdVerdict::Missed) + default_missed;
        let unknown = self.unknown() + self.default(ThresholdVerdict::Inconclusive);
        match () {
            () if missed > 0 || !self.breaches.is_empty() => ThresholdVerdict::Missed,
            () if unknown > 0 || self.partial.is_some() || !self.leftovers.is_empty() => {
                ThresholdVerdict::Inconclusive
            }
            () if self.is_hopeless() || self.hopeless().next().is_some() || self.generator.misread > 0 => {
                ThresholdVerdict::Inconclusive
            }
            // The watches alone may succeed.
            () if self.idle().is_some() => ThresholdVerdict::Inconclusive,
            // Without any load every threshold holds.
            () if self.thresholds.iter().any(is_given) && self.is_unreliable() => {
                ThresholdVerdict::Inconclusive
            }
            () if self.given(ThresholdVerdict::Met) > 0 => ThresholdVerdict::Met,
            () => ThresholdVerdict::NotJudged,
        }
    }

    /// Whether the load ran to its end. Responses that fail all the time are no reason to excuse those of the load.
    fn is_whole(&self) -> bool {
        let to_its_end = [PartialCause::ReadBackRejected, PartialCause::Unmeasured];
        self.partial.is_none() || to_its_end.contains(&self.partial_cause)
    }

    /// The verdict as a sentence.
    pub fn reason(&self) -> String {
        let (given, default) = (|verdict| self.given(verdict), |verdict| self.default(verdict));
        let reasons = [
            (given(ThresholdVerdict::Missed), "threshold missed", "thresholds missed"),
            (default(ThresholdVerdict::Missed), "default threshold missed", "default thresholds missed"),
            (self.breaches.len(), "requirement broken", "requirements broken"),
            (self.unknown(), "threshold inconclusive", "thresholds inconclusive"),
            (
                default(ThresholdVerdict::Inconclusive),
                "default threshold inconclusive",
                "default thresholds inconclusive",
            ),
            (usize::from(self.partial.is_some()), "the run is partial", ""),
            (self.leftovers.len(), "object left on the server", "objects left on the server"),
            (given(ThresholdVerdict::Met), "threshold met", "thresholds met"),
        ];
        let mut parts: Vec<String> = reasons
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| match (count, many) {
                (_, "") => one.to_owned(),
                (1, _) => format!("1 {one}"),
                _ => format!("{count} {many}"),
            })
            .collect();
        if self.is_hopeless() {
            parts.push("every attempt failed".to_owned());
        } else {
            let failed =
                |series: &Series| format!("every {} of {} failed", series.key.verb, series.key.resource);
            parts.extend(self.hopeless().map(failed));
        }
        if self.is_refused() && self.thresholds.iter().any(is_open_about_failures) {
            parts.push("the server refused the credentials".to_owned());
        }
        if self.generator.misread > 0 {
            parts.push("the run is unreliable: the generator misread events".to_owned());
        } else if self.is_unreliable() {
            parts.push("the run is unreliable: the generator was the bottleneck".to_owned());
        }
        if self.idle().is_some() {
            parts.push("no planned request started".to_owned());
        }
        if parts.is_empty() { self.not_judged() } else { parts.join(", ") }
    }

    /// Why no given threshold is judged.
    fn not_judged(&self) -> String {
        let (judged, threshold) = if self.default(ThresholdVerdict::Met) == 0 {
            ("not judged", "threshold")
        } else {
            ("judged by default thresholds alone", "other threshold")
        };
        let is_any_given = self.thresholds.iter().any(is_given);
        let why = if is_any_given { "applies to a measured series" } else { "was given" };
        format!("measured, and {judged}: no {threshold} {why}")
    }

    fn given(&self, verdict: ThresholdVerdict) -> usize {
        self.thresholds.iter().filter(|judged| is_given(judged) && judged.verdict == verdict).count()
    }

    fn default(&self, verdict: ThresholdVerdict) -> usize {
        self.thresholds.iter().filter(|judged| !is_given(judged) && judged.verdict == verdict).count()
    }

    /// Presets cover more than a workload measures; a threshold that the user writes must apply to the run.
    fn unknown(&self) -> usize {
        let unmeasured = self.thresholds.iter().filter(|judged| judged.lacks_value()).count();
        self.given(ThresholdVerdict::Inconclusive) + unmeasured
    }
}

/// Whether it is open how many attempts failed.
fn is_open_about_failures(judged: &ThresholdResult) -> bool {
    let is_about_failures = matches!(judged.threshold.metric, Metric::Failed | Metric::Errors);
    is_about_failures && judged.verdict == ThresholdVerdict::Inconclusive
}

/// Whether the user gave the threshold.
fn is_given(judged: &ThresholdResult) -> bool {
    judged.preset.as_deref() != Some(DEFAULT_SLO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Breach, DurationKind, ErrorClass, Scope, Series, SeriesKey, Starts, Workload};
    use crate::target_info::TargetInfo;

    const NO_THRESHOLD: &str = "measured, and not judged: no threshold was given";

    fn run(verdicts: &[(ThresholdVerdict, Option<&str>)]) -> LoadRun {
        let at = jiff::Timestamp::UNIX_EPOCH;
        let mut run = LoadRun::new("kube-assay 0", "r", Workload::default(), TargetInfo::default(), at);
        run.thresholds = verdicts
            .iter()
            .map(|(verdict, preset)| ThresholdResult {
                threshold: "p99<1s".parse().unwrap(),
                preset: preset.map(str::to_owned),
                required: false,
                verdict: *verdict,
                observed: None,
                about: None,
            })
            .collect();
        run
    }

    #[track_caller]
    fn assert_verdict(run: &LoadRun, verdict: ThresholdVerdict, because: &str) {
        assert_eq!((run.verdict(), run.reason().as_str()), (verdict, because));
    }

    #[test]
    fn the_gravest_reason_decides_and_the_sentence_has_all() {
        assert_verdict(&run(&[]), ThresholdVerdict::NotJudged, NO_THRESHOLD);
        let both = run(&[(ThresholdVerdict::Missed, None), (ThresholdVerdict::Inconclusive, None)]);
        assert_verdict(&both, ThresholdVerdict::Missed, "1 threshold missed, 1 threshold inconclusive");
        let partial =
            LoadRun { partial: Some("interrupted".to_owned()), ..run(&[(ThresholdVerdict::Met, None)]) };
        assert_verdict(&partial, ThresholdVerdict::Inconclusive, "the run is partial, 1 threshold met");
    }

    #[test]
    fn a_default_threshold_that_is_met_judges_nothing_and_one_that_is_not_decides() {
        let default = |verdict| run(&[(verdict, Some("default"))]);
        let alone = "measured, and judged by default thresholds alone: no other threshold was given";
        assert_verdict(&default(ThresholdVerdict::Met), ThresholdVerdict::NotJudged, alone);
        assert_verdict(&default(ThresholdVerdict::NotJudged), ThresholdVerdict::NotJudged, NO_THRESHOLD);
        let missed = default(ThresholdVerdict::Missed);
        assert_verdict(&missed, ThresholdVerdict::Missed, "1 default threshold missed");
        let open = default(ThresholdVerdict::Inconclusive);
        assert_verdict(&open, ThresholdVerdict::Inconclusive, "1 default threshold inconclusive");
        let mut gone = LoadRun { partial: Some("the server no longer responds".to_owned()), ..missed };
        let expected = "1 default threshold missed, the run is partial";
        assert_verdict(&gone, ThresholdVerdict::Inconclusive, expected);
        for to_its_end in [PartialCause::ReadBackRejected, PartialCause::Unmeasured] {
            gone.partial_cause = to_its_end;
            assert_verdict(&gone, ThresholdVerdict::Missed, expected);
        }
    }

    #[test]
    fn a_preset_without_a_measured_series_is_not_judged() {
        let preset = run(&[(ThresholdVerdict::NotJudged, Some("cl2"))]);
        let expected = "measured, and not judged: no threshold applies to a measured series";
        assert_verdict(&preset, ThresholdVerdict::NotJudged, expected);
        assert_verdict(
            &run(&[(ThresholdVerdict::NotJudged, Some("cl2")), (ThresholdVerdict::Met, None)]),
            ThresholdVerdict::Met,
            "1 threshold met",
        );
        assert_verdict(
            &run(&[(ThresholdVerdict::NotJudged, None)]),
            ThresholdVerdict::Inconclusive,
            "1 threshold inconclusive",
        );
    }

    #[test]
    fn a_broken_requirement_fails_a_run_that_keeps_its_thresholds() {
        let mut run = run(&[(ThresholdVerdict::Met, None)]);
        run.breaches.push(Breach {
            rule: "lost".to_owned(),
            count: 2,
            expected: String::new(),
            actual: String::new(),
            evidence: Vec::new(),
        });
        assert_verdict(&run, ThresholdVerdict::Missed, "1 requirement broken, 1 threshold met");
    }

    #[test]
    fn a_run_without_any_success_is_inconclusive() {
        let mut run = run(&[]);
        let mut refused =
            Series::new(SeriesKey::new("APPLY", "configmaps", Scope::Resource, DurationKind::Latency, ""));
        refused.fail(ErrorClass::Status(415));
        run.series.push(refused.clone());
        assert_verdict(&run, ThresholdVerdict::Inconclusive, "every attempt failed");
        let mut succeeded = refused.clone();
        succeeded.count += 1;
        run.series.push(succeeded);
        assert_verdict(&run, ThresholdVerdict::NotJudged, NO_THRESHOLD);
        (1..10).for_each(|_| run.series[0].fail(ErrorClass::Status(415)));
        assert_verdict(&run, ThresholdVerdict::Inconclusive, "every APPLY of configmaps failed");
    }

    #[test]
    fn rejections_of_every_request_miss_the_default_threshold() {
        let default = |verdict| {
            let mut run = run(&[(verdict, Some("default"))]);
            let key = SeriesKey::new("APPLY", "configmaps", Scope::Resource, DurationKind::Latency, "");
            run.series.push(Series::new(key));
            run.series[0].fail(ErrorClass::Status(415));
            run
        };
        let expected = "1 default threshold missed, every attempt failed";
        assert_verdict(&default(ThresholdVerdict::Missed), ThresholdVerdict::Missed, expected);
        // Without a response nobody knows whose failure it is.
        let expected = "1 default threshold inconclusive, every attempt failed";
        assert_verdict(&default(ThresholdVerdict::Inconclusive), ThresholdVerdict::Inconclusive, expected);
    }

    #[test]
    fn refused_credentials_are_a_reason_for_an_open_threshold() {
        let mut refused = run(&[(ThresholdVerdict::Inconclusive, Some("default"))]);
        refused.thresholds[0].threshold = "failed<=1%".parse().unwrap();
        let key = SeriesKey::new("GET", "configmaps", Scope::Resource, DurationKind::Latency, "");
        refused.series.push(Series::new(key));
        refused.series[0].record(1_000);
        refused.series[0].fail(ErrorClass::Status(401));
        let expected = "1 default threshold inconclusive, the server refused the credentials";
        assert_verdict(&refused, ThresholdVerdict::Inconclusive, expected);
        refused.thresholds = run(&[(ThresholdVerdict::Met, None)]).thresholds;
        assert_verdict(&refused, ThresholdVerdict::Met, "1 threshold met");
    }

    #[test]
    fn an_unreliable_run_is_inconclusive() {
        let mut busy = run(&[(ThresholdVerdict::Met, None)]);
        busy.warnings.push(crate::load::Warning::new("generator-cpu", "it was the bottleneck").grave());
        let expected = "1 threshold met, the run is unreliable: the generator was the bottleneck";
        assert_verdict(&busy, ThresholdVerdict::Inconclusive, expected);
        // A busy generator does not change how much arrived.
        busy.thresholds = run(&[(ThresholdVerdict::Met, Some("default"))]).thresholds;
        assert_eq!(busy.verdict(), ThresholdVerdict::NotJudged);
    }

    #[test]
    fn a_run_without_a_start_is_inconclusive_unless_something_failed() {
        let idle = |verdict, preset| {
            let starts = Some(Starts { planned: 100, dropped: 100, ..Starts::default() });
            LoadRun { starts, ..run(&[(verdict, preset)]) }
        };
        let met = idle(ThresholdVerdict::Met, Some("default"));
        assert_verdict(&met, ThresholdVerdict::Inconclusive, "no planned request started");
        let met = idle(ThresholdVerdict::Met, None);
        let expected = "1 threshold met, no planned request started";
        assert_verdict(&met, ThresholdVerdict::Inconclusive, expected);
        let missed = idle(ThresholdVerdict::Missed, None);
        let expected = "1 threshold missed, no planned request started";
        assert_verdict(&missed, ThresholdVerdict::Missed, expected);
    }

    #[test]
    fn a_misread_event_makes_a_run_inconclusive() {
        let mut run = run(&[]);
        run.generator.misread = 1;
        let expected = "the run is unreliable: the generator misread events";
        assert_verdict(&run, ThresholdVerdict::Inconclusive, expected);
    }
}
