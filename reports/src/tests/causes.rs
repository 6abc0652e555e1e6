//! Failures with one cause are reported together.

use std::sync::Arc;

use model::{Event, Outcome};

use super::example::{Example, clause, failed, transcript};
use super::{record, rendered, shown};
use crate::causes::Causes;
use crate::{Format, Look, Options};

/// A scenario with its request and its outcome.
type FinishedScenario<'a> = (&'a str, &'a str, Outcome);

fn run(scenarios: &[FinishedScenario]) -> Vec<Event> {
    let ids = scenarios.iter().map(|(id, ..)| id.split('/').next().unwrap());
    let mut clauses: Vec<_> = ids.map(|id| clause("watch", id, "must", "It watches.")).collect();
    clauses.sort_by(|one, other| one.id.cmp(&other.id));
    clauses.dedup_by(|one, other| one.id == other.id);
    let mut run = Example::new(clauses);
    run.start(scenarios.len());
    for (id, request, outcome) in scenarios {
        let response = "HTTP/2.0 500 Internal Server Error\n\n{}";
        run.add(id, 1, outcome.clone()).evidence = vec![transcript(request, response, 7)];
    }
    run.end(&[]);
    run.events
}

fn broken(expected: &str) -> Outcome {
    failed(expected, "500 InternalError: no watch")
}

/// The causes by title, each with its clauses and types.
fn causes_of(events: &[Event]) -> Vec<(String, Vec<String>, Vec<String>)> {
    let record = record(events);
    let causes = Causes::of(&record);
    let owned = |words: Vec<&str>| words.into_iter().map(str::to_owned).collect();
    let all = causes.all().iter().map(|cause| {
        let clauses = cause.clauses.iter().map(|clause| clause.id.as_str()).collect();
        (cause.title.clone(), owned(clauses), owned(cause.kinds.clone()))
    });
    all.collect()
}

const WATCH: &str = "GET /api/v1/namespaces/assay-k3f9x-1-1/configmaps?watch=1";
const FROM: &str = "GET /api/v1/namespaces/assay-k3f9x-2-2/configmaps?resourceVersion=12&watch=1";
const GADGETS: &str = "GET /apis/k3f9x.kube-assay.dev/v1/namespaces/assay-k3f9x-3-3/gadgets?watch=1";
const PUT: &str = "PUT /api/v1/namespaces/assay-k3f9x-4-4/configmaps/a";

fn no_watch() -> Vec<FinishedScenario<'static>> {
    vec![
        ("w-a", WATCH, broken("a watch, HTTP 200")),
        ("w-a/custom-resource", GADGETS, broken("a watch, HTTP 200")),
        ("w-b", FROM, broken("HTTP 410")),
        ("w-c", PUT, failed("HTTP 409", "200 ConfigMap a at version 12")),
        ("w-d", PUT, failed("HTTP 422", "200 ConfigMap a at version 15")),
    ]
}

#[test]
fn an_error_is_one_cause_whatever_was_legal_and_a_success_is_what_should_not_have_been() {
    let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let put = |code: u16| {
        format!("PUT {{resource}}/{{name}}: expected HTTP {code}, got 200 {{kind}} {{name}} at version {{n}}")
    };
    let title = "GET {resource}?watch=true: 500 InternalError: no watch".to_owned();
    let expected = [
        (title, owned(&["w-a", "w-b"]), owned(&["custom-resource"])),
        (put(409), owned(&["w-c"]), owned(&[])),
        (put(422), owned(&["w-d"]), owned(&[])),
    ];
    assert_eq!(causes_of(&run(&no_watch())), expected);
}

#[test]
fn a_clause_that_is_broken_alike_on_several_types_is_one_cause() {
    let roles = "PUT /apis/rbac.authorization.k8s.io/v1/clusterroles/assay-k3f9x-9-a";
    let causes = causes_of(&run(&[
        ("w-a", PUT, failed("it as it was", "data.value differs")),
        ("w-a/cluster-scoped", roles, failed("it as it was", "rules differ")),
        ("w-b", PUT, failed("it as it was", "data.other differs")),
        ("w-a/custom-resource", PUT, broken("it as it was")),
    ]));
    let sizes: Vec<_> =
        causes.iter().map(|(_, clauses, kinds)| (clauses.join(" "), kinds.join(" "))).collect();
    let pair = |clauses: &str, kinds: &str| (clauses.to_owned(), kinds.to_owned());
    assert_eq!(sizes, [pair("w-a", "cluster-scoped"), pair("w-a", "custom-resource"), pair("w-b", "")]);
}

#[test]
fn the_order_in_which_scenarios_end_and_the_names_of_a_run_change_nothing() {
    let mut later = no_watch();
    later.reverse();
    let again: Vec<(String, String, Outcome)> = later
        .iter()
        .map(|(id, request, outcome)| ((*id).to_owned(), request.replace("k3f9x", "zzzzz"), outcome.clone()))
        .collect();
    let again: Vec<FinishedScenario> =
        again.iter().map(|(id, request, outcome)| (id.as_str(), request.as_str(), outcome.clone())).collect();
    assert_eq!(causes_of(&run(&again)), causes_of(&run(&no_watch())));
}

#[test]
fn what_is_known_to_fail_and_what_passed_is_of_no_cause() {
    let mut events = run(&[("w-a", WATCH, broken("a")), ("w-b", WATCH, Outcome::Passed)]);
    for event in &mut events {
        if let model::EventKind::ScenarioFinished(finished) = &mut event.kind {
            Arc::make_mut(finished).known_failure =
                Some(model::FailureReason { reason: "r".to_owned(), link: "l".to_owned() });
        }
    }
    assert!(causes_of(&events).is_empty());
}

/// A run with this number of clauses and causes, with requests and responses of the usual size.
fn large(clauses: usize, causes: usize) -> Vec<Event> {
    let ids: Vec<String> =
        (0..clauses).map(|number| format!("rv-list-exact-nolimit-nonzero-{number}")).collect();
    let responses = ["watch", "patch", "apply", "limit", "status", "dry", "selector", "delete", "put"];
    let responses: Vec<String> =
        responses.map(|word| format!("500 InternalError: there is no {word} here")).to_vec();
    let failed: Vec<FinishedScenario> = (0..clauses)
        .map(|at| (ids[at].as_str(), PUT, failed("HTTP 409 with a Status", &responses[at % causes])))
        .collect();
    let mut events = run(&failed);
    for event in &mut events {
        if let model::EventKind::ScenarioFinished(finished) = &mut event.kind {
            Arc::make_mut(finished).evidence[0].response =
                format!("HTTP/2.0 500 X\n\n{{\"items\":[{}]}}", "{\"a\":1},".repeat(90));
        }
    }
    events
}

#[test]
fn a_test_error_is_folded_under_the_failure_with_the_same_response() {
    let errored = |cause: &str| Outcome::Errored { test_error: model::TestError::new("arrange", cause) };
    let scenarios = [
        ("w-a", PUT, failed("HTTP 200", "500 InternalError: no write")),
        ("w-b", PUT, errored("500 InternalError: no write of another kind")),
        ("w-c", WATCH, errored("500 InternalError: no write")),
        ("w-d", PUT, errored("503 ServiceUnavailable: later")),
    ];
    let events = run(&scenarios);
    let record = record(&events);
    let causes = Causes::of(&record);
    let sizes: Vec<String> =
        causes.all().iter().map(|cause| format!("{} {}", cause.clause().id, cause.size())).collect();
    assert_eq!(sizes, ["w-a 2 clauses, 1 inconclusive", "w-c 1 clause", "w-d 1 clause"]);
    let (_, results) = shown(&events, Options::default());
    let (_, list) = results.split_once("\nrun again\n").unwrap();
    let listed = |id: &str| list.contains(&format!("--clause {id} "));
    assert!(listed("w-a") && !listed("w-b") && listed("w-c") && listed("w-d"), "{list}");
}

#[test]
fn two_hundred_clauses_of_nine_causes_fit_on_a_few_screens() {
    let look = Look { width: 80, colour: false };
    let (_, results) = shown(&large(200, 9), Options { results: look, ..Options::default() });
    assert!(results.lines().count() < 300, "{}", results.lines().count());
    assert!(results.contains("cause 4 of 9") && results.contains("15 more (-v)"), "{results}");
    assert!(results.contains("180 more in report.html\n"), "{results}");
    let verbose = Options { results: look, verbosity: crate::Verbosity::Verbose, ..Options::default() };
    assert!(shown(&large(200, 9), verbose).1.contains("rv-list-exact-nolimit-nonzero-199  must"));
}

/// This number of distinct responses.
fn unlike(count: u32) -> Vec<String> {
    let digit = |byte: u8| char::from(byte + b'a' - b'0');
    (0..count).map(|at| at.to_string().bytes().map(digit).collect()).collect()
}

#[test]
fn too_many_causes_are_grouped_by_the_kind_of_mistake() {
    let ids: Vec<String> = (0..60).map(|number| format!("w-{number}")).collect();
    let responses = unlike(60);
    let titles = |count: usize| {
        let one = |at: usize| match at % 3 {
            0 => (PUT, failed("HTTP 409 with a Status", &format!("200 {}", responses[at]))),
            1 => (WATCH, broken(&responses[at])),
            _ => (FROM, failed(&responses[at], &responses[at])),
        };
        let all = (0..count).map(one).zip(&ids);
        let all: Vec<FinishedScenario> =
            all.map(|((request, outcome), id)| (id.as_str(), request, outcome)).collect();
        causes_of(&run(&all)).into_iter().map(|(title, ..)| title).collect::<Vec<_>>()
    };
    assert_eq!(titles(21).len(), 15, "{:?}", titles(21));
    let mistakes = [
        "a write that must be refused succeeds",
        "a legal read fails",
        "a read of a watch has a response with wrong content",
    ];
    assert_eq!(titles(60), mistakes);
}

#[test]
fn no_number_of_causes_fills_more_than_a_few_screens() {
    let ids: Vec<String> = (0..300).map(|number| format!("w-{number}")).collect();
    let why = |word: &String| Outcome::Errored {
        test_error: model::TestError::new("send", format!("it is {word}")),
    };
    let failed = ids.iter().zip(unlike(300)).map(|(id, word)| (id.as_str(), PUT, why(&word)));
    let look = Look { width: 80, colour: false };
    let (_, results) =
        shown(&run(&failed.collect::<Vec<_>>()), Options { results: look, ..Options::default() });
    assert!(results.lines().count() < 250, "{}", results.lines().count());
    assert!(
        results.contains("and 275 causes more: see report.html") && results.contains("cause 7 of 300"),
        "{results}"
    );
}

#[test]
fn github_gets_a_cause_once_with_all_its_clauses() {
    let commands = rendered(Format::Annotations, &large(200, 9));
    assert_eq!(commands.lines().count(), 9);
    assert!(commands.contains("and 22 clauses more"), "{commands}");
}
