//! The verdict counts in kube-assay's `summary.json`.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// The verdicts, in the order of the table.
pub(crate) const VERDICTS: [&str; 5] = ["passed", "failed", "warning", "inconclusive", "skipped"];

/// The number of clauses of each verdict: `None` if unknown.
pub(crate) type Counts = [Option<u64>; VERDICTS.len()];

/// Reads the counts of a run from its report folder.
pub(crate) fn read(report: &Path) -> Counts {
    let text = fs::read_to_string(report.join("summary.json")).unwrap_or_default();
    let summary = serde_json::from_str(&text).unwrap_or(Value::Null);
    VERDICTS.map(|verdict| count(&summary, verdict))
}

/// The outermost number (or length of a list) with that name, anywhere in the report.
fn count(summary: &Value, verdict: &str) -> Option<u64> {
    let object = summary.as_object()?;
    let count_here = object.iter().find(|(key, _)| key.eq_ignore_ascii_case(verdict));
    let count_here =
        count_here.and_then(|(_, value)| value.as_u64().or(value.as_array().map(|list| list.len() as u64)));
    count_here.or_else(|| object.values().find_map(|value| count(value, verdict)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_found_anywhere_in_the_report() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let text = r#"{"run": {"seconds": 3}, "verdicts": {"passed": 7, "failed": ["a", "b"]}}"#;
        fs::write(folder.path().join("summary.json"), text).expect("written");

        assert_eq!(read(folder.path()), [Some(7), Some(2), None, None, None]);
    }

    #[test]
    fn a_missing_report_has_no_counts() {
        assert_eq!(read(Path::new("no-such-folder")), [None; VERDICTS.len()]);
    }
}
