//! The file of known failures: reads its entries as TOML.

mod write;

use std::path::Path;

use harness::{Conditions, FailureReason, KnownFailure, Listed, VersionRange, parse_toml};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use toml::Value;

pub(crate) use write::{prepare, write};

use crate::output::remark;
use crate::toml_file::read_toml;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Entries {
    /// The reason of every entry without one.
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    /// The link of every entry without one.
    #[serde(skip_serializing_if = "String::is_empty")]
    link: String,
    known_failure: Vec<Entry>,
}

/// An entry in the file, perhaps incomplete: [`read`] checks it.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Entry {
    #[serde(skip_serializing_if = "Option::is_none")]
    scenario: Option<Names>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<Names>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<Names>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    inconclusive: bool,
    #[serde(skip_serializing_if = "String::is_empty")]
    reason: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    link: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<VersionRange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_feature: Option<String>,
}

/// One id or pattern, or several.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Names {
    One(String),
    Several(Vec<String>),
}

impl From<Names> for Vec<String> {
    fn from(names: Names) -> Self {
        match names {
            Names::One(name) => vec![name],
            Names::Several(names) => names,
        }
    }
}

impl From<Vec<String>> for Names {
    fn from(names: Vec<String>) -> Self {
        match <[String; 1]>::try_from(names) {
            Ok([name]) => Self::One(name),
            Err(names) => Self::Several(names),
        }
    }
}

/// Reads a file. Every entry must be complete except for its link; a warning counts the entries without one.
pub(crate) fn read(path: &Path) -> Result<Vec<KnownFailure>, String> {
    let shown = path.display();
    let text = read_toml(path)?;
    let entries =
        parse(&text).map_err(|why| format!("the known failures in {shown} cannot be used: {why}"))?;
    let untracked = entries.iter().filter(|entry| entry.why.link.trim().is_empty()).count();
    if untracked > 0 {
        let all = entries.len();
        remark(format_args!(
            "{untracked} of {all} known failures in {shown} have no link to where they are tracked"
        ));
    }
    Ok(entries)
}

fn parse(text: &str) -> Result<Vec<KnownFailure>, String> {
    let Entries { reason, link, known_failure } = parse_toml(text)?;
    let default =
        |text: String, default: &String| if text.trim().is_empty() { default.clone() } else { text };
    let mut entries = Vec::new();
    for (entry, number) in known_failure.into_iter().zip(1..) {
        let (reason, link) = (default(entry.reason, &reason), default(entry.link, &link));
        entries.extend(complete(Entry { reason, link, ..entry }, number)?);
    }
    Ok(entries)
}

/// The known failures of an entry, one for each id or pattern.
fn complete(entry: Entry, number: usize) -> Result<Vec<KnownFailure>, String> {
    let (listed, names): (fn(String) -> Listed, _) = match (entry.scenario, entry.clause, entry.cause) {
        (Some(names), None, None) => (Listed::Scenario, Vec::from(names)),
        (None, Some(names), None) => (Listed::Clause, Vec::from(names)),
        (None, None, Some(names)) => (Listed::Cause, Vec::from(names)),
        _ => return Err(format!("entry {number} must name either a scenario, a clause or a cause")),
    };
    let names: Vec<Listed> = names.into_iter().map(listed).collect();
    let Some(first) = names.first() else {
        return Err(format!("entry {number} has an empty list"));
    };
    let lacks = |what: &str| Err(format!("entry {number} ({first}) {what}"));
    if entry.reason.trim().is_empty() {
        return lacks("has no reason: say why the server fails there");
    }
    let until = match entry.until.map(|until| until.to_string()) {
        None => None,
        Some(text) => match text.trim_matches('"').parse::<Date>() {
            Ok(date) => Some(date),
            Err(_) => return lacks(&format!("ends on {text}, which is no day such as 2027-01-31")),
        },
    };
    let inconclusive = entry.inconclusive;
    let why = FailureReason { reason: entry.reason, link: entry.link };
    let (server, version, feature, no_feature) =
        (entry.server, entry.version, entry.feature, entry.no_feature);
    let only = Conditions { server, version, feature, no_feature };
    let known = |of| KnownFailure { of, inconclusive, why: why.clone(), until, only: only.clone() };
    Ok(names.into_iter().map(known).collect())
}

#[cfg(test)]
mod tests {
    use harness::Tally;

    use super::*;

    const FULL: &str = r#"
link = "https://example.com/all"

[[known_failure]]
clause = "rv-list-exact-zero"
reason = "kine \"does\" not"
link = "https://example.com/1"
until = 2027-01-31
server = "+k3s"
version = ">=1.30, <1.34"
no_feature = "CEL"

[[known_failure]]
scenario = ["gone-a/custom-resource", "gone-b*"]
reason = "r"
link = "l"
until = "2027-02-01"

[[known_failure]]
cause = "c0123abcd"
inconclusive = true
reason = "r"
"#;

    #[test]
    fn an_entry_is_written_as_it_is_read() {
        let read = parse(FULL).unwrap();
        assert_eq!(read[0].until, Some(jiff::civil::date(2027, 1, 31)));
        assert_eq!(read[1].until, Some(jiff::civil::date(2027, 2, 1)));
        let of = |at: usize| read[at].of.to_string();
        assert_eq!([of(1), of(2)], ["scenario gone-a/custom-resource", "scenario gone-b*"]);
        assert_eq!(read[3].of, Listed::Cause("c0123abcd".to_owned()));
        assert!(read[3].inconclusive && read[3].why.link == "https://example.com/all");
        let again = write::text(&Tally::default(), &read.iter().collect::<Vec<_>>(), &[]).unwrap();
        assert!(again.contains("until = 2027-01-31\n"), "{again}");
        assert_eq!(again.matches("[[known_failure]]").count(), 3, "{again}");
        assert_eq!(parse(&again).unwrap(), read);
        let empty = write::text(&Tally::default(), &[], &[]).unwrap();
        assert_eq!(parse(&empty), Ok(Vec::new()));
    }

    #[test]
    fn what_is_not_complete_is_refused_with_a_sentence() {
        let refused = |text: &str| parse(text).unwrap_err();
        let entry =
            |more: &str| refused(&format!("[[known_failure]]\nscenario = \"a\"\nreason = \"r\"\n{more}"));
        assert_eq!(
            refused("[[known_failure]]\nclause = \"c\"\nlink = \"l\""),
            "entry 1 (clause c) has no reason: say why the server fails there"
        );
        assert!(entry("link = \"l\"\nclause = \"c\"").contains("either a scenario, a clause or a cause"));
        assert!(refused("[[known_failure]]").contains("entry 1 must name either"));
        assert!(entry("link = \"l\"\nuntil = \"soon\"").contains("no day such as 2027-01-31"));
        assert!(entry("link = \"l\"\nuntil = 2027-01-31T10:00:00Z").contains("no day such as"));
        assert!(entry("link = \"l\"\nversion = \"1.30\"").contains("not a range of versions"));
        assert!(entry("link = \"l\"\nserve = \"x\"").starts_with("line 5: unknown field `serve`"));
        assert_eq!(refused("[[known_failure]]\nclause = []"), "entry 1 has an empty list");
        assert!(refused("known_failure = 3").starts_with("line 1: "));
    }
}
