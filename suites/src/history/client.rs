//! A client of a history: it writes or reads, and records each outcome.

use harness::TestError;
use harness::history::{Action, Freshness, Operation, Refusal, State, Verb, WriteOutcome};

use super::script::{Deed, Read, Write};
use crate::patch_types::merge_in;
use crate::prelude::*;

/// Where the second half of a state is written: who mixes two states shows halves that differ.
const OTHER_HALF: &str = "kube-assay.dev/value";

/// What a client takes for the time of an answer before it has had one.
const FIRST_GUESS: Duration = Duration::from_millis(5);

/// One who asks, and what was answered.
pub(super) struct Client {
    cx: Context,
    collection: Collection,
    name: String,
    began: Instant,
    latency: Duration,
    written: usize,
    /// The operations, each with the position of its exchange, if there was one.
    pub(super) log: Vec<(Operation, Option<usize>)>,
    /// Why there was no answer, the last time.
    pub(super) trouble: Option<TestError>,
}

impl Client {
    pub(super) fn new(cx: &Context, collection: &Collection, name: String, began: Instant) -> Self {
        let (cx, collection) = (cx.clone(), collection.clone());
        let (latency, written) = (FIRST_GUESS, 0);
        Self { cx, collection, name, began, latency, written, log: Vec::new(), trouble: None }
    }

    /// Writes until the script or the time is over.
    pub(super) async fn write_all(mut self, script: Vec<Write>, until: Instant) -> Result<Self, Halt> {
        for write in script {
            if Instant::now() > until {
                break;
            }
            self.write(write).await?;
        }
        Ok(self)
    }

    /// Reads until the script or the time is over.
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
        let Write { name, deed, cut } = write;
        self.written += 1;
        let value = format!("{}-{}", self.name.replace("writer ", "w").replace(' ', "-"), self.written);
        let (verb, request) = match deed {
            Deed::Create => {
                let body = self.body(name, &value, None);
                (Verb::Create(value), Request::post(self.collection.path(), &body))
            }
            Deed::Update => {
                let Some(state) = self.get(name, Freshness::MostRecent).await? else { return Ok(()) };
                let from = state.version;
                let body = self.body(name, &value, Some(&from));
                (Verb::Update { value, from }, Request::put(self.collection.path_of(name), &body))
            }
            Deed::Patch => {
                let mut patch = self.collection.change(&value);
                merge_in(&mut patch, &halved(&value));
                (Verb::Patch(value), Request::merge_patch(self.collection.path_of(name), &patch))
            }
            Deed::Delete => (Verb::Delete, Request::delete(self.collection.path_of(name))),
        };
        let request = match cut {
            Some(hundredths) => request.within(self.latency * hundredths / 100),
            None => request,
        };
        let called = self.began.elapsed();
        let exchange = self.ask(request).await?;
        let verb = match verb {
            // Some types are created by an update.
            Verb::Update { value, .. } if exchange.as_ref().is_some_and(|answer| answer.status() == 201) => {
                Verb::Create(value)
            }
            verb => verb,
        };
        let answer = exchange.as_deref().map_or(WriteOutcome::Unknown, |exchange| answer(&verb, exchange));
        let action = Action::Write { name: name.to_owned(), verb, response: answer };
        self.note(called, action, exchange.as_deref());
        Ok(())
    }

    fn body(&self, name: &str, value: &str, from: Option<&str>) -> Value {
        let mut body = self.collection.body(name, value);
        merge_in(&mut body, &halved(value));
        if let Some(from) = from {
            body["metadata"]["resourceVersion"] = from.into();
        }
        body
    }

    pub(super) async fn get(&mut self, name: &str, freshness: Freshness) -> Result<Option<State>, Halt> {
        let called = self.began.elapsed();
        let asked = self.ask(at(Request::get(self.collection.path_of(name)), freshness)).await?;
        let Some(exchange) = asked.filter(|exchange| matches!(exchange.status(), 200 | 404)) else {
            return Ok(None);
        };
        let shown = exchange.written().ok().map(|object| state(&object));
        self.note(
            called,
            Action::Get { name: name.to_owned(), freshness, shown: shown.clone() },
            Some(&exchange),
        );
        Ok(shown)
    }

    pub(super) async fn list(&mut self, freshness: Freshness) -> Checked {
        let called = self.began.elapsed();
        let asked = self.ask(at(Request::get(self.collection.path()), freshness)).await?;
        let Some(exchange) = asked.filter(|exchange| exchange.succeeded()) else { return Ok(()) };
        let page = exchange.page()?;
        let items = page.own_items().into_iter().map(|item| (item.name().to_owned(), state(item))).collect();
        self.note(called, Action::List { freshness, version: page.version, items }, Some(&exchange));
        Ok(())
    }

    /// Sends a request; none if there is no answer.
    async fn ask(&mut self, request: Request) -> Result<Option<Arc<Exchange>>, Halt> {
        match self.cx.send(request).await {
            Ok(exchange) => {
                self.latency = exchange.timing.whole;
                Ok(Some(exchange))
            }
            Err(Halt::Errored(test_error)) => {
                self.trouble = Some(test_error);
                Ok(None)
            }
            Err(halt) => Err(halt),
        }
    }

    fn note(&mut self, called: Duration, action: Action, exchange: Option<&Exchange>) {
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

/// The part of an object that holds the other half of a state.
fn halved(value: &str) -> Value {
    json!({ "metadata": { "annotations": { OTHER_HALF: value } } })
}

/// An object's value: both halves where they differ.
pub(super) fn value(object: &Object) -> String {
    let (half, other) = (object.value(), &object.json()["metadata"]["annotations"][OTHER_HALF]);
    let other = other.as_str().unwrap_or_default();
    if half == other { half.to_owned() } else { format!("{half} and half of {other}") }
}

fn state(object: &Object) -> State {
    State { version: object.version().to_owned(), value: value(object) }
}

/// What came of a write.
fn answer(verb: &Verb, exchange: &Exchange) -> WriteOutcome {
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
        // It may have been done before something went wrong.
        _ => WriteOutcome::Unknown,
    }
}
