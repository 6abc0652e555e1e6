//! Clauses, and the catalogue that holds them.
//!
//! A clause is one testable requirement. The catalogue has all its facts; a scenario names its clause only.

use std::collections::HashSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::version::Version;

/// The stable name of a clause, such as `rv-list-exact-nolimit-nonzero`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClauseId(String);

impl ClauseId {
    /// The id as written in the catalogue.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for ClauseId {
    fn from(id: &str) -> Self {
        Self(id.to_owned())
    }
}

impl fmt::Display for ClauseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// How strongly the text binds the server (RFC 2119).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// A failure fails the run.
    Must,
    /// A failure is a warning.
    Should,
    /// A failure means that the server does not support it.
    May,
}

impl Level {
    /// All levels, strongest first.
    pub const ALL: [Self; 3] = [Self::Must, Self::Should, Self::May];

    /// Whether a failure of this level fails a run; in a strict run `should` does too.
    pub fn binds(self, strict: bool) -> bool {
        self == Self::Must || (strict && self == Self::Should)
    }

    /// The word as users write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
            Self::May => "may",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One requirement of the published API, in words of our own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Clause {
    /// Stable for ever; prefixed by a short form of its area.
    pub id: ClauseId,
    /// The area; filled in from the clause file.
    #[serde(default)]
    pub area: String,
    /// How strongly it binds the server.
    pub level: Level,
    /// The required behaviour.
    pub statement: String,
    /// The URL of the published requirement.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub upstream: String,
    /// The first Kubernetes minor with this behaviour; absent if every minor has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Version>,
    /// The optional feature it belongs to; empty for the core.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub feature: String,
    /// The resources that it applies to: `any`, `core`, `custom-resource`, `health`, …
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// Whether the basic profile has it: clients of a partial server or a mock rely on it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub basic: bool,
    /// How a client observes it over the API; empty if no client can.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub observe: String,
    /// One fault that a scenario for this clause must catch.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fault: String,
    /// Whether a real kube-apiserver keeps it, such as `1.36: holds`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub verified: String,
    /// The behaviour of that server.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub saw: String,
    /// Pitfalls of testing it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Older minors whose kube-apiserver behaves otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differs_on: Vec<Version>,
    /// Raised when the scenarios of the clause begin to refuse what they accepted: a requirement set names it.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub revision: u32,
}

/// The first revision of a clause's scenarios.
fn first() -> u32 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_first(revision: &u32) -> bool {
    *revision == first()
}

impl Clause {
    /// Whether a client can observe the clause over the API.
    pub fn observable(&self) -> bool {
        !self.observe.is_empty()
    }

    /// The behaviour of the released kube-apiserver, if it is known to deviate from the text.
    pub fn deviation(&self) -> Option<&str> {
        self.verified.ends_with("differs").then_some(self.saw.as_str())
    }
}

/// The clauses of one topic, read from one file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// The name of the area, its file and its suite.
    #[serde(rename = "area")]
    pub name: String,
    /// Declared complete: a test requires a scenario for every observable clause.
    #[serde(default)]
    pub complete: bool,
    /// In the text's order.
    #[serde(rename = "clause")]
    pub clauses: Vec<Clause>,
}

/// All areas.
#[derive(Debug, Clone)]
pub struct Catalogue {
    areas: Vec<Area>,
}

/// Why a catalogue is invalid.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CatalogueError {
    /// Two clauses share an id.
    #[error("duplicate clause {0} in the catalogue")]
    Duplicate(ClauseId),
}

impl Catalogue {
    /// Joins the areas and sets the area of every clause.
    pub fn new(mut areas: Vec<Area>) -> Result<Self, CatalogueError> {
        let mut seen = HashSet::new();
        for area in &mut areas {
            for clause in &mut area.clauses {
                clause.area.clone_from(&area.name);
                if !seen.insert(clause.id.clone()) {
                    return Err(CatalogueError::Duplicate(clause.id.clone()));
                }
            }
        }
        Ok(Self { areas })
    }

    /// The areas, in the order given.
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }

    /// Every clause, area by area.
    pub fn clauses(&self) -> impl Iterator<Item = &Clause> {
        self.areas.iter().flat_map(|area| &area.clauses)
    }

    /// The clause with this id.
    pub fn get(&self, id: &str) -> Option<&Clause> {
        self.clauses().find(|clause| clause.id.as_str() == id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clause(id: &str) -> Clause {
        serde_json::from_value(serde_json::json!({ "id": id, "level": "must", "statement": "s" })).unwrap()
    }

    fn area(name: &str, clauses: Vec<Clause>) -> Area {
        Area { name: name.to_owned(), complete: false, clauses }
    }

    #[test]
    fn a_catalogue_sets_the_area_of_its_clauses() {
        let catalogue = Catalogue::new(vec![area("gone", vec![clause("gone-a")])]).unwrap();
        assert_eq!(catalogue.get("gone-a").unwrap().area, "gone");
    }

    #[test]
    fn a_duplicate_id_is_an_error() {
        let areas = vec![area("a", vec![clause("x")]), area("b", vec![clause("x")])];
        assert_eq!(Catalogue::new(areas).unwrap_err(), CatalogueError::Duplicate("x".into()));
    }

    #[test]
    fn only_a_differing_server_deviates() {
        let mut differs = clause("a");
        differs.saw = "404".to_owned();
        assert_eq!(differs.deviation(), None);
        differs.verified = "1.36: differs".to_owned();
        assert_eq!(differs.deviation(), Some("404"));
    }
}
