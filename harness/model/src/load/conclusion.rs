//! The conclusion of a load run: its verdict, which decides the exit code, and the reason.

use super::run::LoadRun;
use super::threshold::ThresholdVerdict;

impl LoadRun {
    /// Missed if a threshold was missed or a requirement broken, inconclusive if the run decides nothing, met if a
    /// threshold was met, else not judged.
    pub fn verdict(&self) -> ThresholdVerdict {
        let (missed, unknown) = (self.count(ThresholdVerdict::Missed), self.unknown());
        match () {
            () if missed > 0 || !self.breaches.is_empty() => ThresholdVerdict::Missed,
            () if unknown > 0 || self.partial.is_some() || !self.leftovers.is_empty() => {
                ThresholdVerdict::Inconclusive
            }
            () if self.is_hopeless() => ThresholdVerdict::Inconclusive,
            // Without any load every threshold holds.
            () if !self.thresholds.is_empty() && self.is_unreliable() => ThresholdVerdict::Inconclusive,
            () if self.count(ThresholdVerdict::Met) > 0 => ThresholdVerdict::Met,
            () => ThresholdVerdict::NotJudged,
        }
    }

    /// The verdict as a sentence.
    pub fn because(&self) -> String {
        let met = self.count(ThresholdVerdict::Met);
        let reasons = [
            (self.count(ThresholdVerdict::Missed), "threshold missed", "thresholds missed"),
            (self.breaches.len(), "requirement broken", "requirements broken"),
            (self.unknown(), "threshold inconclusive", "thresholds inconclusive"),
            (usize::from(self.partial.is_some()), "the run is partial", ""),
            (self.leftovers.len(), "object left on the server", "objects left on the server"),
            (met, "threshold met", "thresholds met"),
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
        }
        if self.is_unreliable() {
            parts.push("the run is unreliable: the generator was the bottleneck".to_owned());
        }
        match (parts.is_empty(), self.thresholds.is_empty()) {
            (true, true) => "measured, and not judged: no threshold was given".to_owned(),
            (true, false) => "measured, and not judged: no threshold applies to a measured series".to_owned(),
            (false, _) => parts.join(", "),
        }
    }

    fn count(&self, verdict: ThresholdVerdict) -> usize {
        self.thresholds.iter().filter(|judged| judged.verdict == verdict).count()
    }

    /// Presets cover more than a workload measures; a threshold that the user names must apply to the run.
    fn unknown(&self) -> usize {
        let unmeasured = self
            .thresholds
            .iter()
            .filter(|judged| judged.preset.is_none() && judged.verdict == ThresholdVerdict::NotJudged);
        self.count(ThresholdVerdict::Inconclusive) + unmeasured.count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{Breach, ErrorClass, Judged, Kind, Scope, Series, SeriesKey, Workload};
    use crate::target_info::TargetInfo;

    const NO_THRESHOLD: &str = "measured, and not judged: no threshold was given";

    fn run(verdicts: &[(ThresholdVerdict, Option<&str>)]) -> LoadRun {
        let at = jiff::Timestamp::UNIX_EPOCH;
        let mut run = LoadRun::new("kube-assay 0", "r", Workload::default(), TargetInfo::default(), at);
        run.thresholds = verdicts
            .iter()
            .map(|(verdict, preset)| Judged {
                threshold: "p99<1s".parse().unwrap(),
                preset: preset.map(str::to_owned),
                verdict: *verdict,
                observed: None,
                about: None,
            })
            .collect();
        run
    }

    #[track_caller]
    fn assert_verdict(run: &LoadRun, verdict: ThresholdVerdict, because: &str) {
        assert_eq!((run.verdict(), run.because().as_str()), (verdict, because));
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
    fn a_preset_without_a_measured_series_is_not_judged() {
        let preset = run(&[(ThresholdVerdict::NotJudged, Some("cl2"))]);
        let unmeasured = "measured, and not judged: no threshold applies to a measured series";
        assert_verdict(&preset, ThresholdVerdict::NotJudged, unmeasured);
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
            Series::new(SeriesKey::new("APPLY", "configmaps", Scope::Resource, Kind::Latency, ""));
        refused.fail(ErrorClass::Status(415));
        run.series.push(refused.clone());
        assert_verdict(&run, ThresholdVerdict::Inconclusive, "every attempt failed");
        refused.count += 1;
        run.series.push(refused);
        assert_verdict(&run, ThresholdVerdict::NotJudged, NO_THRESHOLD);
    }

    #[test]
    fn an_unreliable_run_is_inconclusive() {
        let mut run = run(&[(ThresholdVerdict::Met, None)]);
        run.generator.misread = 1;
        assert_eq!(run.verdict(), ThresholdVerdict::Inconclusive);
        assert!(run.because().contains("unreliable"));
    }
}
