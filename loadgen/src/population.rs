//! The objects that exist before the load: created a few at a time, counted, and removed in any case.

mod creation;
mod silence;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use futures::{StreamExt, TryStreamExt};
use harness::{
    Client, EXEMPTION, Exchange, Fixtures, RUN_LABEL, Request, TestError, is_denial, namespace_manifest,
};
use serde::{Deserialize, Serialize};

use self::creation::Created;
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

/// The objects that exist before the load.
pub(crate) struct Population {
    fixtures: Fixtures,
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
            fixtures: Fixtures::new(run, client, limit),
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
            return Err(refused(format!("read the resources at {path}"), &resources));
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
        self.fixtures.rehearse_removal().await.map_err(fit_for_load)?;
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

    /// The number of objects that are not yet removed; `None` if a list is missing.
    pub(crate) fn remaining(&self) -> Option<u64> {
        self.fixtures.remaining()
    }

    /// The paths of the objects that are not yet removed.
    pub(crate) fn left(&self) -> Vec<String> {
        self.fixtures.paths()
    }

    async fn namespace(&mut self) -> Result<(), TestError> {
        let name = self.fixtures.register_namespace(1);
        let body = namespace_manifest(&name, &self.run, "load").to_string();
        let Created { response, is_there } = self.create("/api/v1/namespaces", &name, body.into()).await?;
        if !is_there {
            if (400..500).contains(&response.status()) {
                self.fixtures.forget_refused_namespace(&name).await;
            }
            return Err(refused(format!("create the namespace {name}"), &response));
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
        let collection = self.template.collection(namespace);
        let Created { response, is_there } = self.create(&collection, &name, body).await?;
        if is_there {
            self.created.fetch_add(1, Relaxed);
            self.versions[index].store(version_of(&response), Relaxed);
            return Ok(());
        }
        let (created, objects) = (self.created.load(Relaxed), self.spec.objects);
        let attempted = format!("create the population ({created} of {objects} objects were created)");
        Err(refused(attempted, &response))
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
        let body = self.template.object(named, None, None);
        let (response, _) = self.send(http::Method::PUT, path, body).await?;
        if response.succeeded() {
            self.versions[0].fetch_max(version_of(&response), Relaxed);
        }
        Ok(matches!(response.status(), 400 | 409 | 422))
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
                return Err(refused(format!("list {path}"), &response));
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

/// The test error about a response that refuses a request of the set-up.
fn refused(attempted: String, response: &Exchange) -> TestError {
    let why = match response.status() {
        429 => format!("the server throttles: {}", response.brief()),
        _ => response.brief(),
    };
    let test_error = TestError::new(attempted, why);
    match response.status() {
        400.. if is_denial(&response.text()) => test_error.hint(EXEMPTION),
        403 => {
            test_error.hint("use credentials with permission, raise the quota, or reduce --objects or --size")
        }
        409 => test_error
            .hint("the names are those of this run alone: does a proxy before the server repeat requests?"),
        413 | 422 => test_error.hint("correct the template, or give a smaller --size"),
        429 => test_error.hint("give a smaller --objects, or try again later"),
        500..=599 => test_error.hint("does the server's log say why?"),
        _ => test_error,
    }
}

/// Replaces the hint about `--read-only`, which load runs do not have. That about a policy stays.
fn fit_for_load(why: TestError) -> TestError {
    if why.hint.starts_with(EXEMPTION) {
        why.hint(EXEMPTION)
    } else if why.hint.contains("--read-only") {
        why.hint("load needs namespaces of its own: use credentials that may create and delete them")
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
