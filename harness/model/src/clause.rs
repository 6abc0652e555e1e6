//! The specification as data: clauses, and the catalogue that holds them.
//!
//! A clause is one rule, one testable fact. Everything that is known about it stands here and nowhere else:
//! a scenario names its clause and nothing more.

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

    /// Whether a failure fails a run, which may be strict.
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

/// One rule of the published API, in our own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Clause {
    /// Stable for ever; prefixed by a short form of its area.
    pub id: ClauseId,
    /// The area, filled in from the file it stands in.
    #[serde(default)]
    pub area: String,
    /// How strongly it binds.
    pub level: Level,
    /// What a right server does.
    pub statement: String,
    /// Where the rule is published.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub upstream: String,
    /// The first Kubernetes minor that behaves so; absent if it always did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Version>,
    /// The optional feature it belongs to; empty for the core.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub feature: String,
    /// On what it is asked: `any`, `core`, `custom-resource`, `health`, …
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub subject: String,
    /// Whether the basic profile holds it: what clients of a partial server or a mock rely on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub basic: bool,
    /// How it is asked over the API; empty if it cannot be observed there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub observe: String,
    /// One bug that a scenario for this clause must catch.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fault: String,
    /// Whether a real kube-apiserver was seen to keep it, as `1.36: holds`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub verified: String,
    /// What that server did.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub saw: String,
    /// What a tester easily gets wrong.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// Older minors whose kube-apiserver was seen to behave otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differs_on: Vec<Version>,
}

impl Clause {
    /// Whether the clause can be judged by talking to the server.
    pub fn observable(&self) -> bool {
        !self.observe.is_empty()
    }

    /// What the released kube-apiserver does instead, where it is known not to follow the text.
    pub fn deviation(&self) -> Option<&str> {
        self.verified.ends_with("differs").then_some(self.saw.as_str())
    }
}

/// One part of the specification, as it stands in one file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Area {
    /// Its name, which is also its file's and its suite's.
    #[serde(rename = "area")]
    pub name: String,
    /// Declared complete: every observable clause has a scenario, and a test holds us to it.
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

/// What can be wrong with a catalogue.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum CatalogueError {
    /// Two clauses share an id.
    #[error("clause {0} stands in the catalogue twice")]
    Duplicate(ClauseId),
}

impl Catalogue {
    /// Puts the areas together and tells every clause its area.
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

    /// The clause of that id.
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
    fn a_clause_learns_its_area() {
        let catalogue = Catalogue::new(vec![area("gone", vec![clause("gone-a")])]).unwrap();
        assert_eq!(catalogue.get("gone-a").unwrap().area, "gone");
    }

    #[test]
    fn an_id_stands_once() {
        let areas = vec![area("a", vec![clause("x")]), area("b", vec![clause("x")])];
        assert_eq!(Catalogue::new(areas).unwrap_err(), CatalogueError::Duplicate("x".into()));
    }

    #[test]
    fn only_a_difference_is_a_deviation() {
        let mut differs = clause("a");
        differs.saw = "404".to_owned();
        assert_eq!(differs.deviation(), None);
        differs.verified = "1.36: differs".to_owned();
        assert_eq!(differs.deviation(), Some("404"));
    }
}
