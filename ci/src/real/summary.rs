//! The verdict counts in kube-assay's `summary.json`.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// The verdicts, in the order in which they are shown.
pub(crate) const VERDICTS: [&str; 5] = ["passed", "failed", "warning", "inconclusive", "skipped"];

/// How many clauses got each verdict, as far as is known.
pub(crate) type Counts = [Option<u64>; VERDICTS.len()];

/// Reads what a run's report says.
pub(crate) fn read(report: &Path) -> Counts {
    let text = fs::read_to_string(report.join("summary.json")).unwrap_or_default();
    let summary = serde_json::from_str(&text).unwrap_or(Value::Null);
    VERDICTS.map(|verdict| count(&summary, verdict))
}

/// The outermost number (or list) of that name. Where in the report it stands is the report's business.
fn count(summary: &Value, verdict: &str) -> Option<u64> {
    let object = summary.as_object()?;
    let here = object.iter().find(|(key, _)| key.eq_ignore_ascii_case(verdict));
    let here = here.and_then(|(_, value)| value.as_u64().or(value.as_array().map(|list| list.len() as u64)));
    here.or_else(|| object.values().find_map(|value| count(value, verdict)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_found_wherever_the_report_has_them() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let text = r#"{"run": {"seconds": 3}, "verdicts": {"passed": 7, "failed": ["a", "b"]}}"#;
        fs::write(folder.path().join("summary.json"), text).expect("written");

        assert_eq!(read(folder.path()), [Some(7), Some(2), None, None, None]);
    }

    #[test]
    fn a_report_that_is_not_there_has_no_counts() {
        assert_eq!(read(Path::new("no-such-folder")), [None; VERDICTS.len()]);
    }
}
