//! What makes a number less than it seems: printed beside it, in every report.

use serde::{Deserialize, Serialize};

use super::key::SeriesKey;

/// A reason not to trust a number, or a whole run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// In one word: `generator-cpu`, `pace`, `few-samples`.
    pub name: String,
    /// In one sentence, with numbers.
    pub says: String,
    /// The series that it is about; none for the run as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<SeriesKey>,
    /// Whether the generator was what was measured: then the run says nothing about the server.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub grave: bool,
}

impl Warning {
    /// About the whole run.
    pub fn new(name: &str, says: impl Into<String>) -> Self {
        Self { name: name.to_owned(), says: says.into(), about: Vec::new(), grave: false }
    }

    /// About these series only.
    pub fn about(mut self, series: impl IntoIterator<Item = SeriesKey>) -> Self {
        self.about.extend(series);
        self
    }

    /// One that makes the run worthless as a measurement.
    pub fn grave(mut self) -> Self {
        self.grave = true;
        self
    }
}
