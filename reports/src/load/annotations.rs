//! Annotations of GitHub Actions about a load run.

use std::io::{self, Write};

use model::load::LoadRun;
use model::load::threshold::ThresholdVerdict;

use crate::annotations::{Annotation, Kind, write_kind};

/// Writes a command for each missed threshold and each broken requirement, or one with the reason why the run decides
/// nothing.
pub fn write_load_annotations(run: &LoadRun, out: &mut dyn Write) -> io::Result<()> {
    write_kind(Kind::Error, annotations(run), out)?;
    out.flush()
}

fn annotations(run: &LoadRun) -> Vec<Annotation> {
    let verdict = run.verdict();
    if verdict == ThresholdVerdict::Inconclusive {
        return vec![("inconclusive".to_owned(), run.reason())];
    }
    let missed = run.thresholds.iter().filter(|judged| judged.verdict == ThresholdVerdict::Missed);
    let missed = missed.map(|judged| {
        let set = judged.preset.as_ref().map_or(String::new(), |preset| format!("{preset}: "));
        (format!("threshold missed: {set}{}", judged.threshold), judged.to_string())
    });
    let broken = run.breaches.iter().map(|breach| {
        let (times, expected, actual) = (breach.count, &breach.expected, &breach.actual);
        let text = format!("expected {expected}, got {actual} ({times} times)");
        (format!("requirement broken: {}", breach.rule), text)
    });
    broken.chain(missed).collect()
}
