//! The published schemas of our files, `reports/schema/`.

use serde_json::Value;

/// Every way in which a document breaks a schema.
pub(crate) fn violations(schema: &str, document: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let validator = jsonschema::draft202012::options().should_validate_formats(true).build(&schema).unwrap();
    validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

mod conformance {
    use super::*;
    use crate::Format;
    use crate::tests::example::everything;
    use crate::tests::{known_failures, rendered};

    const SUMMARY: &str = include_str!("../../schema/summary.json");
    const EVENTS: &str = include_str!("../../schema/events.json");

    #[test]
    fn a_summary_matches_its_schema() {
        let mut summary: Value = serde_json::from_str(&rendered(Format::Summary, &everything())).unwrap();
        assert_eq!(violations(SUMMARY, &summary), [""; 0]);
        summary["clauses"][0]["verdict"] = "fine".into();
        summary["run"]["unknown"] = 1.into();
        assert_eq!(violations(SUMMARY, &summary).len(), 2);
    }

    #[test]
    fn every_event_matches_its_schema() {
        for event in everything().iter().chain(&known_failures::all()) {
            let event = serde_json::to_value(event).unwrap();
            assert_eq!(violations(EVENTS, &event), [""; 0], "{event}");
        }
        let other = serde_json::json!({ "at": "2026-01-01T00:00:00Z", "event": "scenario_started" });
        assert_eq!(violations(EVENTS, &other).len(), 1);
    }
}
