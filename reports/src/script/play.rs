//! The steps of a script: requests that a scenario only repeated while it waited become one.

use model::{Outcome, RecordedRequest, RecordedStep, ScenarioFinished, ServerValue};

/// A step of a script.
pub(super) enum Play<'a> {
    /// A request.
    Request(Request<'a>),
    /// An action that the script cannot repeat.
    Action(&'a str),
}

/// A request of a script.
pub(super) struct Request<'a> {
    /// Its number, from 1.
    pub(super) number: usize,
    /// The last of the equal requests.
    pub(super) recorded: &'a RecordedRequest,
    /// The positions of all of them among the exchanges.
    exchanges: Vec<usize>,
    /// The values of their responses, the latest first.
    pub(super) values: Vec<&'a ServerValue>,
    pub(super) repetition: Repetition,
}

/// How often a request is sent.
pub(super) enum Repetition {
    Once,
    /// Until the response has this status.
    Until(u16),
    /// The scenario waited for a certain content.
    Times(usize),
}

/// More equal requests than two in a row wait for something.
const WAITS: usize = 3;

/// The maximum number of repetitions without a known end.
const MOST_TIMES: usize = 20;

/// The steps of the script.
pub(super) fn plays(steps: &[RecordedStep]) -> Vec<Play<'_>> {
    let (mut plays, mut number, mut defined) = (Vec::new(), 0, false);
    for group in steps.chunk_by(repeats) {
        let requests: Vec<_> = group.iter().filter_map(request).collect();
        if let [RecordedStep::Action { action }] = group {
            plays.push(Play::Action(action));
        }
        let size = if waits(&requests) { requests.len() } else { 1 };
        for equal in requests.chunks(size) {
            number += 1;
            plays.extend(play(number, equal, defined));
            defined = equal.iter().any(|request| defines(request));
        }
    }
    plays
}

/// Whether a request creates a type: the server may serve it after a moment only.
fn defines(request: &RecordedRequest) -> bool {
    request.method == "POST" && request.path().ends_with("/customresourcedefinitions")
}

/// The number of the request whose response shows the failure.
pub(super) fn telling(plays: &[Play], finished: &ScenarioFinished) -> Option<usize> {
    let requests = || {
        plays.iter().filter_map(|play| match play {
            Play::Request(request) => Some(request),
            Play::Action(_) => None,
        })
    };
    let exchange = match &finished.outcome {
        Outcome::Failed { failure } => failure.exchange,
        _ => None,
    };
    let decisive = exchange.and_then(|at| requests().find(|request| request.exchanges.contains(&at)));
    decisive.or_else(|| requests().next_back()).map(|request| request.number)
}

fn request(step: &RecordedStep) -> Option<&RecordedRequest> {
    match step {
        RecordedStep::Request(request) => Some(request),
        RecordedStep::Action { .. } => None,
    }
}

/// Whether the next step sends the same request.
fn repeats(one: &RecordedStep, next: &RecordedStep) -> bool {
    let (Some(one), Some(next)) = (request(one), request(next)) else { return false };
    let key = |request: &RecordedRequest| {
        (request.method.clone(), request.target.clone(), request.headers.clone(), request.body.clone())
    };
    let same_sender = one.anonymous == next.anonymous && one.server == next.server;
    !one.stream && !next.stream && same_sender && key(one) == key(next)
}

/// Whether the scenario waited: it read several times, or the server was not ready.
fn waits(requests: &[&RecordedRequest]) -> bool {
    let Some((last, earlier)) = requests.split_last() else { return false };
    let unready =
        |request: &&RecordedRequest| request.status.is_some_and(|status| status == 429 || status >= 500);
    let reads = last.method == "GET" || last.method == "HEAD";
    !earlier.is_empty()
        && (earlier.iter().all(unready) || reads && (requests.len() >= WAITS || differ(requests)))
}

fn differ(requests: &[&RecordedRequest]) -> bool {
    requests.windows(2).any(|pair| pair[0].status != pair[1].status)
}

/// A request of the script; `defined`: the one before it creates a type.
fn play<'a>(number: usize, requests: &[&'a RecordedRequest], defined: bool) -> Option<Play<'a>> {
    let recorded = *requests.last()?;
    let repetition = match recorded.status {
        Some(status) if defined && recorded.method == "GET" => Repetition::Until(status),
        _ if requests.len() == 1 => Repetition::Once,
        Some(status) if differ(requests) => Repetition::Until(status),
        _ => Repetition::Times(requests.len().min(MOST_TIMES)),
    };
    let values = requests.iter().rev().flat_map(|request| &request.values).collect();
    let exchanges = requests.iter().filter_map(|request| request.exchange).collect();
    Some(Play::Request(Request { number, recorded, exchanges, values, repetition }))
}
