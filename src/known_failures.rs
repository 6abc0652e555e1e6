//! The file of known failures: reads and writes its entries as TOML.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::Path;

use harness::{
    Conditions, FailureReason, KnownFailure, Listed, ScenarioFinished, Staleness, Tally, VersionRange,
    read_input_text,
};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use toml::Value;

use crate::output::remark;

/// Maximum length of the actual response in a reason, in characters.
const LONGEST_REASON: usize = 300;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entries {
    #[serde(default)]
    known_failure: Vec<Entry>,
}

/// An entry in the file, perhaps incomplete: [`read`] checks it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Entry {
    #[serde(skip_serializing_if = "Option::is_none")]
    scenario: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<String>,
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

/// Reads a file. Every entry must be complete except for its link; a warning counts the entries without one.
pub(crate) fn read(path: &Path) -> Result<Vec<KnownFailure>, String> {
    let shown = path.display();
    let text = read_input_text(path).map_err(|why| format!("failed to read {shown}: {why}"))?;
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
    let entries: Entries = toml::from_str(text).map_err(|why| {
        let line = why.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        format!("line {line}: {}", why.message())
    })?;
    let numbered = entries.known_failure.into_iter().zip(1..);
    numbered.map(|(entry, number): (Entry, usize)| complete(entry, number)).collect()
}

fn complete(entry: Entry, number: usize) -> Result<KnownFailure, String> {
    let of = match (entry.scenario, entry.clause) {
        (Some(id), None) => Listed::Scenario(id.as_str().into()),
        (None, Some(id)) => Listed::Clause(id.as_str().into()),
        _ => return Err(format!("entry {number} must name either a scenario or a clause")),
    };
    let lacks = |what: &str| Err(format!("entry {number} ({of}) {what}"));
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
    let why = FailureReason { reason: entry.reason, link: entry.link };
    let (server, version, feature, no_feature) =
        (entry.server, entry.version, entry.feature, entry.no_feature);
    Ok(KnownFailure { of, why, until, only: Conditions { server, version, feature, no_feature } })
}

/// Checks, before the run, that the file can be written. Its content stays.
pub(crate) fn prepare(path: &Path) -> Result<(), String> {
    let opened = File::options().create(true).append(true).open(path);
    opened.map(drop).map_err(|why| format!("failed to write {}: {why}", path.display()))
}

/// Writes the failures, and the given entries that still hold, for this target or for others. Returns a sentence
/// with the counts.
pub(crate) fn write(path: &Path, given: &[KnownFailure], tally: &Tally) -> Result<String, String> {
    let gone = |entry: &KnownFailure| {
        let gone = tally.stale().iter().filter(|stale| stale.why != Staleness::Expired);
        gone.map(|stale| &stale.entry).any(|stale| stale == entry)
    };
    let kept: Vec<&KnownFailure> = given.iter().filter(|entry| !gone(entry)).collect();
    let listed: HashSet<&Listed> = kept.iter().map(|entry| &entry.of).collect();
    let mut new: Vec<&ScenarioFinished> = tally
        .scenarios()
        .iter()
        .filter(|finished| fails(finished, tally) && !is_listed(finished, &listed))
        .collect();
    // Not in the order of the run, which varies: users compare two lists.
    new.sort_by_key(|finished| finished.scenario.as_str());
    let known = kept.iter().map(|entry| written(entry)).chain(new.iter().map(|finished| proposed(finished)));
    let entries = Entries { known_failure: known.collect() };
    let shown = path.display();
    let text = toml::to_string(&entries).map_err(|why| format!("failed to write {shown}: {why}"))?;
    fs::write(path, format!("{}{text}", head(tally)))
        .map_err(|why| format!("failed to write {shown}: {why}"))?;
    let links = if new.is_empty() { "" } else { "; hint: give each of the new ones a link" };
    Ok(format!("{shown}: {} known failures kept, {} new{links}", kept.len(), new.len()))
}

fn head(tally: &Tally) -> String {
    let (tool, run) = tally.started().map_or(("", ""), |started| (&*started.tool, &*started.run));
    format!(
        "# Known failures, written by {tool} after run {run}.\n\
         #\n\
         # An entry is about one `scenario`, or about a `clause` on every shape of its subjects. It needs a `reason`,\n\
         # and should have a `link` to where the failure is tracked. It may have a last day, `until = 2027-01-31`, and conditions:\n\
         # `server = \"+k3s\"` (part of the server's release), `version = \">=1.30, <1.34\"`, and `feature = \"CEL\"` or\n\
         # `no_feature = \"CEL\"` (declared with --feature or --no-feature).\n\n"
    )
}

/// Whether a scenario fails the run, in each of its repetitions.
fn fails(finished: &ScenarioFinished, tally: &Tally) -> bool {
    let strict = tally.started().is_some_and(|started| started.strict);
    let mut in_scope = tally.clauses().iter().filter(|clause| finished.clauses.contains(&clause.id));
    !finished.flaky() && in_scope.any(|clause| finished.verdict(clause.level).fails(strict))
}

fn is_listed(finished: &ScenarioFinished, listed: &HashSet<&Listed>) -> bool {
    listed.contains(&Listed::Scenario(finished.scenario.clone()))
        || finished.clauses.iter().any(|clause| listed.contains(&Listed::Clause(clause.clone())))
}

fn written(entry: &KnownFailure) -> Entry {
    let KnownFailure { of, why, until, only } = entry.clone();
    let id = of.as_str().to_owned();
    let (scenario, clause) = match of {
        Listed::Scenario(_) => (Some(id), None),
        Listed::Clause(_) => (None, Some(id)),
    };
    let until = until.and_then(|until| until.to_string().parse().ok().map(Value::Datetime));
    let Conditions { server, version, feature, no_feature } = only;
    let FailureReason { reason, link } = why;
    Entry { scenario, clause, reason, link, until, server, version, feature, no_feature }
}

/// The reason is the actual behaviour; the user adds the link.
fn proposed(finished: &ScenarioFinished) -> Entry {
    let reason = match &finished.outcome {
        harness::Outcome::Failed { failure } => {
            format!("expected {}, got {}", failure.expected, failure.actual)
        }
        _ => String::new(),
    };
    let reason = reason.chars().take(LONGEST_REASON).collect();
    Entry { scenario: Some(finished.scenario.to_string()), reason, ..Entry::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FULL: &str = r#"
[[known_failure]]
clause = "rv-list-exact-zero"
reason = "kine \"does\" not"
link = "https://example.com/1"
until = 2027-01-31
server = "+k3s"
version = ">=1.30, <1.34"
no_feature = "CEL"

[[known_failure]]
scenario = "gone-a/custom-resource"
reason = "r"
link = "l"
until = "2027-02-01"
"#;

    #[test]
    fn an_entry_is_written_as_it_is_read() {
        let read = parse(FULL).unwrap();
        assert_eq!(read[0].until, Some(jiff::civil::date(2027, 1, 31)));
        assert_eq!(read[1].until, Some(jiff::civil::date(2027, 2, 1)));
        assert_eq!(read[1].of, Listed::Scenario("gone-a/custom-resource".into()));
        let again = toml::to_string(&Entries { known_failure: read.iter().map(written).collect() }).unwrap();
        assert!(again.contains("until = 2027-01-31\n"), "{again}");
        assert_eq!(parse(&again).unwrap(), read);
        assert_eq!(parse(&format!("{}{again}", head(&Tally::default()))).unwrap(), read);
        assert_eq!(parse(&head(&Tally::default())), Ok(Vec::new()));
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
        assert!(entry("link = \"l\"\nclause = \"c\"").contains("either a scenario or a clause"));
        assert!(refused("[[known_failure]]").contains("entry 1 must name either"));
        assert!(entry("link = \"l\"\nuntil = \"soon\"").contains("no day such as 2027-01-31"));
        assert!(entry("link = \"l\"\nuntil = 2027-01-31T10:00:00Z").contains("no day such as"));
        assert!(entry("link = \"l\"\nversion = \"1.30\"").contains("not a range of versions"));
        assert!(entry("link = \"l\"\nserve = \"x\"").starts_with("line 5: unknown field `serve`"));
        assert!(refused("known_failure = 3").starts_with("line 1: "));
    }
}
