//! A client of a history: it writes or reads, and records each outcome.

use harness::TestError;
use harness::history::{Action, Freshness, ObjectState, Operation, Refusal, Verb, WriteOutcome};

use super::script::{Read, Write, WriteMethod};
use crate::patch_types::merge_in;
use crate::prelude::*;

/// The annotation with the second half of a state. The halves differ if a server mixes two states.
const OTHER_HALF: &str = "kube-assay.dev/value";

/// The assumed latency before the first response.
const FIRST_LATENCY: Duration = Duration::from_millis(5);

/// A client, and the log of its operations.
pub(super) struct Client {
    cx: Context,
    collection: Collection,
    name: String,
    began: Instant,
    latency: Duration,
    written: usize,
    /// The operations, each with the index of its exchange, if it has one.
    pub(super) log: Vec<(Operation, Option<usize>)>,
    /// The test error of the last request without a response, or with one that tells nothing about a clause.
    pub(super) test_error: Option<TestError>,
}

impl Client {
    pub(super) fn new(collection: &Collection, name: String, began: Instant) -> Self {
        let (cx, collection) = (collection.context().clone(), collection.clone());
        let (latency, written) = (FIRST_LATENCY, 0);
        Self { cx, collection, name, began, latency, written, log: Vec::new(), test_error: None }
    }

    /// Sends the writes of a script until a deadline.
    pub(super) async fn write_all(mut self, script: Vec<Write>, until: Instant) -> Result<Self, Halt> {
        for write in script {
            if Instant::now() > until {
                break;
            }
            self.write(write).await?;
        }
        Ok(self)
    }

    /// Sends the reads of a script until a deadline.
    pub(super) async fn read_all(mut self, script: Vec<Read>, until: Instant) -> Result<Self, Halt> {
        for read in script {
            if Instant::now() > until {
                break;
            }
            match read {
                Read::Get(name, freshness) => drop(self.get(name, freshness).await?),
                Read::List(freshness) => self.list(freshness).await?,
            }
        }
        Ok(self)
    }

    pub(super) async fn write(&mut self, write: Write) -> Checked {
        self.written += 1;
        let value = format!("{}-{}", self.name.replace("writer ", "w").replace(' ', "-"), self.written);
        let Some((verb, request)) = self.request(write, value).await? else { return Ok(()) };
        let request = match write.cut {
            Some(hundredths) => request.within(self.latency * hundredths / 100),
            None => request,
        };
        let called = self.began.elapsed();
        let exchange = self.send(request).await?;
        // One that any request may get, as by a quota.
        let rejection = exchange.as_deref().filter(|exchange| !exchange.succeeded()).map(Exchange::object);
        if let Some(Err(Halt::Errored(test_error))) = rejection {
            self.test_error = Some(test_error);
        }
        let verb = match verb {
            // For some types, an update creates a missing object.
            Verb::Update { value, .. }
                if exchange.as_ref().is_some_and(|response| response.status() == 201) =>
            {
                Verb::Create(value)
            }
            verb => verb,
        };
        let response = exchange.as_deref().map_or(WriteOutcome::Unknown, |exchange| outcome(&verb, exchange));
        let action = Action::Write { name: write.name.to_owned(), verb, response };
        self.record(called, action, exchange.as_deref());
        Ok(())
    }

    /// The request of a write; `None` for an update of a missing object.
    async fn request(
        &mut self,
        Write { name, method, .. }: Write,
        value: String,
    ) -> Result<Option<(Verb, Request)>, Halt> {
        let (collection, path) = (self.collection.path(), self.collection.path_of(name));
        Ok(Some(match method {
            WriteMethod::Create => {
                let body = self.body(name, &value, None);
                (Verb::Create(value), Request::post(collection, &body))
            }
            WriteMethod::Update => {
                let Some(state) = self.get(name, Freshness::MostRecent).await? else { return Ok(None) };
                let from = state.version;
                let body = self.body(name, &value, Some(&from));
                (Verb::Update { value, from }, Request::put(path, &body))
            }
            WriteMethod::Patch => {
                let mut patch = self.collection.change(&value);
                merge_in(&mut patch, &second_half(&value));
                (Verb::Patch(value), Request::merge_patch(path, &patch))
            }
            WriteMethod::Delete => (Verb::Delete, Request::delete(path)),
        }))
    }

    fn body(&self, name: &str, value: &str, from: Option<&str>) -> Value {
        let mut body = self.collection.body(name, value);
        merge_in(&mut body, &second_half(value));
        if let Some(from) = from {
            body["metadata"]["resourceVersion"] = from.into();
        }
        body
    }

    pub(super) async fn get(
        &mut self,
        name: &str,
        freshness: Freshness,
    ) -> Result<Option<ObjectState>, Halt> {
        let called = self.began.elapsed();
        let response = self.send(at(Request::get(self.collection.path_of(name)), freshness)).await?;
        let Some(exchange) = response.filter(|exchange| matches!(exchange.status(), 200 | 404)) else {
            return Ok(None);
        };
        let stored = exchange.written().ok().map(|object| state(&object));
        let action = Action::Get { name: name.to_owned(), freshness, shown: stored.clone() };
        self.record(called, action, Some(&exchange));
        Ok(stored)
    }

    pub(super) async fn list(&mut self, freshness: Freshness) -> Checked {
        let called = self.began.elapsed();
        let response = self.send(at(Request::get(self.collection.path()), freshness)).await?;
        let Some(exchange) = response.filter(|exchange| exchange.succeeded()) else { return Ok(()) };
        let page = exchange.page()?;
        let items = page.own_items().into_iter().map(|item| (item.name().to_owned(), state(item))).collect();
        self.record(called, Action::List { freshness, version: page.version, items }, Some(&exchange));
        Ok(())
    }

    /// Sends a request; `None` without a response.
    async fn send(&mut self, request: Request) -> Result<Option<Arc<Exchange>>, Halt> {
        match self.cx.send(request).await {
            Ok(exchange) => {
                self.latency = exchange.timing.whole;
                Ok(Some(exchange))
            }
            Err(Halt::Errored(test_error)) => {
                self.test_error = Some(test_error);
                Ok(None)
            }
            Err(halt) => Err(halt),
        }
    }

    fn record(&mut self, called: Duration, action: Action, exchange: Option<&Exchange>) {
        let (client, returned) = (self.name.clone(), self.began.elapsed());
        let exchange = exchange.map(|exchange| exchange.index);
        self.log.push((Operation { client, called, returned, action }, exchange));
    }
}

fn at(request: Request, freshness: Freshness) -> Request {
    match freshness {
        Freshness::MostRecent => request,
        Freshness::Any => request.query("resourceVersion", 0),
    }
}

/// The annotation of an object with the second half of its state.
fn second_half(value: &str) -> Value {
    json!({ "metadata": { "annotations": { OTHER_HALF: value } } })
}

/// The value of an object, or both halves if they differ.
pub(super) fn value(object: &Object) -> String {
    let (half, other) = (object.value(), &object.json()["metadata"]["annotations"][OTHER_HALF]);
    let other = other.as_str().unwrap_or_default();
    if half == other { half.to_owned() } else { format!("{half} and half of {other}") }
}

fn state(object: &Object) -> ObjectState {
    ObjectState { version: object.version().to_owned(), value: value(object) }
}

fn outcome(verb: &Verb, exchange: &Exchange) -> WriteOutcome {
    let json = exchange.json();
    let reason = json.and_then(|json| json["reason"].as_str()).unwrap_or_default();
    match (exchange.status(), reason) {
        (200..300, _) if *verb == Verb::Delete => WriteOutcome::Done(None),
        (200..300, _) => json.map_or(WriteOutcome::Unknown, |json| {
            WriteOutcome::Done(Some(Object::new(json.clone()).version().to_owned()))
        }),
        (404, _) => WriteOutcome::Refused(Refusal::Missing),
        (409, "AlreadyExists") => WriteOutcome::Refused(Refusal::Exists),
        (409, "Conflict") => WriteOutcome::Refused(Refusal::Conflict),
        (400..500, _) => WriteOutcome::Refused(Refusal::Other),
        // The server may have stored the write before the error.
        _ => WriteOutcome::Unknown,
    }
}
