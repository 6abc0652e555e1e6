//! The exchanges of a scenario: as text for its evidence, and as steps for a script.

use std::borrow::Cow;

use http::Method;
use model::{Exchange, RecordedRequest, RecordedStep, Request, Resource, Transcript, keep_used_values};
use serde_json::Value;

use super::Context;
use crate::definition;
use crate::fixture::path_of;

/// The number of exchanges in the evidence of a scenario that did not pass.
const EVIDENCE: usize = 5;

/// The length of all steps of a scenario, in bytes: a script of more is of no use to anybody.
const LARGEST: usize = 512 << 10;

/// The exchanges so far.
#[derive(Debug, Default)]
pub(super) struct ExchangeLog {
    transcripts: Vec<Option<Transcript>>,
    steps: Vec<RecordedStep>,
    /// The groups of definitions that scenarios share, each with the steps that define what this one uses of it.
    relied_on: Vec<(String, [RecordedStep; 2])>,
    size: usize,
    /// What the first object of a response has, and its request did not ask for.
    unasked_change: Option<String>,
}

impl ExchangeLog {
    /// The position of a request that is about to be sent.
    pub(super) fn reserve(&mut self, request: &Request) -> usize {
        let index = self.transcripts.len();
        self.transcripts.push(None);
        let step = match RecordedRequest::of(Some(index), request) {
            Ok(recorded) => RecordedStep::Request(Box::new(recorded)),
            Err(why) => RecordedStep::action(format!("{} {}: {why}", request.method, request.path)),
        };
        self.add_step(step);
        index
    }

    /// Adds a step, unless there are too many.
    pub(super) fn add_step(&mut self, step: RecordedStep) {
        if self.size > LARGEST {
            return;
        }
        self.size += step.size();
        let full = self.size > LARGEST;
        self.steps.push(if full {
            RecordedStep::action("further requests, which are too many")
        } else {
            step
        });
    }

    /// Keeps a response.
    pub(super) fn respond(&mut self, exchange: &Exchange, transcript: Transcript, stream: bool) {
        self.transcripts[exchange.index] = Some(transcript);
        if self.unasked_change.is_none() && exchange.succeeded() {
            self.unasked_change = added_finalizer(exchange).or_else(|| changed_kind(exchange));
        }
        let of_exchange = |step: &RecordedStep| match step {
            RecordedStep::Request(request) => request.exchange == Some(exchange.index),
            RecordedStep::Action { .. } => false,
        };
        let position = self.steps.iter().rposition(of_exchange);
        if let Some(RecordedStep::Request(request)) = position.map(|at| &mut self.steps[at]) {
            request.respond(exchange, stream);
        }
    }

    /// The number of exchanges.
    pub(super) fn len(&self) -> usize {
        self.transcripts.len()
    }

    /// The last exchanges up to the decisive one.
    pub(super) fn evidence(&self, decisive: Option<usize>) -> Vec<Transcript> {
        let end = decisive.map_or(self.len(), |index| (index + 1).min(self.len()));
        self.transcripts[end.saturating_sub(EVIDENCE)..end].iter().flatten().cloned().collect()
    }
}

impl Context {
    /// All steps so far, after the definitions of custom resources that they rely on.
    pub(crate) fn steps(&self) -> Vec<RecordedStep> {
        let (mut steps, shared) = {
            let log = self.exchange_log();
            (log.steps.clone(), log.relied_on.clone())
        };
        // If this scenario has created the definition for all others, it needs a part of it alone.
        steps.retain(|step| !shared.iter().any(|(group, _)| creates_definition(step, group)));
        let session = self.session();
        let mut all: Vec<RecordedStep> = session
            .definitions
            .shared()
            .filter_map(|resource| relied_on(resource, &session.id, &steps))
            .flatten()
            .chain(shared.into_iter().flat_map(|(_, steps)| steps))
            .collect();
        all.extend(steps);
        keep_used_values(&mut all);
        all
    }

    /// The scenario uses a type that another scenario has defined: a script that repeats it begins with this definition.
    pub fn relies_on(&self, definition: &Value) {
        let spec = &definition["spec"];
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (group, version) = (text(&spec["group"]), text(&spec["versions"][0]["name"]));
        let path = format!("/apis/{group}/{version}/{}", text(&spec["names"]["plural"]));
        let mut log = self.exchange_log();
        if !log.relied_on.iter().any(|(known, _)| *known == group) {
            log.relied_on.push((group, defining(definition, path)));
        }
    }

    /// The namespaces that the scenario created, and the shared definitions that it uses, without those that it deletes.
    pub(crate) fn relied_on_paths(&self) -> Vec<String> {
        let (session, log) = (self.session(), self.exchange_log());
        if log.size > LARGEST {
            // A deletion may be among the steps that are not kept.
            return Vec::new();
        }
        let shared = session.definitions.shared().filter(|one| uses(&log.steps, &one.group, &one.plural));
        let definitions = shared.map(|one| path_of(definition::DEFINITIONS, &definition::name_of(one)));
        let mut paths = session.fixtures.namespaces_of(self.number());
        // Those that the run created have numbers, and perhaps an x. Others were asked for because they do not exist.
        paths.retain(|path| path.trim_end_matches('x').ends_with(|last: char| last.is_ascii_digit()));
        paths.extend(definitions);
        let deleted: Vec<&str> = requests(&log.steps)
            .filter(|request| request.method == "DELETE")
            .filter_map(|request| request.target.split('?').next())
            .collect();
        // A deletion of the collection is one of all that is in it.
        paths.retain(|path| !deleted.iter().any(|deleted| path.starts_with(deleted)));
        paths
    }

    /// The paths of the objects that the scenario has created under names of its own, in the order of their creation.
    pub(crate) fn created_paths(&self) -> Vec<String> {
        let beginning = format!("/{}", self.session().fixtures.names_of(self.number()));
        let mut paths: Vec<String> = requests(&self.exchange_log().steps).filter_map(created_path).collect();
        paths.retain(|path| path.contains(&beginning));
        paths
    }

    /// What the first object of a response has, and its request did not ask for: a finalizer, or another kind.
    pub(crate) fn unasked_change(&self) -> Option<String> {
        self.exchange_log().unasked_change.clone()
    }

    /// Whether a response of the scenario has this text.
    pub(crate) fn was_told(&self, text: &str) -> bool {
        let log = self.exchange_log();
        log.transcripts.iter().flatten().any(|transcript| transcript.response.contains(text))
    }

    /// The kept responses of the scenario with this text.
    pub(crate) fn responses_with(&self, text: &str) -> Vec<String> {
        let log = self.exchange_log();
        let responses = log.transcripts.iter().flatten().map(|transcript| &transcript.response);
        responses.filter(|response| response.contains(text)).cloned().collect()
    }

    /// Whether a request of the scenario names the type of this definition.
    pub(crate) fn uses_definition(&self, name: &str) -> bool {
        let named = name.split_once('.');
        named.is_some_and(|(plural, group)| uses(&self.exchange_log().steps, group, plural))
    }

    /// Records an action that no script can repeat.
    pub(crate) fn record_action(&self, action: impl Into<String>) {
        self.exchange_log().add_step(RecordedStep::action(action));
    }
}

fn requests(steps: &[RecordedStep]) -> impl Iterator<Item = &RecordedRequest> {
    steps.iter().filter_map(|step| match step {
        RecordedStep::Request(request) => Some(request.as_ref()),
        RecordedStep::Action { .. } => None,
    })
}

/// The path of the object that a request has created.
fn created_path(request: &RecordedRequest) -> Option<String> {
    let path = request.target.split('?').next().filter(|_| request.status == Some(201))?;
    if request.method != "POST" {
        return Some(path.to_owned());
    }
    let body: Value = serde_json::from_str(request.body.as_deref()?).ok()?;
    Some(path_of(path, body["metadata"]["name"].as_str()?))
}

/// A finalizer that a created object has, and its request has not.
fn added_finalizer(exchange: &Exchange) -> Option<String> {
    let created = exchange.json().filter(|_| exchange.status() == 201)?;
    let body = sent(exchange);
    let finalizers = created["metadata"]["finalizers"].as_array()?;
    let added = finalizers.iter().filter_map(Value::as_str).find(|name| !body.contains(name))?;
    let path = &exchange.request.path;
    Some(format!("what the run creates at {path} has the finalizer {added}, which it did not ask for"))
}

/// Another kind than that of the request, in the response to a POST or a PUT.
fn changed_kind(exchange: &Exchange) -> Option<String> {
    let request = &exchange.request;
    if ![Method::POST, Method::PUT].contains(&request.method) {
        return None;
    }
    let (kind, body) = (exchange.json()?["kind"].as_str()?, sent(exchange));
    // Bindings and evictions return a Status. Few bodies have to be parsed.
    if kind == "Status" || body.contains(&format!("\"{kind}\"")) {
        return None;
    }
    let body: Value = serde_json::from_str(&body).ok()?;
    let sent = body["kind"].as_str()?;
    Some(format!("what the run sends to {} as {sent} comes back as {kind}", request.path))
}

/// The text of the request's body.
fn sent(exchange: &Exchange) -> Cow<'_, str> {
    String::from_utf8_lossy(exchange.request.body.as_deref().unwrap_or_default())
}

/// Whether a request names a type.
fn uses(steps: &[RecordedStep], group: &str, plural: &str) -> bool {
    requests(steps).any(|request| {
        let body = request.body.as_deref().unwrap_or_default();
        [request.target.as_str(), body].iter().any(|text| text.contains(group) && text.contains(plural))
    })
}

/// Whether a step creates a definition of this group.
fn creates_definition(step: &RecordedStep, group: &str) -> bool {
    requests(std::slice::from_ref(step)).any(|request| {
        let creates = request.method == "POST" && request.target == definition::DEFINITIONS;
        creates && request.body.as_deref().unwrap_or_default().contains(group)
    })
}

/// The steps that define a custom resource, if a scenario uses it and has not defined it itself.
fn relied_on(resource: &Resource, run: &str, steps: &[RecordedStep]) -> Option<[RecordedStep; 2]> {
    let uses = uses(steps, &resource.group, &resource.plural);
    let served = format!("{}/{}", resource.root(), resource.plural);
    let defines = steps.iter().any(|step| creates_definition(step, &resource.group));
    (uses && !defines).then(|| defining(&definition::manifest(resource, run), served))
}

/// The steps that create a definition, and wait until the type at a path is served.
fn defining(definition: &Value, path: String) -> [RecordedStep; 2] {
    let create = Request::post(definition::DEFINITIONS, definition);
    [(create, 201), (Request::get(path), 200)].map(|(request, status)| {
        let recorded = RecordedRequest::of(None, &request);
        recorded.map_or_else(RecordedStep::action, |recorded| {
            RecordedStep::Request(Box::new(RecordedRequest { status: Some(status), ..recorded }))
        })
    })
}
