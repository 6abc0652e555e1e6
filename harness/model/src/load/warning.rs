//! Warnings: what makes a number less certain. Every report has them.

use serde::{Deserialize, Serialize};

use super::key::SeriesKey;

/// A reason not to trust a number, or a whole run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// One word: `generator-cpu`, `pace`, `few-samples`.
    pub name: String,
    /// One sentence, with numbers.
    pub says: String,
    /// The affected series; empty for the whole run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<SeriesKey>,
    /// Whether the run measures the generator: then its numbers do not describe the server.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub grave: bool,
}

impl Warning {
    /// A warning about the whole run.
    pub fn new(name: &str, says: impl Into<String>) -> Self {
        Self { name: name.to_owned(), says: says.into(), about: Vec::new(), grave: false }
    }

    /// Restricts it to these series.
    pub fn about(mut self, series: impl IntoIterator<Item = SeriesKey>) -> Self {
        self.about.extend(series);
        self
    }

    /// Marks the whole run as worthless.
    pub fn grave(mut self) -> Self {
        self.grave = true;
        self
    }
}
