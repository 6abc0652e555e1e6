//! `--slo`: a set of thresholds, by the name of a preset or from a file.

use harness::load::Slo;

use crate::toml_file::toml_text;

/// The preset with this name, or the set in this file.
pub(crate) fn slo(name: &str) -> Result<Slo, String> {
    if let Some(preset) = Slo::preset(name) {
        return Ok(preset);
    }
    let text = toml_text(name, "SLO", Slo::presets().map(|preset| preset.name))?;
    Slo::read(&text).map_err(|why| format!("failed to read the SLO in {name}: {why}"))
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
