//! `--slo`: a set of thresholds, by the name of a preset or from a file.

use std::path::Path;

use harness::load::Slo;
use harness::read_input_text;

/// The preset with this name, or the set in this file.
pub(crate) fn slo(name: &str) -> Result<Slo, String> {
    if let Some(preset) = Slo::preset(name) {
        return Ok(preset);
    }
    if Path::new(name).extension().is_none_or(|extension| extension != "toml") {
        let known: Vec<String> = Slo::presets().map(|preset| preset.name).collect();
        return Err(format!(
            "there is no SLO {name:?}; hint: give one of {}, or a .toml file",
            known.join(", ")
        ));
    }
    let text = read_input_text(Path::new(name)).map_err(|why| format!("failed to read {name}: {why}"))?;
    Slo::read(&text).map_err(|why| format!("failed to read the SLO in {name}: {why}"))
}
