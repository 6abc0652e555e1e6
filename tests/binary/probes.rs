//! A missing feature fails one clause, and no other.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::{Ended, Reference, kube_assay};

/// The verdicts of a run, clause by clause.
struct Verdicts(Vec<Value>);

impl Verdicts {
    fn of(ended: &Ended) -> Self {
        let summary: Value = serde_json::from_str(&ended.report("summary.json")).unwrap();
        Self(summary["clauses"].as_array().unwrap().clone())
    }

    /// The clauses that failed, of any level.
    fn failed(&self) -> BTreeSet<&str> {
        let fails = |clause: &&Value| {
            matches!(clause["verdict"].as_str(), Some("failed" | "warning" | "not_supported"))
        };
        self.0.iter().filter(fails).map(|clause| clause["id"].as_str().unwrap()).collect()
    }

    /// How many clauses are skipped because of this one.
    fn blocked_by(&self, clause: &str) -> usize {
        let reason = format!("blocked by {clause}");
        self.0.iter().filter(|clause| clause["reason"] == reason.as_str()).count()
    }

    fn are_free(&self) -> bool {
        !self.0.iter().any(|clause| clause.to_string().contains("blocked by"))
    }
}

/// The result of a run against a reference with faults.
fn verdicts(faults: &[&str], selection: &[&str], code: i32) -> Verdicts {
    let reference = Reference::wrong(faults);
    let program = kube_assay(&["run", "--server", &reference.url(), "--token", reference.token()]);
    Verdicts::of(&program.with(selection).end().ended_with(code))
}

#[test]
fn a_type_of_patch_that_is_not_there_fails_one_clause() {
    let selection = ["--area", "patch", "--area", "update", "--event-timeout", "5s"];
    let verdicts = verdicts(&["patch-type-merge-accepted"], &selection, 1);
    assert_eq!(verdicts.failed(), BTreeSet::from(["patch-type-merge-accepted"]));
    assert!(verdicts.blocked_by("patch-type-merge-accepted") > 10);
}

#[test]
fn a_watch_that_is_not_there_fails_one_clause() {
    let selection = ["--area", "watch", "--area", "bookmarks", "--event-timeout", "5s"];
    let verdicts = verdicts(&["watch-list-then-watch"], &selection, 1);
    assert_eq!(verdicts.failed(), BTreeSet::from(["watch-list-then-watch"]));
    assert!(verdicts.blocked_by("watch-list-then-watch") > 20);
}

#[test]
fn where_the_probe_is_not_chosen_nothing_is_blocked() {
    let selection = ["--clause", "patch-merge-combines", "--event-timeout", "5s"];
    let verdicts = verdicts(&["patch-type-merge-accepted"], &selection, 1);
    assert!(verdicts.are_free() && verdicts.failed().contains("patch-merge-combines"));
}

#[test]
fn nothing_of_the_basic_profile_is_blocked_on_a_right_server() {
    let verdicts = verdicts(&[], &["--profile", "basic"], 0);
    assert!(verdicts.are_free());
    assert!((130..=170).contains(&verdicts.0.len()), "{}", verdicts.0.len());
}
