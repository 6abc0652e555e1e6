//! Bounds the evidence of a run: reports hold all of it in memory.

use std::sync::Arc;

use model::{EventKind, ScenarioFinished, Transcript, shorten, shorten_numbers};

/// The evidence of a run with all exchanges of each scenario, in bytes. Thereafter only decisive exchanges are kept.
const WHOLE: usize = 16 << 20;

/// The evidence of a run, in bytes. Thereafter no exchange is kept.
const LARGEST: usize = 24 << 20;

/// The length of any other text of a scenario, in bytes.
const LONGEST_TEXT: usize = 16 << 10;

/// The maximum number of notes of a scenario.
const MOST_NOTES: usize = 50;

/// The evidence so far.
#[derive(Debug, Default)]
pub(super) struct EvidenceBudget {
    size: usize,
}

impl EvidenceBudget {
    /// Shortens the texts and the evidence of an event, and says so in a note.
    pub(super) fn shorten(&mut self, kind: &mut EventKind) {
        kind.for_each_text(|text| {
            shorten_numbers(text);
            shorten(text, LONGEST_TEXT);
        });
        let EventKind::ScenarioFinished(finished) = kind else { return };
        let finished = Arc::make_mut(finished);
        let notes = finished.notes.len();
        if notes > MOST_NOTES {
            finished.notes.truncate(MOST_NOTES);
            finished.notes.push(format!("{} further notes are left out", notes - MOST_NOTES));
        }
        let left_out = self.leave_out(finished);
        if left_out > 0 {
            let limit = if finished.evidence.is_empty() { LARGEST } else { WHOLE };
            finished.notes.push(format!(
                "{left_out} exchanges of the evidence are left out: the run has more than {} MB of evidence",
                limit >> 20
            ));
        }
    }

    /// The number of exchanges that it leaves out.
    fn leave_out(&mut self, finished: &mut ScenarioFinished) -> usize {
        let all = finished.evidence.len();
        let size = |evidence: &[Transcript]| evidence.iter().map(size_of_transcript).sum::<usize>();
        if self.size + size(&finished.evidence) > WHOLE {
            finished.evidence.drain(..all.saturating_sub(1));
        }
        if self.size + size(&finished.evidence) > LARGEST {
            finished.evidence.clear();
        }
        self.size += size(&finished.evidence);
        all - finished.evidence.len()
    }
}

fn size_of_transcript(transcript: &Transcript) -> usize {
    transcript.curl.len() + transcript.request.len() + transcript.response.len()
}

#[cfg(test)]
mod tests {
    use model::{Outcome, ScenarioId, TestError};

    use super::*;

    fn finished(exchanges: usize) -> EventKind {
        let transcript = Transcript {
            curl: "curl".to_owned(),
            request: String::new(),
            response: "x".repeat(10_000),
            elapsed_ms: 0,
        };
        let outcome = Outcome::Errored { test_error: TestError::new("read a list", "y".repeat(100_000)) };
        let mut finished =
            ScenarioFinished::new(ScenarioId::of_invariant(&"a".into()), vec!["a".into()], outcome);
        finished.evidence = vec![transcript; exchanges];
        EventKind::ScenarioFinished(Arc::new(finished))
    }

    fn shortened(budget: &mut EvidenceBudget, exchanges: usize) -> ScenarioFinished {
        let mut kind = finished(exchanges);
        budget.shorten(&mut kind);
        match kind {
            EventKind::ScenarioFinished(finished) => Arc::unwrap_or_clone(finished),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_run_keeps_bounded_evidence_and_says_what_it_leaves_out() {
        let mut budget = EvidenceBudget::default();
        let first = shortened(&mut budget, 5);
        assert_eq!((first.evidence.len(), first.notes.len()), (5, 0));
        let kept: Vec<usize> = (0..2_000).map(|_| shortened(&mut budget, 5).evidence.len()).collect();
        assert!(kept.is_sorted_by(|earlier, later| earlier >= later), "{kept:?}");
        assert!(kept.contains(&1) && budget.size <= LARGEST);
        let last = shortened(&mut budget, 5);
        assert!(last.evidence.is_empty());
        assert_eq!(
            last.notes,
            ["5 exchanges of the evidence are left out: the run has more than 24 MB of evidence"]
        );
    }

    #[test]
    fn a_scenario_has_a_bounded_number_of_notes() {
        let mut kind = finished(0);
        let EventKind::ScenarioFinished(finished) = &mut kind else { panic!("{kind:?}") };
        Arc::make_mut(finished).notes = (0..MOST_NOTES + 7).map(|number| format!("note {number}")).collect();
        EvidenceBudget::default().shorten(&mut kind);
        let EventKind::ScenarioFinished(finished) = kind else { panic!("{kind:?}") };
        assert_eq!(finished.notes.len(), MOST_NOTES + 1);
        assert_eq!(finished.notes[MOST_NOTES], "7 further notes are left out");
    }

    #[test]
    fn a_number_without_end_fills_no_report() {
        let mut kind = finished(1);
        let EventKind::ScenarioFinished(finished) = &mut kind else { panic!("{kind:?}") };
        Arc::make_mut(finished).evidence[0].request =
            format!("GET /?resourceVersion={}", "3".repeat(300_000));
        EvidenceBudget::default().shorten(&mut kind);
        let EventKind::ScenarioFinished(finished) = kind else { panic!("{kind:?}") };
        let request = &finished.evidence[0].request;
        assert!(request.ends_with("3… (300000 digits in all)") && request.len() < 200, "{request}");
    }

    #[test]
    fn a_long_text_is_shortened() {
        let Outcome::Errored { test_error } = shortened(&mut EvidenceBudget::default(), 0).outcome else {
            panic!("no test error")
        };
        assert!(test_error.cause.ends_with("y… (100000 bytes in all)"), "{}", test_error.cause);
        assert!(test_error.cause.len() < LONGEST_TEXT + 40);
    }
}
