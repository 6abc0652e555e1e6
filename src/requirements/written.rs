//! Writes the sets that do not exist yet, for `cargo ci requirements`, and guards those that do.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use harness::{Catalogue, Clause};
use serde::Deserialize;

use super::*;

/// Set by `cargo ci requirements`.
const WRITE: &str = "KUBE_ASSAY_WRITE_REQUIREMENTS";

/// The minors that have a set.
const MINORS: std::ops::RangeInclusive<u32> = 30..=37;

/// A profile as `profiles.toml` has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rule {
    name: String,
    description: String,
    #[serde(default)]
    subjects: Vec<String>,
    features: Vec<String>,
    #[serde(default)]
    requires: Vec<String>,
    group: Option<String>,
    since: Option<Version>,
    #[serde(default)]
    optional: bool,
}

#[derive(Deserialize)]
struct Rules {
    profile: Vec<Rule>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suites/requirements")
}

fn rules() -> Vec<Rule> {
    let rules: Rules = toml::from_str(&fs::read_to_string(folder().join("profiles.toml")).unwrap()).unwrap();
    rules.profile
}

impl Rule {
    fn holds_in(&self, release: Version) -> bool {
        self.since.is_none_or(|since| since <= release)
    }
}

/// The profile of a clause in a release.
fn profile_of<'a>(rules: &'a [Rule], clause: &Clause, release: Version) -> &'a str {
    let names = |rule: &&Rule| {
        let features = rule.features.contains(&clause.feature);
        features || (clause.feature.is_empty() && rule.subjects.contains(&clause.subject))
    };
    let rule = rules.iter().find(names).unwrap_or_else(|| panic!("{} has no profile", clause.id));
    let last = &rules.last().unwrap().name;
    if rule.holds_in(release) { &rule.name } else { last }
}

/// The set of a release, from today's catalogue.
fn set(release: Version, rules: &[Rule], catalogue: &Catalogue, tested: &HashSet<&str>) -> RequirementSet {
    let in_scope =
        |clause: &&Clause| clause.observable() && clause.since.is_none_or(|since| since <= release);
    let requirement = |clause: &Clause| {
        let revision = if tested.contains(clause.id.as_str()) { clause.revision } else { 0 };
        let profile = profile_of(rules, clause, release).to_owned();
        let digest = digest_of(clause, revision);
        (clause.id.to_string(), Requirement { level: clause.level, profile, revision, digest })
    };
    let clauses: BTreeMap<_, _> = catalogue.clauses().filter(in_scope).map(requirement).collect();
    let scored = |rule: &Rule| {
        let must = |known: &&Requirement| known.profile == rule.name && known.level == Level::Must;
        clauses.values().filter(must).any(|known| known.revision > 0)
    };
    let profile = rules.iter().filter(|rule| rule.holds_in(release)).map(|rule| ConformanceProfile {
        name: rule.name.clone(),
        description: rule.description.clone(),
        requires: rule.requires.clone(),
        optional: rule.optional || !scored(rule),
        group: rule.group.clone(),
    });
    RequirementSet {
        name: format!("kubernetes-{release}"),
        release,
        profile: profile.collect(),
        clauses,
        digest: String::new(),
    }
}

/// The file of a set: one line for each clause.
fn text(set: &RequirementSet) -> String {
    let clauses = set.clauses.iter().map(|(id, known)| {
        let Requirement { level, profile, revision, digest } = known;
        format!("{id} = {{ level = \"{level}\", profile = \"{profile}\", revision = {revision}, digest = \"{digest}\" }}\n")
    });
    let clauses: String = clauses.collect();
    let head = toml::to_string(&RequirementSet { clauses: BTreeMap::new(), ..set.clone() }).unwrap();
    let head = head.replace("[clauses]\n", "");
    format!(
        "# The clauses of Kubernetes {}, frozen. `cargo ci requirements` wrote it; nothing changes it.\n\n{}\n\n[clauses]\n{clauses}",
        set.release,
        head.trim()
    )
}

/// The digests of the released sets, as `sha256sum` writes them.
fn sums() -> BTreeMap<String, String> {
    let sums = fs::read_to_string(folder().join("SHA256SUMS")).unwrap_or_default();
    let line = |line: &str| line.split_once("  ").map(|(digest, file)| (file.to_owned(), digest.to_owned()));
    sums.lines().filter_map(line).collect()
}

/// Writes the sets that have no file.
fn write() {
    let (rules, catalogue, suites) = (rules(), suites::catalogue(), suites::all());
    let tested = suites::tested_clauses(&suites);
    let mut sums = sums();
    for minor in MINORS {
        let set = set(Version { major: 1, minor }, &rules, &catalogue, &tested);
        let (file, text) = (format!("{}.toml", set.name), text(&set));
        let path = folder().join(&file);
        if !path.exists() {
            fs::write(path, &text).unwrap();
            sums.insert(file, sha256([&text]));
        }
    }
    let line = |(file, digest): (&String, &String)| format!("{digest}  {file}\n");
    let lines: String = sums.iter().map(line).collect();
    fs::write(folder().join("SHA256SUMS"), lines).unwrap();
}

#[test]
fn released_sets_never_change() {
    if std::env::var_os(WRITE).is_some() {
        write();
    }
    let files = MINORS.map(|minor| format!("kubernetes-1.{minor}.toml"));
    let digest = |file: String| (file.clone(), sha256([fs::read(folder().join(file)).unwrap()]));
    let found: BTreeMap<_, _> = files.map(digest).collect();
    assert_eq!(
        found,
        sums(),
        "a released set differs from SHA256SUMS: restore it, or add a set with a new name"
    );
}

#[test]
fn every_set_has_the_published_form() {
    let schema = serde_json::from_str(include_str!("../../reports/schema/requirements.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for text in suites::requirement_files() {
        let set: serde_json::Value = toml::from_str(&text).unwrap();
        validator.validate(&set).unwrap();
    }
}

#[test]
fn the_program_has_every_set() {
    let digests: Vec<_> = RequirementSet::all().into_iter().map(|set| set.digest).collect();
    assert_eq!(digests, sums().into_values().collect::<Vec<_>>());
}

#[test]
fn the_catalogue_keeps_the_clauses_of_every_set() {
    let catalogue = suites::catalogue();
    for set in RequirementSet::all() {
        let changed = |(id, known): &(&String, &Requirement)| {
            catalogue.get(id).is_none_or(|clause| known.digest != digest_of(clause, known.revision))
        };
        let changed: Vec<_> = set.clauses.iter().filter(changed).map(|(id, _)| id).collect();
        assert!(
            changed.is_empty(),
            "{} froze another statement or level of {changed:?}: add a clause instead",
            set.name
        );
    }
}

#[test]
fn a_changed_statement_level_or_revision_is_not_scored() {
    let catalogue = suites::catalogue();
    let set = RequirementSet::named("kubernetes-1.36").unwrap();
    let scored = catalogue.clauses().find(|clause| set.scores(clause)).unwrap();
    let level = if scored.level == Level::Must { Level::May } else { Level::Must };
    for changed in [
        Clause { statement: format!("{} Always.", scored.statement), ..scored.clone() },
        Clause { level, ..scored.clone() },
        Clause { revision: scored.revision + 1, ..scored.clone() },
    ] {
        assert!(!set.scores(&changed), "{changed:?}");
    }
}

#[test]
fn every_set_has_the_clauses_of_its_minor() {
    let catalogue = suites::catalogue();
    for set in RequirementSet::all() {
        let newer = |clause: &&Clause| clause.since.is_some_and(|since| since > set.release);
        let newer: Vec<_> = catalogue
            .clauses()
            .filter(newer)
            .filter(|clause| set.clauses.contains_key(clause.id.as_str()))
            .collect();
        assert!(newer.is_empty(), "{}: {newer:?}", set.name);
        for profile in &set.profile {
            let must = |known: &&Requirement| known.profile == profile.name && known.level == Level::Must;
            assert!(set.clauses.values().any(|known| must(&known)), "{}: {}", set.name, profile.name);
        }
    }
}
