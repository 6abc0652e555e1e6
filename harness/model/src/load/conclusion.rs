//! The conclusion of a load run: its verdict, which decides the exit code, and the reason.

use super::run::LoadRun;
use super::threshold::ThresholdVerdict;

impl LoadRun {
    /// Missed if a threshold was missed or a rule broken, inconclusive if nobody can tell, met if a
    /// threshold was met, else not judged: nothing was judged.
    pub fn verdict(&self) -> ThresholdVerdict {
        let (missed, unknown) = (self.count(ThresholdVerdict::Missed), self.unknown());
        match () {
            () if missed > 0 || !self.breaches.is_empty() => ThresholdVerdict::Missed,
            () if unknown > 0 || self.partial.is_some() || !self.leftovers.is_empty() => {
                ThresholdVerdict::Inconclusive
            }
            () if self.is_hopeless() => ThresholdVerdict::Inconclusive,
            // A load that was never there keeps every threshold.
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
            (self.breaches.len(), "rule broken", "rules broken"),
            (self.unknown(), "threshold inconclusive", "thresholds inconclusive"),
            (usize::from(self.partial.is_some()), "the run is partial", ""),
            (self.leftovers.len(), "object left on the server", "objects left on the server"),
            (met, "threshold met", "thresholds met"),
        ];
        let mut said: Vec<String> = reasons
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, many)| match (count, many) {
                (_, "") => one.to_owned(),
                (1, _) => format!("1 {one}"),
                _ => format!("{count} {many}"),
            })
            .collect();
        if self.is_hopeless() {
            said.push("every attempt failed".to_owned());
        }
        if self.is_unreliable() {
            said.push("the run is unreliable: the generator was the bottleneck".to_owned());
        }
        match (said.is_empty(), self.thresholds.is_empty()) {
            (true, true) => "measured, and not judged: no threshold was given".to_owned(),
            (true, false) => {
                "measured, and not judged: no threshold is about anything that was measured".to_owned()
            }
            (false, _) => said.join(", "),
        }
    }

    fn count(&self, verdict: ThresholdVerdict) -> usize {
        self.thresholds.iter().filter(|judged| judged.verdict == verdict).count()
    }

    /// A preset is about more than any workload measures; what a user asks for by name has to be there.
    fn unknown(&self) -> usize {
        let asked_in_vain = self
            .thresholds
            .iter()
            .filter(|judged| judged.preset.is_none() && judged.verdict == ThresholdVerdict::NotJudged);
        self.count(ThresholdVerdict::Inconclusive) + asked_in_vain.count()
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
    fn came(run: &LoadRun, verdict: ThresholdVerdict, because: &str) {
        assert_eq!((run.verdict(), run.because().as_str()), (verdict, because));
    }

    #[test]
    fn the_gravest_reason_decides_and_all_are_told() {
        came(&run(&[]), ThresholdVerdict::NotJudged, NO_THRESHOLD);
        let both = run(&[(ThresholdVerdict::Missed, None), (ThresholdVerdict::Inconclusive, None)]);
        came(&both, ThresholdVerdict::Missed, "1 threshold missed, 1 threshold inconclusive");
        let partial =
            LoadRun { partial: Some("interrupted".to_owned()), ..run(&[(ThresholdVerdict::Met, None)]) };
        came(&partial, ThresholdVerdict::Inconclusive, "the run is partial, 1 threshold met");
    }

    #[test]
    fn what_a_preset_does_not_find_is_no_matter() {
        let preset = run(&[(ThresholdVerdict::NotJudged, Some("cl2"))]);
        let said = "measured, and not judged: no threshold is about anything that was measured";
        came(&preset, ThresholdVerdict::NotJudged, said);
        came(
            &run(&[(ThresholdVerdict::NotJudged, Some("cl2")), (ThresholdVerdict::Met, None)]),
            ThresholdVerdict::Met,
            "1 threshold met",
        );
        came(
            &run(&[(ThresholdVerdict::NotJudged, None)]),
            ThresholdVerdict::Inconclusive,
            "1 threshold inconclusive",
        );
    }

    #[test]
    fn a_broken_rule_fails_a_run_that_keeps_its_thresholds() {
        let mut run = run(&[(ThresholdVerdict::Met, None)]);
        run.breaches.push(Breach {
            rule: "lost".to_owned(),
            count: 2,
            expected: String::new(),
            actual: String::new(),
            evidence: Vec::new(),
        });
        came(&run, ThresholdVerdict::Missed, "1 rule broken, 1 threshold met");
    }

    #[test]
    fn a_run_in_which_nothing_succeeded_has_met_nothing() {
        let mut run = run(&[]);
        let mut refused =
            Series::new(SeriesKey::new("APPLY", "configmaps", Scope::Resource, Kind::Latency, ""));
        refused.fail(ErrorClass::Status(415));
        run.series.push(refused.clone());
        came(&run, ThresholdVerdict::Inconclusive, "every attempt failed");
        refused.count += 1;
        run.series.push(refused);
        came(&run, ThresholdVerdict::NotJudged, NO_THRESHOLD);
    }

    #[test]
    fn an_unreliable_run_has_met_nothing() {
        let mut run = run(&[(ThresholdVerdict::Met, None)]);
        run.generator.misread = 1;
        assert_eq!(run.verdict(), ThresholdVerdict::Inconclusive);
        assert!(run.because().contains("unreliable"));
    }
}
