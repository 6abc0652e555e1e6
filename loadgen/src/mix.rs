//! The requests of a workload: chooses the next one, and checks its response.

mod applies;
mod assignment;
mod claims;
mod created_objects;
mod list;
mod listed;
mod measured_starts;
mod messages;
mod staleness;
mod summary;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use http::uri::PathAndQuery;
use http::{Method, StatusCode};

use crate::broken_rules::Rule;
use crate::population::{Settled, name};
use crate::read_back::{Content, Stored};
use crate::recorder::Recorder;
use crate::requests::{ExpectedObject, LoadRequest, Operation, Outcome, Reading, RequestSource};
use crate::scan::Collection;
use crate::share::Share;
use crate::stamp::{ANNOTATION, Stamps};
use crate::template::Named;
use crate::wire::Call;
use crate::workload::{self, RequestLoad, Verb, Way};

use applies::Applies;
use assignment::{Assignment, choose, instead_of_delete, random_of};
use created_objects::CreatedObjects;
use list::{List, Lists};
pub(crate) use measured_starts::measured_starts;
pub(crate) use summary::MixSummary;

/// Tells the random numbers for objects from those for operations.
const OF_OBJECTS: u64 = 1 << 63;

const JSON: &str = "application/json";
const MERGE: &str = "application/merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";

/// The requests of a workload.
pub(crate) struct Mix {
    settled: Arc<Settled>,
    stamps: Arc<Stamps>,
    operations: Vec<workload::Operation>,
    managers: usize,
    within: Duration,
    share: Share,
    seed: u64,
    random: fastrand::Rng,
    assignment: Assignment,
    /// The operations of the starts that are to be sent.
    assigned: HashMap<u64, usize>,
    /// The mix does not measure writes that are intended earlier.
    measured_from: Option<Instant>,
    /// Objects without a write in flight.
    free: VecDeque<usize>,
    created: CreatedObjects,
    next_new: usize,
    applied: u64,
    applies: Applies,
    lists: Lists,
    /// What all objects in a place have in common.
    collections: Box<[Arc<Collection>]>,
    /// The minimum length of the data of an object, in bytes.
    padding: u64,
    summary: Arc<std::sync::Mutex<MixSummary>>,
}

impl Mix {
    pub(crate) fn new(
        (request_load, within): (&RequestLoad, Duration),
        (share, seed): (Share, u64),
        settled: Arc<Settled>,
        stamps: Arc<Stamps>,
        measured_from: Instant,
        summary: Arc<std::sync::Mutex<MixSummary>>,
    ) -> Self {
        let has = |verb| request_load.has(verb);
        Self {
            operations: request_load.operations.clone(),
            managers: request_load.managers,
            within,
            share,
            seed,
            random: random_of(seed, share.index as u64),
            assignment: Assignment::new(share, seed),
            assigned: HashMap::new(),
            measured_from: Some(measured_from),
            free: (share.index..settled.objects).step_by(share.of).collect(),
            created: CreatedObjects::new(settled.places.len()),
            next_new: settled.objects + share.index,
            applied: share.index as u64,
            // An update replaces the whole object, and with it the fields of managers.
            applies: Applies::new(!has(Verb::Update), !share.is_divided()),
            lists: Lists::new(&settled, !(has(Verb::Create) || has(Verb::Delete))),
            collections: settled.collections(),
            padding: settled.template.least_padding(),
            settled,
            stamps,
            summary,
        }
    }

    /// The series of its operations, in their order.
    pub(crate) fn operations(
        request_load: &RequestLoad,
        resource: &str,
        recorder: &Recorder,
    ) -> Vec<Operation> {
        let each = request_load.operations.iter().map(|one| {
            let (scope, verb, variant) = (one.scope(), one.verb.series(), one.way.variant());
            let operation = Operation::new(recorder, verb, resource, scope, variant);
            match one.verb {
                Verb::List => operation.with_body(recorder, (verb, resource), scope, variant),
                _ => operation,
            }
        });
        each.collect()
    }

    /// The operation of a start; in a closed loop, which has no schedule, the next one.
    fn operation(&mut self, number: u64) -> usize {
        let operation = match self.assigned.remove(&number) {
            Some(assigned) => {
                self.random = random_of(self.seed ^ OF_OBJECTS, number);
                assigned
            }
            None => choose(&self.operations, &mut self.random),
        };
        let nothing_to_delete = self.operations[operation].verb == Verb::Delete && !self.created.has_spare();
        let instead = instead_of_delete(&self.operations).filter(|_| nothing_to_delete);
        instead.unwrap_or(operation)
    }

    /// Objects that the server must or must not have now, at most this number of each kind, the latest first.
    pub(crate) fn stored(&self, most: usize) -> Vec<Stored> {
        let changed =
            self.free.iter().rev().filter_map(|object| {
                Some((*object, Content::Write(self.stamps.last_acknowledged(*object)?)))
            });
        let applied = self.applies.stored();
        let stored = |(object, content)| Some(Stored { path: self.path(object, "")?.to_string(), content });
        self.created.stored(most).chain(changed.take(most)).chain(applied).filter_map(stored).collect()
    }

    fn path(&self, object: usize, query: &str) -> Option<PathAndQuery> {
        let place = &self.settled.places[object % self.settled.places.len()];
        format!("{}/{}{query}", place.path, name(object)).parse().ok()
    }

    fn body(&self, object: usize, stamp: Option<&str>, version: Option<u64>) -> Bytes {
        let text = name(object);
        self.settled.template.object(self.named(object, &text), stamp, version)
    }

    fn named<'a>(&'a self, object: usize, name: &'a str) -> Named<'a> {
        let namespace = &self.settled.places[object % self.settled.places.len()].namespace;
        Named { run: &self.settled.run, namespace, name, index: object }
    }

    fn expected(&self, object: usize) -> ExpectedObject {
        ExpectedObject {
            name: name(object),
            collection: self.collections[object % self.collections.len()].clone(),
            padding: self.padding,
        }
    }

    /// A request whose response is the object.
    fn load_request(&self, call: Call, operation: usize, object: usize) -> LoadRequest {
        let (reading, within) = (Reading::Object(self.expected(object)), self.within);
        let not_older_than = self.stamps.versions.of_object(object);
        LoadRequest {
            call,
            operation,
            reading,
            within,
            stamp: None,
            not_older_than,
            list_began: None,
            token: object as u64,
        }
    }

    fn get(&mut self, operation: usize) -> Option<LoadRequest> {
        let object = self.random.usize(0..self.settled.objects);
        Some(self.load_request(Call::get(self.path(object, "")?), operation, object))
    }

    fn create(&mut self, operation: usize) -> Option<LoadRequest> {
        let object = self.next_new;
        self.next_new += self.share.of;
        let path = &self.settled.places[object % self.settled.places.len()].path;
        let call = call(Method::POST, path.parse().ok()?, JSON, self.body(object, None, None));
        Some(self.load_request(call, operation, object))
    }

    fn delete(&mut self, operation: usize) -> Option<LoadRequest> {
        // The mix deletes only its own objects: the population must not shrink.
        let object = self.created.take_spare()?;
        let call = Call { method: Method::DELETE, ..Call::get(self.path(object, "")?) };
        let load_request = self.load_request(call, operation, object);
        let reading = Reading::Deletion(self.expected(object));
        Some(LoadRequest { reading, ..load_request })
    }

    fn write(&mut self, operation: usize, verb: Verb, intended: Instant) -> Option<LoadRequest> {
        let object = self.free.pop_front()?;
        let stamp = self.stamps.issue(object, intended)?;
        let text = self.stamps.text(stamp, Instant::now());
        let call = if verb == Verb::Update {
            let version = Some(self.stamps.versions.of_object(object));
            let version = version.filter(|version| self.settled.versions.is_some() && *version > 0);
            call(Method::PUT, self.path(object, "")?, JSON, self.body(object, Some(&text), version))
        } else {
            let patch = format!(r#"{{"metadata":{{"annotations":{{"{ANNOTATION}":"{text}"}}}}}}"#);
            call(Method::PATCH, self.path(object, "")?, MERGE, patch.into())
        };
        Some(LoadRequest { stamp: Some(stamp), ..self.load_request(call, operation, object) })
    }

    fn apply(&mut self, operation: usize, way: Way) -> Option<LoadRequest> {
        let object = self.random.usize(0..self.settled.objects);
        let manager = self.random.usize(0..self.managers);
        self.applied += self.share.of as u64;
        let annotation = applies::annotation(way, manager);
        let (text, value) = (name(object), format!("{manager}.{}", self.applied));
        let body = self.settled.template.applied(self.named(object, &text), &annotation, &value);
        // Different names for different ways: a manager that applies without a field gives it up.
        let query = format!("?fieldManager={}-{manager}", way.variant());
        let call = call(Method::PATCH, self.path(object, &query)?, APPLY, body);
        let load_request = self.load_request(call, operation, object);
        Some(LoadRequest { token: self.applies.next(way, object, manager), ..load_request })
    }

    /// An apply has ended.
    fn end_apply(&mut self, way: Way, load_request: &LoadRequest, outcome: &Outcome) {
        self.applies.ended(way, load_request.token, outcome.is_rejected());
        if outcome.is_success() && self.applies.done(way, load_request.token) {
            let path = &load_request.call.path;
            let example = || format!("PATCH {path} is acknowledged: another manager owns its field");
            self.count(Rule::NoConflict, example);
        }
    }

    /// The number of objects that have existed, at most. A worker does not know how many others have created.
    fn existed(&self) -> usize {
        match () {
            () if self.lists.is_constant() => self.settled.objects,
            () if self.share.is_divided() => usize::MAX,
            () => self.next_new,
        }
    }

    fn list(&mut self, operation: usize, way: Way) -> Option<LoadRequest> {
        let List { call, place, reading, is_most_recent, began } =
            self.lists.next(&self.settled, way, &self.created, &mut self.random)?;
        let not_older_than = if is_most_recent { self.stamps.versions.of_resource() } else { 0 };
        Some(LoadRequest {
            reading,
            not_older_than,
            list_began: began,
            ..self.load_request(call, operation, place)
        })
    }

    /// Counts what breaks a rule.
    fn count(&self, rule: Rule, example: impl FnOnce() -> String) {
        lock(&self.summary).broken_rules.count(rule, example);
    }
}

fn lock(summary: &std::sync::Mutex<MixSummary>) -> std::sync::MutexGuard<'_, MixSummary> {
    summary.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn call(method: Method, path: PathAndQuery, media_type: &'static str, body: Bytes) -> Call {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    Call { method, path, headers, body }
}

impl RequestSource for Mix {
    fn is_own(&mut self, number: u64) -> bool {
        let operation = self.assignment.next(number, &self.operations);
        operation.map(|operation| self.assigned.insert(number, operation)).is_some()
    }

    fn next(&mut self, number: u64, intended: Instant) -> Option<LoadRequest> {
        if self.measured_from.is_some_and(|from| intended >= from) {
            self.measured_from = None;
            self.stamps.measure_from_now();
        }
        let operation = self.operation(number);
        let workload::Operation { verb, way, .. } = self.operations[operation];
        let load_request = match verb {
            Verb::Get => self.get(operation),
            Verb::List => self.list(operation, way),
            Verb::Create => self.create(operation),
            Verb::Delete => self.delete(operation),
            Verb::Apply => self.apply(operation, way),
            Verb::Update | Verb::Patch => self.write(operation, verb, intended),
        };
        load_request.map(|load_request| self.newer_than_writes(verb, load_request))
    }

    fn sent(&mut self, load_request: &LoadRequest, at: Instant) {
        if let Some(stamp) = load_request.stamp {
            self.stamps.sent(stamp, at);
        }
    }

    fn may_conflict(&self, load_request: &LoadRequest) -> bool {
        let workload::Operation { verb, way, .. } = self.operations[load_request.operation];
        match verb {
            Verb::Apply => self.applies.may_conflict(way, load_request.token),
            // An apply to the object may have changed its version meanwhile.
            Verb::Update => {
                self.settled.versions.is_some() && self.operations.iter().any(|one| one.verb == Verb::Apply)
            }
            _ => false,
        }
    }

    fn done(&mut self, load_request: LoadRequest, outcome: &Outcome, at: Instant) {
        let object = applies::object_of(load_request.token);
        let workload::Operation { verb, way, .. } = self.operations[load_request.operation];
        self.judge_state(verb, object, &load_request, outcome);
        if let Some(status) =
            outcome.status.filter(|status| !status.is_success() && !outcome.is_right_refusal)
        {
            lock(&self.summary).messages.note(status, &outcome.body);
        }
        if let Some(stamp) = load_request.stamp {
            // Before the object becomes free again: writes to it must not overlap.
            match () {
                () if outcome.is_success() => self.stamps.acknowledged(stamp, at),
                () if outcome.is_rejected() => self.stamps.failed(stamp),
                () => self.stamps.lost_sight(stamp),
            }
            // Another write has changed the version of the object: without it, the next update is in vain as well.
            let needs_version = verb == Verb::Update && self.settled.versions.is_some();
            let is_conflict = outcome.status == Some(StatusCode::CONFLICT);
            if !(needs_version && is_conflict) || outcome.is_right_refusal {
                self.free.push_back(object);
            }
            return;
        }
        match verb {
            Verb::Create if outcome.status == Some(StatusCode::CREATED) && outcome.is_success() => {
                self.created.add(object);
            }
            Verb::Delete if outcome.status == Some(StatusCode::OK) && outcome.is_success() => {
                self.stamps.uids.forget(object);
                self.created.deleted(object);
            }
            Verb::Apply => self.end_apply(way, &load_request, outcome),
            Verb::List => {
                let mut summary = lock(&self.summary);
                self.lists.existed(self.existed());
                let list = (load_request.reading, load_request.list_began, outcome);
                self.lists.done((way, object), list, &self.settled, &mut summary);
                drop(summary);
                self.judge_listed(way, object, outcome);
            }
            _ => {}
        }
    }
}
