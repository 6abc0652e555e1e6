//! Writes the failures of a run as a file of known failures, grouped by cause.

use std::collections::HashMap;
use std::fs::{self, File};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use harness::{
    Conditions, FailureReason, KnownFailure, Listed, Outcome, ScenarioFinished, ScenarioId, Staleness, Tally,
};
use reports::directory::save_named;
use reports::{cause_ids, failure_groups};
use toml::Value;

use super::{Entries, Entry, Names};

/// Maximum length of the actual response in a reason, in characters.
const LONGEST_REASON: usize = 300;

/// Checks, before the run, that the file can be written. Its content stays. A pipe need not have a reader yet.
pub(crate) fn prepare(path: &Path) -> Result<(), String> {
    if fs::metadata(path).is_ok_and(|there| there.file_type().is_fifo()) {
        return Ok(());
    }
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
    let groups = new_groups(&kept, tally);
    let shown = path.display();
    let failed = |why: String| format!("failed to write {shown}: {why}");
    let text = text(tally, &kept, &groups).map_err(|why| failed(why.to_string()))?;
    save_named(path, |file| file.write_all(text.as_bytes())).map_err(|why| why.to_string())?;
    let count = |inconclusive: bool| -> usize {
        let groups = groups.iter().filter(|group| group.inconclusive() == inconclusive);
        groups.map(|group| group.scenarios.len()).sum()
    };
    let inconclusive = match count(true) {
        0 => String::new(),
        some => format!(" and {some} new inconclusive"),
    };
    let links = if groups.is_empty() { "" } else { "; hint: give each of the new ones a link" };
    Ok(format!("{shown}: {} known failures kept, {} new{inconclusive}{links}", kept.len(), count(false)))
}

/// New failures of one cause.
pub(super) struct Group<'a> {
    /// The id of the cause and the cause in one line.
    about: String,
    scenarios: Vec<&'a ScenarioFinished>,
}

impl Group<'_> {
    fn inconclusive(&self) -> bool {
        matches!(self.scenarios[0].outcome, Outcome::Errored { .. })
    }

    /// The reason is the actual behaviour; the user adds the link.
    fn entry(&self) -> Entry {
        let reason = match &self.scenarios[0].outcome {
            Outcome::Failed { failure } => format!("expected {}, got {}", failure.expected, failure.actual),
            Outcome::Errored { test_error } => test_error.to_string(),
            Outcome::Passed | Outcome::Skipped { .. } => String::new(),
        };
        let ids: Vec<String> = self.scenarios.iter().map(|finished| finished.scenario.to_string()).collect();
        Entry {
            scenario: Some(Names::from(ids)),
            inconclusive: self.inconclusive(),
            reason: reason.chars().take(LONGEST_REASON).collect(),
            ..Entry::default()
        }
    }
}

/// The failures that no kept entry covers, by cause. Of a run that stopped early, test errors prove too little.
fn new_groups<'a>(kept: &[&KnownFailure], tally: &'a Tally) -> Vec<Group<'a>> {
    let whole = tally.finished().is_some_and(|finished| finished.stopped.is_none());
    let listed = |finished: &ScenarioFinished| {
        let causes = cause_ids(finished);
        kept.iter().any(|entry| entry.expects(&finished.outcome) && entry.of.covers(finished, &causes))
    };
    let is_new = |finished: &&ScenarioFinished| {
        let errored = matches!(finished.outcome, Outcome::Errored { .. });
        !finished.flaky() && (tally.fails_run(finished) || errored && whole) && !listed(finished)
    };
    let new: HashMap<&ScenarioId, &ScenarioFinished> =
        tally.scenarios().filter(is_new).map(|finished| (&finished.scenario, finished)).collect();
    let groups = failure_groups(tally).into_iter().map(|cause| Group {
        about: format!("{}: {}", cause.id, cause.title),
        scenarios: cause.scenarios.iter().filter_map(|id| new.get(id).copied()).collect(),
    });
    let mut groups: Vec<Group> = groups.filter(|group| !group.scenarios.is_empty()).collect();
    // Not in the order of the causes, which changes with their sizes: users compare two lists.
    groups.sort_by(|one, other| one.scenarios[0].scenario.cmp(&other.scenarios[0].scenario));
    groups
}

/// The whole file.
pub(super) fn text(tally: &Tally, kept: &[&KnownFailure], new: &[Group]) -> Result<String, toml::ser::Error> {
    let mut text = head(tally);
    for alike in kept.chunk_by(|one, other| rest(one) == rest(other)) {
        text += &table(kept_entry(alike))?;
    }
    for group in new {
        let about: String = group.about.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        text.extend(["# ", &about, "\n", &table(group.entry())?]);
    }
    Ok(text)
}

/// An entry as the file has it, with a blank line.
fn table(entry: Entry) -> Result<String, toml::ser::Error> {
    let entries = Entries { known_failure: vec![entry], ..Entries::default() };
    Ok(format!("{}\n", toml::to_string_pretty(&entries)?))
}

fn head(tally: &Tally) -> String {
    let (tool, run) = tally.started().map_or(("", ""), |started| (&*started.tool, &*started.run));
    format!(
        "# Known failures, written by {tool} after run {run}.\n\
         #\n\
         # An entry is about a `scenario`, a `clause` on every kind of resource, or a `cause` by its id: one, or a list.\n\
         # Ids of scenarios and clauses may be patterns, such as \"rv-list-*\". It needs a `reason`, and should have a\n\
         # `link` to where the failure is tracked; `inconclusive = true` expects test errors. It may have a last day,\n\
         # `until = 2027-01-31`, and conditions: `server = \"+k3s\"` (part of the server's release),\n\
         # `version = \">=1.30, <1.34\"`, and `feature = \"CEL\"` or `no_feature = \"CEL\"` (declared with --feature or\n\
         # --no-feature). The next two lines, without #, are for every entry that lacks one.\n\
         #\n\
         # reason = \"\"\n\
         # link = \"\"\n\n"
    )
}

/// All of an entry except its id.
fn rest(entry: &KnownFailure) -> (KnownFailure, std::mem::Discriminant<Listed>) {
    let kind = std::mem::discriminant(&entry.of);
    (KnownFailure { of: Listed::Scenario(String::new()), ..entry.clone() }, kind)
}

/// Entries that differ in their ids alone, as one.
fn kept_entry(alike: &[&KnownFailure]) -> Entry {
    let KnownFailure { of, inconclusive, why, until, only } = alike[0].clone();
    let ids: Vec<String> = alike.iter().map(|entry| entry.of.as_str().to_owned()).collect();
    let names = Some(Names::from(ids));
    let (scenario, clause, cause) = match of {
        Listed::Scenario(_) => (names, None, None),
        Listed::Clause(_) => (None, names, None),
        Listed::Cause(_) => (None, None, names),
    };
    let until = until.and_then(|until| until.to_string().parse().ok().map(Value::Datetime));
    let Conditions { server, version, feature, no_feature } = only;
    let FailureReason { reason, link } = why;
    Entry { scenario, clause, cause, inconclusive, reason, link, until, server, version, feature, no_feature }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// Its reader comes at the end of the run: a writer before it would be the end of the file for it.
    #[test]
    fn a_pipe_is_not_opened_before_the_run() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(prepare(&pipe), Ok(()));
        assert!(prepare(folder.path()).is_err());
    }
}
