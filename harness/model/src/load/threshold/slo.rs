//! Service level objectives: named sets of thresholds. Presets are embedded, and users write files of the same form.

use serde::Deserialize;

use super::expression::Threshold;
use super::judge::judge;
use super::metric::Metric;
use super::threshold_result::ThresholdResult;
use crate::load::run::LoadRun;
use crate::toml_text::parse_toml;

/// A named set of thresholds: a preset, or a file of the user's.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Slo {
    /// Its name in reports; that of a preset also on the command line.
    pub name: String,
    /// The document or project that defines it.
    #[serde(default)]
    pub source: String,
    /// Advice for reading its verdicts.
    #[serde(default)]
    pub note: String,
    /// Whether a run without a value for one of the thresholds is inconclusive. Presets cover more than a workload measures.
    #[serde(default = "yes")]
    pub required: bool,
    /// The thresholds.
    #[serde(rename = "threshold")]
    pub rows: Vec<SloRow>,
}

/// A threshold of a set.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SloRow {
    /// As `--threshold` has it.
    pub rule: Threshold,
}

/// The text is not a set of thresholds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAnSlo {
    /// The form is wrong; line and cause.
    #[error("{0}")]
    Malformed(String),
    /// Nothing would be judged, or no report could name it.
    #[error("{0} is empty; hint: write at least a name and one [[threshold]] with a rule")]
    Empty(&'static str),
    /// Reports could not tell it from a preset.
    #[error("the name {0:?} is that of a preset; hint: choose another name")]
    NameOfPreset(String),
}

/// The name of [`Slo::default_thresholds`].
pub const DEFAULT_SLO: &str = "default";

const DEFAULT: &str = include_str!("../../../slo/default.toml");

const PRESETS: [&str; 3] = [
    include_str!("../../../slo/k8s-official.toml"),
    include_str!("../../../slo/cl2.toml"),
    include_str!("../../../slo/watch.toml"),
];

impl Slo {
    /// Every preset that a user can name.
    pub fn presets() -> impl Iterator<Item = Self> {
        PRESETS.into_iter().filter_map(|text| parse(text).ok())
    }

    /// The preset with this name.
    pub fn preset(name: &str) -> Option<Self> {
        Self::presets().find(|preset| preset.name == name)
    }

    /// The default thresholds: without them nothing else that was measured counts. A given one takes the place of a
    /// default one for the same measure.
    pub fn default_thresholds(given: &[Threshold]) -> Option<Self> {
        let mut default = parse(DEFAULT).ok()?;
        default.rows.retain(|own| !given.iter().any(|given| replaces(given, &own.rule)));
        Some(default)
    }

    /// Parses the text of a user's file.
    pub fn read(text: &str) -> Result<Self, NotAnSlo> {
        let slo = parse(text)?;
        if slo.name == DEFAULT_SLO || Self::preset(&slo.name).is_some() {
            return Err(NotAnSlo::NameOfPreset(slo.name));
        }
        Ok(slo)
    }

    /// Its thresholds.
    pub fn thresholds(&self) -> impl Iterator<Item = &Threshold> {
        self.rows.iter().map(|row| &row.rule)
    }

    /// Judges a run.
    pub fn judge(&self, run: &LoadRun) -> Vec<ThresholdResult> {
        let thresholds: Vec<Threshold> = self.thresholds().cloned().collect();
        let own =
            |judged| ThresholdResult { preset: Some(self.name.clone()), required: self.required, ..judged };
        judge(&thresholds, run).into_iter().map(own).collect()
    }
}

fn parse(text: &str) -> Result<Slo, NotAnSlo> {
    let slo: Slo = parse_toml(text).map_err(NotAnSlo::Malformed)?;
    match () {
        () if slo.name.trim().is_empty() => Err(NotAnSlo::Empty("the name")),
        () if slo.rows.is_empty() => Err(NotAnSlo::Empty("the list of thresholds")),
        () => Ok(slo),
    }
}

/// A limit for every series is one for all of them together.
fn replaces(given: &Threshold, own: &Threshold) -> bool {
    let of_all = given.metric == Metric::Errors && own.metric == Metric::Failed;
    given.selector == own.selector && (given.metric == own.metric || of_all)
}

fn yes() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_read_and_found_by_its_name() {
        let presets: Vec<Slo> = PRESETS.iter().map(|text| parse(text).unwrap()).collect();
        let names: Vec<&str> = presets.iter().map(|preset| preset.name.as_str()).collect();
        assert_eq!(names, ["k8s-official", "cl2", "watch"]);
        for preset in &presets {
            assert_eq!(Slo::preset(&preset.name).as_ref(), Some(preset));
            assert!(!preset.required && !preset.source.is_empty() && !preset.note.is_empty());
        }
        assert_eq!((Slo::preset("k8s"), Slo::preset("default")), (None, None));
    }

    #[test]
    fn a_threshold_of_the_user_takes_the_place_of_a_default_one() {
        let besides = |given: &str| -> Vec<String> {
            let default = Slo::default_thresholds(&[given.parse().unwrap()]).unwrap();
            default.thresholds().map(ToString::to_string).collect()
        };
        let (failed, delivered) = ("failed<=1%", "delivered>=99.9%");
        assert_eq!(besides("p99<1s"), [failed, delivered]);
        assert_eq!(besides("failed<=50%"), [delivered]);
        assert_eq!(besides("errors<50%"), [delivered]);
        assert_eq!(besides("errors<50% for GET"), [failed, delivered], "it is not about all");
        assert_eq!(besides("delivered>=10%"), [failed]);
    }

    #[test]
    fn an_error_in_a_file_has_its_line_and_what_to_write() {
        let row = |rule: &str| {
            format!("name = \"own\"\n[[threshold]]\nrule = \"p99<1s\"\n[[threshold]]\nrule = \"{rule}\"\n")
        };
        assert_eq!(Slo::read(&row("lost=0")).unwrap().thresholds().count(), 2);
        for (text, error) in [
            (row("p99<500"), "line 5: \"p99<500\" is not a threshold: 500 has no unit: write 'p99<500ms'"),
            (row("p99<1s").replace("rule", "rules"), "line 3: unknown field `rules`, expected `rule`"),
            (
                row("p99<1s").replacen("name", "nmae", 1),
                "line 1: unknown field `nmae`, expected one of `name`",
            ),
            ("[[threshold]]\nrule = \"lost=0\"\n".to_owned(), "missing field `name`"),
            ("name = \"own\"".to_owned(), "missing field `threshold`"),
            ("name = \"own\"\nthreshold = []".to_owned(), "the list of thresholds is empty; hint"),
            (row("lost=0").replace("own", " "), "the name is empty; hint"),
            (row("lost=0").replace("own", "watch"), "is that of a preset; hint"),
            (row("lost=0").replace("own", "default"), "is that of a preset; hint"),
            ("name = ".to_owned(), "line 1: "),
        ] {
            let found = Slo::read(&text).unwrap_err().to_string();
            assert!(found.contains(error), "{text}\n{found}");
        }
    }
}
