//! The objects that exist before the load: created a few at a time, counted, and removed in any case.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt};
use harness::{Client, Exchange, Fixtures, RUN_LABEL, Request, TestError, namespace_manifest};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::scan::Collection;
use crate::stamp::number;
use crate::template::{Named, ONE_IN, Template, is_labelled};
use crate::workload::{PopulationSpec, Verb, Workload};

/// The number of concurrent creates.
const AT_A_TIME: usize = 16;

/// The size of a page when the population is counted, in bytes.
const PAGE: usize = 4 << 20;

/// The number of pages without an object that a list may have.
pub(crate) const MOST_EMPTY_PAGES: usize = 100;

/// How long a server that restarts may be silent, and how often the clean-up looks whether it is.
const RESTART: Duration = Duration::from_secs(20);
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

/// The objects that exist before the load.
pub(crate) struct Population {
    fixtures: Fixtures,
    redactor: Client,
    run: String,
    spec: PopulationSpec,
    template: Template,
    namespaces: Vec<String>,
    created: AtomicUsize,
    /// Timeout for one response.
    within: Duration,
    /// The version of each object, or 0.
    versions: Box<[AtomicU64]>,
    /// Whether the load updates objects.
    updates: bool,
}

/// A complete population.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Settled {
    pub(crate) run: String,
    pub(crate) template: Template,
    pub(crate) objects: usize,
    /// The highest version of an object at its creation; 0 if none is a number.
    pub(crate) newest: u64,
    /// If the server rejects an update without a resourceVersion: the version of each object, or 0.
    pub(crate) versions: Option<Vec<u64>>,
    /// The namespaces, each with the path of its collection.
    pub(crate) places: Vec<Place>,
}

/// The part of a population in one namespace.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Place {
    pub(crate) namespace: String,
    pub(crate) path: String,
    /// The version of the list that counted it.
    pub(crate) version: String,
    pub(crate) objects: usize,
}

impl Settled {
    /// Whether it is the population of a workload; the error is one sentence.
    pub(crate) fn check(&self, workload: &Workload) -> Result<(), String> {
        let spec = &workload.population;
        let own = (self.objects, self.places.len(), self.template.size());
        if own == (spec.objects, spec.namespaces, spec.size) {
            return Ok(());
        }
        let (objects, namespaces, size) = own;
        Err(format!(
            "the population has {objects} objects of {size} bytes in {namespaces} namespaces, unlike the workload"
        ))
    }

    /// What all objects in each place have in common.
    pub(crate) fn collections(&self) -> Box<[Arc<Collection>]> {
        let of_place = |place: &Place| Arc::new(self.template.collection_in(&place.namespace));
        self.places.iter().map(of_place).collect()
    }

    /// An object in this place, optionally one with the label of lists with a selector.
    pub(crate) fn some_object(
        &self,
        place: usize,
        labelled: bool,
        random: &mut fastrand::Rng,
    ) -> Option<usize> {
        let places = self.places.len();
        let there = self.objects.saturating_sub(place).div_ceil(places);
        let first = random.usize(0..there.max(1));
        let mut objects = (0..there.min(ONE_IN)).map(|turn| place + (first + turn) % there * places);
        objects.find(|&object| !labelled || is_labelled(object))
    }
}

impl Population {
    /// Creates no object yet.
    pub(crate) fn new(
        (client, within): (Client, Duration),
        run: &str,
        workload: &Workload,
        template: Template,
    ) -> Self {
        let spec = workload.population.clone();
        // A namespace controller needs time for each object.
        let limit = Duration::from_secs(30 + spec.objects as u64 / 50);
        let versions = (0..spec.objects).map(|_| AtomicU64::new(0));
        Self {
            fixtures: Fixtures::new(run, client.clone(), limit),
            redactor: client,
            run: run.to_owned(),
            template: template.sized(spec.size),
            spec,
            namespaces: Vec::new(),
            created: AtomicUsize::new(0),
            within,
            versions: versions.collect(),
            updates: workload.requests.as_ref().is_some_and(|requests| requests.has(Verb::Update)),
        }
    }

    /// Creates and counts it.
    pub(crate) async fn settle(&mut self) -> Result<Settled, TestError> {
        let path = self.template.discovery();
        let resources = self.fixtures.send(Request::get(&path)).await?;
        if !resources.succeeded() && resources.status() != 404 {
            return Err(self.refused(format!("read the resources at {path}"), &resources));
        }
        let none = serde_json::Value::Null;
        self.template.resolve(resources.json().unwrap_or(&none))?;
        let rehearsed = tokio::select! {
            rehearsed = self.fixtures.rehearse() => rehearsed,
            () = self.silence() => {
                Err(TestError::new("create the first namespace", "the server does not respond"))
            }
        };
        rehearsed.map_err(fit_for_load)?;
        // By the clean-up the server will have shown who empties namespaces.
        self.fixtures.delete_first_namespace().await;
        for _ in 0..self.spec.namespaces {
            self.namespace().await?;
        }
        let population = &*self;
        futures::stream::iter(0..self.spec.objects)
            .map(|index| population.object(index))
            .buffer_unordered(AT_A_TIME)
            .try_collect::<()>()
            .await?;
        let needs_version = self.updates && self.is_update_refused().await?;
        self.count_all(needs_version).await
    }

    /// Removes it, and returns the paths of the leftovers.
    pub(crate) async fn remove(&self) -> Vec<String> {
        self.fixtures.empty_namespaces().await;
        self.fixtures.sweep().await
    }

    /// Waits until a request has had no response in time, and no other one for another timeout and the time of a restart. A
    /// server that throttles responds.
    pub(crate) async fn silence(&self) {
        let (mut responses, mut since) = (self.fixtures.responses(), None);
        loop {
            tokio::time::sleep(BETWEEN_LOOKS).await;
            let now = self.fixtures.responses();
            if now > responses || !self.fixtures.lacks_response() {
                (responses, since) = (now, None);
            } else if since.get_or_insert_with(Instant::now).elapsed() >= self.within + RESTART {
                return;
            }
        }
    }

    /// The paths of the objects that are not yet removed.
    pub(crate) fn left(&self) -> Vec<String> {
        self.fixtures.paths()
    }

    async fn namespace(&mut self) -> Result<(), TestError> {
        let name = self.fixtures.register_namespace(1);
        let body = namespace_manifest(&name, &self.run, "load");
        let response = self.fixtures.send(Request::post("/api/v1/namespaces", &body)).await?;
        if response.status() != 201 {
            if (400..500).contains(&response.status()) {
                self.fixtures.forget_refused_namespace(&name).await;
            }
            return Err(self.refused(format!("create the namespace {name}"), &response));
        }
        let collection = self.template.collection(&name);
        self.fixtures.register_collection(&name, &collection);
        // The clients of the load write there too.
        self.fixtures.note_objects(&collection);
        self.namespaces.push(name);
        Ok(())
    }

    async fn object(&self, index: usize) -> Result<(), TestError> {
        let namespace = &self.namespaces[index % self.namespaces.len()];
        let name = name(index);
        let named = Named { run: &self.run, namespace, name: &name, index };
        let body = self.template.object(named, None, None);
        let response = self.send(http::Method::POST, self.template.collection(namespace), body).await?;
        if response.status() == 201 {
            self.created.fetch_add(1, Relaxed);
            self.versions[index].store(version_of(&response), Relaxed);
            return Ok(());
        }
        let (created, objects) = (self.created.load(Relaxed), self.spec.objects);
        let attempted = format!("create the population ({created} of {objects} objects were created)");
        Err(self.refused(attempted, &response))
    }

    /// Whether the server refuses an update without a resourceVersion, as it may for types such as Leases and custom
    /// resources.
    async fn is_update_refused(&self) -> Result<bool, TestError> {
        let Some(namespace) = self.namespaces.first().filter(|_| self.spec.objects > 0) else {
            return Ok(false);
        };
        let name = name(0);
        let named = Named { run: &self.run, namespace, name: &name, index: 0 };
        let path = format!("{}/{name}", self.template.collection(namespace));
        let response = self.send(http::Method::PUT, path, self.template.object(named, None, None)).await?;
        if response.succeeded() {
            self.versions[0].fetch_max(version_of(&response), Relaxed);
        }
        Ok(matches!(response.status(), 400 | 409 | 422))
    }

    async fn send(&self, method: http::Method, path: String, body: Bytes) -> Result<Exchange, TestError> {
        let mut request = Request::new(method, path).header("content-type", "application/json");
        request.body = Some(body);
        self.fixtures.send(request).await
    }

    fn refused(&self, attempted: String, response: &Exchange) -> TestError {
        let why = match response.status() {
            429 => format!("the server throttles: {}", response.brief()),
            _ => response.brief(),
        };
        let test_error = TestError::new(attempted, self.redactor.redactor().redact(&why));
        match response.status() {
            403 => test_error
                .hint("use credentials with permission, raise the quota, or reduce --objects or --size"),
            409 => test_error.hint(
                "the names are those of this run alone: does a proxy before the server repeat requests?",
            ),
            413 | 422 => test_error.hint("correct the template, or give a smaller --size"),
            429 => test_error.hint("give a smaller --objects, or try again later"),
            500..=599 => test_error.hint("does the server's log say why?"),
            _ => test_error,
        }
    }

    async fn count_all(&self, needs_version: bool) -> Result<Settled, TestError> {
        let mut places = Vec::new();
        for namespace in &self.namespaces {
            places.push(self.count(namespace).await?);
        }
        let there: usize = places.iter().map(|place| place.objects).sum();
        if there != self.spec.objects {
            let attempted = format!("find the {} objects that were created", self.spec.objects);
            return Err(TestError::new(attempted, format!("the server lists {there} of them")));
        }
        let (run, template) = (self.run.clone(), self.template.clone());
        let versions = self.versions.iter().map(|version| version.load(Relaxed));
        let newest = versions.clone().max().unwrap_or(0);
        if needs_version && versions.clone().any(|version| version == 0) {
            let attempted = "update objects with a resourceVersion, which the server requires";
            let why = TestError::new(attempted, "its resourceVersions are no numbers");
            return Err(why.hint("give a workload without `update`"));
        }
        let versions = needs_version.then(|| versions.collect());
        Ok(Settled { run, template, objects: there, newest, versions, places })
    }

    async fn count(&self, namespace: &str) -> Result<Place, TestError> {
        let path = self.template.collection(namespace);
        let (mut objects, mut token) = (0, String::new());
        // A server may ignore continue tokens: then the list has no end.
        for _ in 0..self.spec.objects + MOST_EMPTY_PAGES {
            let limit = (PAGE / (self.spec.size + 512)).clamp(1, 500);
            let mut request = Request::get(&path)
                .query("labelSelector", format!("{RUN_LABEL}={}", self.run))
                .query("limit", limit);
            if !token.is_empty() {
                request = request.query("continue", &token);
            }
            let response = self.fixtures.send(request).await?;
            let Some(list) = response.json().filter(|json| json["items"].is_array()) else {
                return Err(self.refused(format!("list {path}"), &response));
            };
            objects += list["items"].as_array().map_or(0, Vec::len);
            let text = |name: &str| list["metadata"][name].as_str().unwrap_or_default().to_owned();
            let version = text("resourceVersion");
            token = text("continue");
            if token.is_empty() {
                return Ok(Place { namespace: namespace.to_owned(), path, version, objects });
            }
        }
        let attempted = format!("find the {} objects that were created", self.spec.objects);
        Err(TestError::new(attempted, format!("the list {path} has no end")))
    }
}

/// Replaces the hint about `--read-only`, which load runs do not have.
fn fit_for_load(why: TestError) -> TestError {
    if why.hint.contains("--read-only") {
        why.hint("load needs namespaces of its own: use credentials that may create them")
    } else {
        why
    }
}

/// The resourceVersion of the object in a response, or 0 if it is no number.
fn version_of(response: &Exchange) -> u64 {
    let version = response.json().and_then(|json| json["metadata"]["resourceVersion"].as_str());
    version.and_then(|version| version.parse().ok()).unwrap_or(0)
}

/// The name of an object of the population.
pub(crate) fn name(index: usize) -> String {
    format!("o{index}")
}

/// The object of a name; `None` for a name that no object of a run has.
pub(crate) fn object_of(name: &[u8]) -> Option<u32> {
    name.strip_prefix(b"o").and_then(number)
}

/// The objects of a population in a place among this number of places.
pub(crate) fn objects_in(place: usize, places: usize, objects: usize) -> impl Iterator<Item = usize> {
    (place..objects).step_by(places.max(1))
}

/// Whether a text is the name of this object. Takes no memory: watches ask for every event.
pub(crate) fn is_name(text: &[u8], index: u32) -> bool {
    object_of(text) == Some(index)
}

#[cfg(test)]
mod tests {
    use harness::{Access, Flags};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_server_is_silent_once_a_request_has_had_no_response() {
        let access = Access::load(Flags::at("http://127.0.0.1:1").into()).await.unwrap();
        let sender = (Client::new(access, Duration::from_secs(5)), Duration::from_secs(5));
        let workload = Workload::named("crud-mix").unwrap();
        let population = Population::new(sender, "r", &workload, Template::config_map());
        let hour = Duration::from_hours(1);
        assert!(tokio::time::timeout(hour, population.silence()).await.is_err());
        assert!(population.fixtures.send(Request::get("/version")).await.is_err());
        assert!(tokio::time::timeout(hour, population.silence()).await.is_ok());
    }
}
