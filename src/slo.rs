//! `--slo`: a set of thresholds, by the name of a preset or from a file; and thresholds that no run can have a value for.

use std::collections::BTreeSet;

use harness::load::{SeriesKey, Slo, Threshold};
use loadgen::workload::Workload;

use crate::toml_file::toml_text;

/// The preset with this name, or the set in this file.
pub(crate) fn slo(name: &str) -> Result<Slo, String> {
    if let Some(preset) = Slo::preset(name) {
        return Ok(preset);
    }
    let text = toml_text(name, "SLO", Slo::presets().map(|preset| preset.name))?;
    Slo::read(&text).map_err(|why| format!("failed to read the SLO in {name}: {why}"))
}

/// Rejects a threshold for series that the workload does not measure. An empty resource is not known yet.
pub(crate) fn check_selectors<'a>(
    mut thresholds: impl Iterator<Item = &'a Threshold>,
    workload: &Workload,
    resource: &str,
) -> Result<(), String> {
    let measured = workload.latencies(resource);
    let is_without_value = |threshold: &&Threshold| {
        let mut selector = threshold.selector.clone();
        selector.resource.take_if(|_| resource.is_empty());
        !measured.iter().any(|key| selector.matches(key))
    };
    let Some(threshold) = thresholds.find(is_without_value) else { return Ok(()) };
    let names: BTreeSet<String> = measured.iter().map(name).collect();
    let names = names.into_iter().collect::<Vec<_>>().join(", ");
    let workload = &workload.name;
    Err(format!(
        "the workload {workload} has no value for the threshold {threshold}; hint: it measures {names}"
    ))
}

/// A series as a threshold selects it.
fn name(key: &SeriesKey) -> String {
    let words = [key.verb.as_str(), &key.resource, key.scope.word(), &key.variant];
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const EXAMPLE: &str = include_str!("../docs/slo.toml");

    fn is_valid(text: &str) -> bool {
        let schema: Value = serde_json::from_str(include_str!("../reports/schema/slo.json")).unwrap();
        let document: Value = toml::from_str(text).unwrap();
        jsonschema::validator_for(&schema).unwrap().is_valid(&document)
    }

    #[test]
    fn a_threshold_for_another_resource_than_that_of_the_workload_is_refused() {
        let workload = Workload::named("watch-fanout").unwrap();
        let checked = |rule: &str, resource: &str| {
            let threshold: Threshold = rule.parse().unwrap();
            check_selectors(std::iter::once(&threshold), &workload, resource)
        };
        for rule in ["lost=0", "p99<1s", "p99<1s for WATCH configmaps", "p99<1s for PATCH"] {
            assert_eq!(checked(rule, "configmaps"), Ok(()), "{rule}");
        }
        assert_eq!(checked("p99<1s for WATCH pods", ""), Ok(()));
        for rule in ["p99<1s for WATCH pods", "p99<1s for GET", "p99<1s for WATCH configmaps cluster"] {
            let refused = checked(rule, "configmaps").unwrap_err();
            assert!(refused.contains(rule) && refused.contains("WATCH configmaps namespace"), "{refused}");
        }
    }

    #[test]
    fn the_example_in_the_docs_and_every_preset_match_the_schema() {
        assert_eq!(Slo::read(EXAMPLE).unwrap().thresholds().count(), 7);
        for text in [
            EXAMPLE,
            include_str!("../harness/model/slo/default.toml"),
            include_str!("../harness/model/slo/k8s-official.toml"),
            include_str!("../harness/model/slo/cl2.toml"),
            include_str!("../harness/model/slo/watch.toml"),
        ] {
            assert!(is_valid(text), "{text}");
        }
    }

    #[test]
    fn the_schema_and_the_reader_refuse_the_same() {
        for wrong in [
            EXAMPLE.replacen("name = \"team\"", "name = \" \"", 1),
            EXAMPLE.replacen("name =", "title =", 1),
            EXAMPLE.replacen("rule =", "limit =", 1),
            EXAMPLE.replacen("note = ", "required = ", 1),
            "name = \"own\"\nthreshold = []".to_owned(),
        ] {
            assert!(!is_valid(&wrong) && Slo::read(&wrong).is_err(), "{wrong}");
        }
    }
}
