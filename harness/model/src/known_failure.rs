//! Known failures: the list of expected failures, each with its reason and a link.
//!
//! An entry changes the verdict on failures, or on test errors if it says so: a test error stays inconclusive under any
//! other entry. An entry without a failure is stale, and fails the run until the user removes it.

use std::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::event::ScenarioFinished;
use crate::outcome::Outcome;
use crate::pattern::matches;
use crate::target_info::TargetInfo;
use crate::version::VersionRange;

/// Why a failure was expected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureReason {
    /// Why the server fails.
    pub reason: String,
    /// Where the failure is tracked; empty if it is not yet.
    pub link: String,
}

impl FailureReason {
    /// The link, or words for a missing one.
    pub fn tracked(&self) -> &str {
        if self.link.trim().is_empty() { "not tracked yet" } else { &self.link }
    }
}

/// What an entry names. Ids of scenarios and clauses are patterns, in which `*` stands for any characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Listed {
    /// Scenarios, each on one resource under test.
    Scenario(String),
    /// Every scenario of the clauses, on every resource under test.
    Clause(String),
    /// Every failure with this cause, by the cause's id.
    Cause(String),
}

impl Listed {
    /// The pattern, or the id of the cause.
    pub fn as_str(&self) -> &str {
        let (Self::Scenario(id) | Self::Clause(id) | Self::Cause(id)) = self;
        id
    }

    /// Whether it may cover more than one scenario or clause.
    fn is_broad(&self) -> bool {
        matches!(self, Self::Cause(_)) || self.as_str().contains('*')
    }

    /// Whether it covers this scenario, whose failure has these causes.
    pub fn covers(&self, finished: &ScenarioFinished, causes: &[String]) -> bool {
        match self {
            Self::Scenario(pattern) => matches(pattern, finished.scenario.as_str()),
            Self::Clause(pattern) => finished.clauses.iter().any(|id| matches(pattern, id.as_str())),
            Self::Cause(id) => causes.contains(id),
        }
    }
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scenario(id) => write!(f, "scenario {id}"),
            Self::Clause(id) => write!(f, "clause {id}"),
            Self::Cause(id) => write!(f, "cause {id}"),
        }
    }
}

/// Where a failure is known; without conditions everywhere.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// A part of the server's release, such as `+k3s`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The Kubernetes minors with the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<VersionRange>,
    /// A feature that the user declares present.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
    /// A feature that the user declares absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_feature: Option<String>,
}

impl Conditions {
    /// Whether all of them hold. A server without a version is in no range.
    pub fn hold(&self, target_info: &TargetInfo, features: &[String], no_features: &[String]) -> bool {
        self.server.as_ref().is_none_or(|part| target_info.release.contains(part.as_str()))
            && self
                .version
                .as_ref()
                .is_none_or(|range| target_info.version.is_some_and(|version| range.contains(version)))
            && self.feature.as_ref().is_none_or(|feature| features.contains(feature))
            && self.no_feature.as_ref().is_none_or(|feature| no_features.contains(feature))
    }
}

/// One entry of a list of known failures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownFailure {
    /// The scenarios, clauses or cause.
    #[serde(flatten)]
    pub of: Listed,
    /// Whether the entry expects a test error in the place of a failure.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inconclusive: bool,
    /// The reason, and the link.
    #[serde(flatten)]
    pub why: FailureReason,
    /// The last day, in UTC, on which the entry applies; `None` for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Date>,
    /// Where it fails.
    #[serde(flatten)]
    pub only: Conditions,
}

impl KnownFailure {
    /// Whether it expects this outcome of the scenarios that it covers.
    pub fn expects(&self, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Failed { .. } => !self.inconclusive,
            Outcome::Errored { .. } => self.inconclusive,
            Outcome::Passed | Outcome::Skipped { .. } => false,
        }
    }

    /// Whether its last day has passed.
    pub fn is_past(&self, today: Date) -> bool {
        self.until.is_some_and(|until| until < today)
    }
}

/// An entry that must be removed or changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stale {
    /// The entry.
    pub entry: KnownFailure,
    /// Why it is stale.
    pub why: Staleness,
}

/// Why an entry is stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Staleness {
    /// Every scenario that it covers passes, or no failure has its cause.
    Passed,
    /// No scenario or clause matches it.
    Unknown,
    /// Its last day has passed.
    Expired,
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = &self.entry.of;
        match (self.why, self.entry.until) {
            (Staleness::Passed, _) if of.is_broad() => write!(f, "nothing fails for {of}: remove the entry"),
            (Staleness::Passed, _) => write!(f, "{of} passes: remove the entry"),
            (Staleness::Unknown, _) => write!(f, "there is no {of}: remove the entry, or correct the id"),
            (Staleness::Expired, Some(until)) => {
                write!(f, "{of}: the entry was valid until {until}; fix the failure, or renew the entry")
            }
            (Staleness::Expired, None) => write!(f, "{of}: the entry has expired"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(more: &serde_json::Value) -> KnownFailure {
        let mut entry = serde_json::json!({ "clause": "c", "reason": "r", "link": "l" });
        entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(entry).unwrap()
    }

    #[test]
    fn an_entry_survives_a_round_trip_through_json() {
        let full = entry(&serde_json::json!({
            "until": "2027-01-31", "server": "+k3s", "version": ">=1.30, <1.34", "feature": "CEL",
        }));
        let back: KnownFailure = serde_json::from_str(&serde_json::to_string(&full).unwrap()).unwrap();
        assert_eq!(back, full);
        assert_eq!(full.of, Listed::Clause("c".into()));
        let stale = Stale { entry: full, why: Staleness::Expired };
        let back: Stale = serde_json::from_str(&serde_json::to_string(&stale).unwrap()).unwrap();
        assert_eq!(back, stale);
        assert!(stale.to_string().contains("clause c: the entry was valid until 2027-01-31"), "{stale}");
    }

    #[test]
    fn every_condition_must_hold() {
        let target_info = |release: &str, version: &str| TargetInfo {
            release: release.to_owned(),
            version: version.parse().ok(),
            ..TargetInfo::default()
        };
        let holds = |more: serde_json::Value, target_info: &TargetInfo| {
            entry(&more).only.hold(target_info, &["CEL".to_owned()], &["Table".to_owned()])
        };
        let k3s = target_info("v1.33.1+k3s1", "1.33");
        assert!(holds(serde_json::json!({}), &k3s));
        assert!(holds(serde_json::json!({ "server": "+k3s", "version": ">=1.30, <1.34" }), &k3s));
        assert!(!holds(serde_json::json!({ "server": "+k3s", "version": ">=1.34" }), &k3s));
        assert!(!holds(serde_json::json!({ "server": "+rke2", "version": ">=1.30" }), &k3s));
        assert!(!holds(serde_json::json!({ "version": ">=1.30" }), &target_info("", "")));
        assert!(holds(serde_json::json!({ "feature": "CEL", "no_feature": "Table" }), &k3s));
        assert!(!holds(serde_json::json!({ "feature": "Table" }), &k3s));
        assert!(!holds(serde_json::json!({ "no_feature": "CEL" }), &k3s));
    }

    #[test]
    fn an_entry_applies_on_its_last_day() {
        let until = entry(&serde_json::json!({ "until": "2027-01-31" }));
        let day = |text: &str| text.parse().unwrap();
        assert!(!until.is_past(day("2027-01-31")));
        assert!(until.is_past(day("2027-02-01")));
        assert!(!entry(&serde_json::json!({})).is_past(day("9999-01-01")));
    }
}
