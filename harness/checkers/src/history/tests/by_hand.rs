//! Small histories: right ones, and wrong ones that differ little.

use super::super::{Doubt, timeline};
use super::*;

use Freshness::{Any, MostRecent};

/// Writes create `a` at 10 and patch it at 12; a watcher follows.
fn background() -> Vec<Operation> {
    vec![
        operation("writer 1", 0, 10, create("a", "v1", "10")),
        operation("writer 1", 20, 30, patch("a", "v2", done("12"))),
        operation("watcher", 11, 11, event("a", "10", Some("v1"))),
        operation("watcher", 31, 31, event("a", "12", Some("v2"))),
    ]
}

fn with(others: impl IntoIterator<Item = Operation>) -> HistoryResult {
    let mut operations = background();
    operations.extend(others);
    judged(&operations)
}

#[test]
fn a_read_during_a_write_may_return_either_state() {
    for state in [("v1", "10"), ("v2", "12")] {
        let judged = with([operation("reader", 25, 29, get("a", MostRecent, Some(state)))]);
        assert_eq!(judged, HistoryResult { violations: Vec::new(), undecided: None });
    }
}

#[test]
fn a_read_after_a_write_returns_it() {
    let judged = with([operation("reader", 31, 40, get("a", MostRecent, Some(("v1", "10"))))]);
    assert_eq!(broken(&judged), [HistoryRule::ReadsLinearizable]);
    let Err(Doubt::Broken(violation)) = judged.of(HistoryRule::ReadsLinearizable) else {
        panic!("{judged:?}")
    };
    assert_eq!(violation.operations.len(), 2);
}

#[test]
fn a_read_after_a_read_does_not_go_back() {
    let newer = operation("reader 1", 21, 22, get("a", MostRecent, Some(("v2", "12"))));
    let older = |called| operation("reader 2", called, 29, get("a", MostRecent, Some(("v1", "10"))));
    assert_eq!(broken(&with([newer.clone(), older(22)])), []);
    assert_eq!(broken(&with([newer, older(23)])), [HistoryRule::ReadsLinearizable]);
}

#[test]
fn a_read_at_version_0_may_be_old_but_not_invented() {
    let late = |state| with([operation("reader", 90, 91, get("a", Any, state))]);
    assert_eq!(broken(&late(Some(("v1", "10")))), []);
    assert_eq!(broken(&late(None)), []);
    assert_eq!(broken(&late(Some(("v1", "12")))), [HistoryRule::CachedReadsWhole]);
    assert_eq!(broken(&late(Some(("v1|v2", "12")))), [HistoryRule::CachedReadsWhole]);
}

#[test]
fn a_list_returns_the_state_at_its_version() {
    let late = |version, item| with([operation("reader", 90, 91, list(Any, version, &[("a", item)]))]);
    for (version, item) in
        [("10", ("v1", "10")), ("11", ("v1", "10")), ("12", ("v2", "12")), ("99", ("v2", "12"))]
    {
        assert_eq!(broken(&late(version, item)), [], "{version}");
    }
    assert_eq!(broken(&late("11", ("v2", "12"))), [HistoryRule::ListsSnapshot]);
    assert_eq!(broken(&late("12", ("v1", "10"))), [HistoryRule::ListsSnapshot]);
    assert_eq!(broken(&late("9", ("v1", "10"))), [HistoryRule::ListsSnapshot]);
}

#[test]
fn a_list_without_a_resource_version_is_recent() {
    let late = |freshness| with([operation("reader", 90, 91, list(freshness, "11", &[("a", ("v1", "10"))]))]);
    assert_eq!(broken(&late(Any)), []);
    assert_eq!(broken(&late(MostRecent)), [HistoryRule::ReadsLinearizable]);
}

#[test]
fn versions_increase_in_the_order_of_the_writes() {
    let another = |called, version| {
        let judged = with([operation("writer 2", called, 50, create("b", "v3", version))]);
        judged.of(HistoryRule::WritesOrdered).is_ok()
    };
    assert!(another(30, "11"));
    assert!(!another(31, "11"));
    assert!(!another(31, "12"));
    assert!(another(31, "13"));
}

#[test]
fn an_update_follows_the_version_that_it_names() {
    let update = |from| {
        with([
            operation("writer 2", 40, 50, update("a", "v3", from, done("14"))),
            operation("watcher", 51, 51, event("a", "14", Some("v3"))),
        ])
    };
    assert_eq!(broken(&update("12")), []);
    assert_eq!(broken(&update("10")), [HistoryRule::WritesOrdered]);
}

#[test]
fn a_conflict_requires_another_version() {
    let refused = |called, from| {
        let refused = WriteOutcome::Refused(Refusal::Conflict);
        with([operation("writer 2", called, called + 1, update("a", "v3", from, refused))])
    };
    assert_eq!(broken(&refused(40, "10")), []);
    assert_eq!(broken(&refused(25, "10")), []);
    assert_eq!(broken(&refused(40, "12")), [HistoryRule::RefusalsWithoutTrace]);
    assert_eq!(broken(&refused(15, "10")), [HistoryRule::RefusalsWithoutTrace]);
}

#[test]
fn no_watch_shows_a_refused_write() {
    let refused = patch("a", "v3", WriteOutcome::Refused(Refusal::Conflict));
    let seen = operation("watcher", 60, 60, event("a", "14", Some("v3")));
    assert_eq!(broken(&with([operation("writer 2", 40, 50, refused.clone())])), []);
    assert_eq!(
        broken(&with([operation("writer 2", 40, 50, refused), seen])),
        [HistoryRule::RefusalsWithoutTrace]
    );
}

#[test]
fn a_write_without_a_response_may_have_happened_later_or_never_but_not_twice() {
    let cut = operation("writer 2", 13, 14, patch("a", "v3", WriteOutcome::Unknown));
    let seen = |at, version| operation("watcher", at, at, event("a", version, Some("v3")));
    assert_eq!(broken(&with([cut.clone()])), []);
    assert_eq!(broken(&with([cut.clone(), seen(60, "14")])), []);
    let again = operation("reader", 70, 80, get("a", MostRecent, Some(("v3", "15"))));
    assert_eq!(broken(&with([cut, seen(60, "14"), seen(61, "15"), again])), [HistoryRule::UnknownOutcomes]);
}

#[test]
fn an_update_without_a_response_keeps_its_condition() {
    let cut = |from| {
        with([
            operation("writer 2", 40, 41, update("a", "v3", from, WriteOutcome::Unknown)),
            operation("watcher", 60, 60, event("a", "14", Some("v3"))),
        ])
    };
    assert_eq!(broken(&cut("12")), []);
    assert_eq!(broken(&cut("10")), [HistoryRule::UnknownOutcomes]);
}

#[test]
fn all_watchers_receive_the_same_events() {
    let second = |events: &[(&str, &str)]| {
        let event_of = |(version, value): &(&str, &str)| {
            operation("watcher 2", 70, 70, event("a", version, Some(value)))
        };
        with(events.iter().map(event_of))
    };
    assert_eq!(broken(&second(&[("10", "v1"), ("12", "v2")])), []);
    assert_eq!(broken(&second(&[("10", "v1")])), []);
    assert_eq!(broken(&second(&[("12", "v2"), ("10", "v1")])), [HistoryRule::WatchersAgree]);
    assert_eq!(broken(&second(&[("12", "v2")])), [HistoryRule::WatchersAgree]);
    assert_eq!(broken(&second(&[("10", "v1"), ("12", "v2"), ("12", "v2")])), [HistoryRule::WatchersAgree]);
    assert_eq!(broken(&second(&[("10", "v1"), ("12", "v1")])), [HistoryRule::WatchersAgree]);
}

#[test]
fn watchers_receive_a_deletion_and_it_ends_the_object() {
    let deleted = operation("writer 2", 40, 50, write("a", Verb::Delete, WriteOutcome::Done(None)));
    let gone = operation("watcher", 51, 51, event("a", "13", None));
    let again = operation("writer 1", 60, 70, create("a", "v3", "15"));
    let seen = operation("watcher", 71, 71, event("a", "15", Some("v3")));
    let there = operation("reader", 55, 56, get("a", MostRecent, Some(("v2", "12"))));
    let whole = [deleted.clone(), gone.clone(), again.clone(), seen.clone()];
    assert_eq!(broken(&with(whole.clone())), []);
    assert_eq!(broken(&with(whole.into_iter().chain([there]))), [HistoryRule::ReadsLinearizable]);
    assert_eq!(broken(&with([deleted, again.clone(), seen.clone()])), [HistoryRule::WatchersAgree]);
    assert_eq!(broken(&with([gone, again, seen])), [HistoryRule::WatchersAgree]);
}

/// A write creates an object, another deletes it, and no client watches.
fn unwatched(deletion: WriteOutcome, versions: [&str; 2], value: Option<&str>) -> HistoryResult {
    let read = get("a", MostRecent, value.map(|value| (value, versions[0])));
    judged(&[
        operation("writer", 0, 10, create("a", "v1", versions[0])),
        operation("writer", 20, 30, write("a", Verb::Delete, deletion)),
        operation("reader 1", 40, 50, read),
        operation("reader 2", 60, 70, get("a", MostRecent, None)),
        operation("writer", 80, 90, create("a", "v2", versions[1])),
    ])
}

#[test]
fn without_a_watcher_the_judge_searches_for_an_order() {
    let done = WriteOutcome::Done(None);
    for versions in [["10", "14"], ["x", "c"]] {
        assert!(unwatched(done.clone(), versions, None).of(HistoryRule::ReadsLinearizable).is_ok());
        assert!(unwatched(WriteOutcome::Unknown, versions, None).of(HistoryRule::ReadsLinearizable).is_ok());
        assert!(
            unwatched(WriteOutcome::Unknown, versions, Some("v1")).of(HistoryRule::ReadsLinearizable).is_ok()
        );
        let stale = unwatched(done.clone(), versions, Some("v1"));
        assert!(matches!(stale.of(HistoryRule::ReadsLinearizable), Err(Doubt::Broken(_))), "{stale:?}");
    }
}

#[test]
fn without_an_order_of_the_writes_reads_are_undecided() {
    let judged = with([operation("writer 2", 31, 50, create("b", "v3", "12"))]);
    assert!(matches!(judged.of(HistoryRule::ReadsLinearizable), Err(Doubt::Undecided(_))), "{judged:?}");
}

#[test]
fn a_timeline_has_a_line_per_operation() {
    let operations = [
        operation("writer 2", 12, 16, patch("a", "w2.7", done("1045"))),
        operation("writer 10", 13, 14, patch("b", "w10.3", WriteOutcome::Unknown)),
        operation("reader 1", 15, 19, get("a", MostRecent, Some(("w2.7", "1045")))),
        operation("watcher 1", 20, 20, event("a", "1045", Some("w2.7"))),
        operation("reader 3", 21, 25, list(MostRecent, "1041", &[("a", ("w1.2", "1038"))])),
        operation("writer 2", 22, 24, update("a", "w2.8", "1038", WriteOutcome::Refused(Refusal::Conflict))),
    ];
    insta::assert_snapshot!(timeline(&operations), @r"
    12.000 ms  writer 2   ├───────────┤                    patch a = w2.7              → done, at 1045
    13.000 ms  writer 10     ├───╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌  patch b = w10.3             → no response
    15.000 ms  reader 1            ├─────┤                 get a                       → a = w2.7 at 1045
    20.000 ms  watcher 1                    │              receives                    → a = w2.7 at 1045
    21.000 ms  reader 3                        ├────────┤  list                        → at 1041: a = w1.2 at 1038
    22.000 ms  writer 2                           ├──┤     update a = w2.8, from 1038  → refused: conflict
    ");
}

#[test]
fn a_violation_prints_its_finding_and_a_timeline() {
    let judged = with([operation("reader", 31, 40, get("a", MostRecent, Some(("v1", "10"))))]);
    insta::assert_snapshot!(judged.violations[0], @r"
    a read returned a = v1 at 10, although a = v2 at 12 was known before its call

    20.000 ms  writer 1  ├──┤        patch a = v2  → done, at 12
    31.000 ms  reader          ├──┤  get a         → a = v1 at 10
    ");
}
