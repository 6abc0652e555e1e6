//! A run with everything in it that a reader can meet.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use model::{
    Clause, ClauseId, Curl, Event, EventKind, FORMAT, Failure, Invocation, Outcome, RecordedRequest,
    RecordedStep, Request, RunFinished, RunStarted, ScenarioFinished, TargetInfo, TestError, Transcript,
    Trust,
};
use serde_json::json;

const CONCEPTS: &str = "https://kubernetes.io/docs/reference/using-api/api-concepts/";

/// Events under construction, an instant apart.
pub(super) struct Example {
    pub(super) events: Vec<Event>,
    pub(super) clauses: Vec<Clause>,
    now: Timestamp,
}

pub(super) fn clause(area: &str, id: &str, level: &str, statement: &str) -> Clause {
    serde_json::from_value(json!({
        "id": id, "area": area, "level": level, "statement": statement, "observe": "GET",
        "upstream": format!("{CONCEPTS}#{area}"),
    }))
    .unwrap()
}

pub(super) fn failed(expected: &str, actual: &str) -> Outcome {
    Outcome::Failed {
        failure: Failure { expected: expected.to_owned(), actual: actual.to_owned(), exchange: Some(0) },
    }
}

pub(super) fn skipped(reason: &str) -> Outcome {
    Outcome::Skipped { reason: reason.to_owned() }
}

pub(super) fn transcript(request: &str, response: &str, elapsed_ms: u64) -> Transcript {
    let target = request.split([' ', '\n']).nth(1).unwrap_or_default();
    Transcript {
        curl: format!(
            r#"curl -ksS -X GET 'https://127.0.0.1:6443{target}' -H "Authorization: Bearer $TOKEN""#
        ),
        request: request.to_owned(),
        response: response.to_owned(),
        elapsed_ms,
    }
}

impl Example {
    pub(super) fn new(clauses: Vec<Clause>) -> Self {
        Self { events: Vec::new(), clauses, now: "2026-03-01T12:00:00Z".parse().unwrap() }
    }

    pub(super) fn emit(&mut self, kind: EventKind) {
        self.events.push(Event { at: self.now, kind });
    }

    pub(super) fn start(&mut self, scenarios: usize) {
        let target = TargetInfo {
            address: "https://127.0.0.1:6443".to_owned(),
            version: "1.36".parse().ok(),
            release: "v1.36.2".to_owned(),
            groups: vec![String::new(), "apps".to_owned()],
            ..TargetInfo::default()
        };
        self.emit(EventKind::RunStarted(Arc::new(RunStarted {
            format: FORMAT,
            tool: "kube-assay 0.1.0".to_owned(),
            run: "k3f9x".to_owned(),
            seed: 42,
            strict: false,
            target,
            clauses: self.clauses.clone(),
            scenarios,
            invocation: invocation(),
            without_scenario: without_scenario(&self.clauses),
            curl: Curl {
                address: "https://127.0.0.1:6443".to_owned(),
                trust: Trust::Any,
                bearer: true,
                ..Curl::default()
            },
            known_failures: Vec::new(),
        })));
    }

    /// Adds a scenario, named `clause` or `clause/variant`, that starts and ends.
    pub(super) fn add(&mut self, id: &str, millis: u64, outcome: Outcome) -> &mut ScenarioFinished {
        self.emit(EventKind::ScenarioStarted { scenario: id.into() });
        self.now += SignedDuration::from_millis(millis.try_into().unwrap());
        let clause = id.split('/').next().unwrap_or_default();
        self.emit(EventKind::ScenarioFinished(Arc::new(ScenarioFinished {
            elapsed: Duration::from_millis(millis),
            exchanges: 3,
            ..ScenarioFinished::new(id.into(), vec![clause.into()], outcome)
        })));
        match &mut self.events.last_mut().unwrap().kind {
            EventKind::ScenarioFinished(finished) => Arc::make_mut(finished),
            _ => unreachable!(),
        }
    }

    pub(super) fn end(&mut self, leftovers: &[&str]) {
        self.emit(EventKind::RunFinished(RunFinished {
            elapsed: Duration::from_millis(12_345),
            stopped: None,
            server_change: None,
            fixtures: 31,
            kept: Vec::new(),
            leftovers: leftovers.iter().map(|&path| path.to_owned()).collect(),
            terminating: 0,
            refused_removal: None,
            stale: Vec::new(),
        }));
    }
}

fn invocation() -> Invocation {
    Invocation {
        flags: ["--server=https://127.0.0.1:6443", "--token=[redacted]"].map(str::to_owned).to_vec(),
        profile: "core".to_owned(),
        labels: [("team".to_owned(), "storage".to_owned())].into(),
        tool_commit: "0123456789abcdef0123456789abcdef01234567".to_owned(),
        catalogue_digest: "ba7816bf8f01cfea414140de5dae2223".to_owned(),
        ..Invocation::default()
    }
}

fn without_scenario(clauses: &[Clause]) -> Vec<ClauseId> {
    let unwritten =
        |id: &&ClauseId| ["collections-items-in-name-order", "exec-upgrades"].contains(&id.as_str());
    clauses.iter().map(|clause| &clause.id).filter(unwritten).cloned().collect()
}

#[rustfmt::skip]
fn clauses() -> Vec<Clause> {
    vec![
        clause("collections", "collections-kind-ends-in-list", "must", "The kind of a collection ends in List."),
        clause("collections", "collections-items-in-name-order", "should", "The items of a list come in the order of their names."),
        clause("resource-version", "rv-list-exact-zero", "must", "A list with resourceVersionMatch=Exact and resourceVersion \"0\" is refused, because no list can be exactly as old as any."),
        clause("resource-version", "rv-list-unset-unset", "must", "A list without a resourceVersion shows the most recent state."),
        clause("resource-version", "rv-get-minimum", "must", "A read with a resourceVersion is at least as new as that."),
        clause("resource-version", "rv-watch-too-old", "must", "A watch from a version that was compacted ends in 410 Gone."),
        clause("streaming-subresources", "exec-upgrades", "should", "exec upgrades to WebSocket."),
        clause("watch", "watch-bookmark-periodic", "should", "A server sends a requested bookmark about every minute."),
        clause("watch", "watch-error-is-status", "must", "The object of an ERROR event is a Status."),
        clause("watch", "watch-list", "may", "A watch can begin with the initial state, in a stream."),
        clause("watch", "watch-table", "may", "A watch can return tables."),
        clause("watch", "watch-since-next", "must", "A rule that came with a later release."),
    ]
}

const LONG_LIST: &str = r#"{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"31415"},"items":[{"metadata":{"name":"a","namespace":"assay-k3f9x-12","uid":"5a0c5ea1-6a4f-4d0e-9f64-3d6b1a4f1c11","resourceVersion":"31410","creationTimestamp":"2026-03-01T12:00:00Z","managedFields":[{"manager":"kube-assay","operation":"Update","apiVersion":"v1","time":"2026-03-01T12:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{".":{},"f:color":{}}}}]},"data":{"color":"blue"}},{"metadata":{"name":"b","namespace":"assay-k3f9x-12","uid":"0b9c6a8e-f9b0-4a53-8b0b-0dcf0b0c0d22","resourceVersion":"31415"},"data":{"color":"red, and a value that is so long that it takes more than one line of any terminal that we know"}}]}"#;

/// Everything once.
pub(super) fn everything() -> Vec<Event> {
    let mut run = Example::new(clauses());
    run.start(11);
    run.add("watch-since-next", 0, skipped("since 1.37, and this server is 1.36")).exchanges = 0;
    run.add("collections-kind-ends-in-list", 41, Outcome::Passed);
    broken_musts(&mut run);
    let warned =
        run.add("watch-bookmark-periodic", 61_000, failed("a BOOKMARK within 60 s", "no event at all"));
    warned.evidence = vec![transcript(
        "GET /api/v1/namespaces/assay-k3f9x-9/configmaps?watch=true&allowWatchBookmarks=true",
        "HTTP/2.0 200 OK\ncontent-type: application/json",
        60_000,
    )];
    run.add("watch-list", 8, failed("HTTP 200", "400 BadRequest: sendInitialEvents is forbidden"));
    run.add("watch-table", 8, failed("a Table", "200 ConfigMapList of 0 items at version 3"));
    run.add("rv-watch-too-old", 30_000, Outcome::Errored { test_error: test_error() });
    let noted = run.add("rv-list-unset-unset", 25, Outcome::Passed);
    noted
        .notes
        .push("the released kube-apiserver returns 400 here, the text has 410; both are accepted".to_owned());
    run.add("watch-error-is-status", 25, Outcome::Passed);
    run.end(&[
        "/api/v1/namespaces/assay-k3f9x-12",
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets",
    ]);
    run.events
}

fn test_error() -> TestError {
    TestError::new("make version 31410 of the store expire", "the watch from it was still served after 30 s")
        .hint("give kube-assay a hook with --hook compact=CMD, or time with --wait-for-compaction")
}

fn broken_musts(run: &mut Example) {
    let list = run.add(
        "rv-list-exact-zero",
        12,
        failed("HTTP 400 with reason BadRequest or Invalid", "200 ConfigMapList of 2 items at version 31415"),
    );
    let request = Request::get("/api/v1/namespaces/assay-k3f9x-12/configmaps");
    list.steps = vec![RecordedStep::Request(Box::new(RecordedRequest::of(Some(0), &request).unwrap()))];
    list.evidence = vec![
        transcript("POST /api/v1/namespaces/assay-k3f9x-12/configmaps", "HTTP/2.0 201 Created", 9),
        transcript(
            "GET /api/v1/namespaces/assay-k3f9x-12/configmaps?resourceVersion=0&resourceVersionMatch=Exact\naccept: application/json",
            &format!("HTTP/2.0 200 OK\ncontent-type: application/json\n\n{LONG_LIST}"),
            7,
        ),
    ];
    let other = run.add(
        "rv-list-exact-zero/custom-resource",
        14,
        failed("HTTP 400", "500 InternalError: \u{1b}[31mboom\u{202e}"),
    );
    other.evidence = vec![transcript(
        "GET /apis/assay.dev/v1/gadgets?resourceVersion=0&resourceVersionMatch=Exact",
        "HTTP/2.0 500 Internal Server Error\n\n\u{1b}[31mboom\u{202e} ]]> \u{0}",
        7,
    )];
    run.add("rv-get-minimum", 9, failed("a version at least as new", "an older one"));
}
