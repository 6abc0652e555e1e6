//! The write log of a run: its acknowledged writes and its streams. Together they show missing events, and reads of
//! another content.

use std::collections::{BTreeSet, HashSet};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use http::Method;
use serde_json::Value;

use super::breach::{Findings, StreamRule};
use super::checker::{Stream, size_of_labels};
use super::comparable_versions::compare;
use super::contents::{Contents, Read, asks_for_whole};
use super::event_reader::{digest, read};
use super::opaque_versions::Agreement;
use super::version::ResourceVersion;
use super::version_history::VersionHistories;
use super::write::Write;
use model::{ApiPath, CheckResult, Exchange, Request, ScenarioId, Transcript};

/// The memory that the streams of a run may take, in bytes, with the texts of writes beyond [`USUAL_WRITE`]: so much for
/// the run and for each execution of a scenario. Correct servers need a quarter of it. A comparison takes a few times as
/// much.
const FOR_RUN: usize = 24 << 20;
const FOR_EXECUTION: usize = 4 << 10;

/// A write of this size, in bytes, does not count: a run sends few enough of them.
const USUAL_WRITE: usize = 1 << 10;

/// The acknowledged writes and the streams of a run.
///
/// It takes bounded memory, whatever the server sends: once it is full it follows no stream any further.
#[derive(Debug, Default)]
pub struct WriteLog {
    clock: AtomicU64,
    size: Arc<Size>,
    writes: Mutex<Vec<Write>>,
    contents: Mutex<Contents>,
    /// Custom resources with a changed definition, as `plural.group`: their objects may have changed with it.
    redefined: Mutex<HashSet<String>>,
    followed: Mutex<Vec<Arc<FollowedStream>>>,
}

/// The size of a write log.
#[derive(Debug)]
struct Size {
    bytes: AtomicUsize,
    limit: usize,
}

impl Default for Size {
    fn default() -> Self {
        Self { bytes: AtomicUsize::new(0), limit: FOR_RUN }
    }
}

impl Size {
    fn grow(&self, bytes: usize) {
        self.bytes.fetch_add(bytes, Ordering::SeqCst);
    }

    fn is_full(&self) -> bool {
        self.bytes.load(Ordering::SeqCst) > self.limit
    }
}

/// The start of a request, before it is sent.
#[derive(Debug, Clone, Copy)]
pub struct Ticket(u64);

/// A stream of a scenario.
#[derive(Debug)]
pub struct FollowedStream {
    /// The scenario.
    pub scenario: ScenarioId,
    /// The scenario's number in the run.
    number: usize,
    /// Its position among the scenario's exchanges.
    pub index: usize,
    /// The type that it watches, as in [`WatchRequest`](super::WatchRequest).
    collection: String,
    /// Its events so far.
    stream: Mutex<Stream>,
    /// The size of the whole write log.
    size: Arc<Size>,
    /// The latest transcript that its scenario recorded.
    pub transcript: Mutex<Option<Transcript>>,
}

impl WriteLog {
    /// The write log of a run with so many executions of scenarios.
    pub fn of_run(executions: usize) -> Self {
        let limit = FOR_RUN + executions * FOR_EXECUTION;
        Self { size: Arc::new(Size { bytes: AtomicUsize::new(0), limit }), ..Self::default() }
    }

    /// Records the start of a request.
    pub fn begin(&self, request: &Request) -> Ticket {
        self.record_definition(request);
        Ticket(self.clock.fetch_add(1, Ordering::SeqCst))
    }

    /// Records a response; one to a read changes nothing.
    pub fn record(&self, exchange: &Exchange, begun: Ticket) {
        let changes = exchange.succeeded() && !exchange.request.method.is_safe();
        let path = ApiPath::read(&exchange.request.path).filter(|_| changes);
        let Some(path) = path else { return };
        let returned = self.clock.fetch_add(1, Ordering::SeqCst);
        let write = Write::of(exchange, &path, begun.0, returned);
        if let Some(write) = write.filter(|_| !self.is_full()) {
            let whole = exchange.json().filter(|_| asks_for_whole(&exchange.request));
            let learnt = whole.map(|object| lock(&self.contents).learn(&write.collection, object));
            self.size.grow(write.size().saturating_sub(USUAL_WRITE) + learnt.unwrap_or_default());
            lock(&self.writes).push(write);
        }
    }

    /// Whether it takes no further writes and events. A missing breach then proves nothing.
    pub fn is_full(&self) -> bool {
        self.size.is_full()
    }

    /// Judges a read by the writes and reads so far: at one version an object has one content.
    pub fn check_read(&self, exchange: &Exchange) -> CheckResult {
        let read = Read::of(exchange).filter(|_| !self.is_full())?;
        let (checked, grown) = lock(&self.contents).check(&read);
        self.size.grow(grown);
        checked.filter(|_| !lock(&self.redefined).contains(&definition(&read.collection)))
    }

    /// Before the response: meanwhile others may already read objects in their new form.
    fn record_definition(&self, request: &Request) {
        let changes = !request.method.is_safe() && !request.is_dry_run();
        let path = ApiPath::read(&request.path).filter(|_| changes);
        let definition = path.filter(|path| path.plural == "customresourcedefinitions");
        if let Some(name) = definition.and_then(|path| path.name) {
            lock(&self.redefined).insert(name.to_owned());
        }
    }

    /// Follows a stream of a scenario, given the scenario's number in the run, and the position of the exchange.
    pub fn follow(
        &self,
        (scenario, number, index): (ScenarioId, usize, usize),
        stream: Stream,
    ) -> Arc<FollowedStream> {
        let followed = Arc::new(FollowedStream {
            scenario,
            number,
            index,
            collection: stream.watch_request.collection.clone(),
            stream: Mutex::new(stream),
            size: self.size.clone(),
            transcript: Mutex::default(),
        });
        lock(&self.followed).push(followed.clone());
        followed
    }

    /// The findings for each followed stream, of the scenario with a number or of all.
    pub fn judge(&self, number: Option<usize>) -> Vec<(Arc<FollowedStream>, Findings)> {
        let all = lock(&self.followed).clone();
        let wanted = |followed: &FollowedStream| number.is_none_or(|only| only == followed.number);
        let collections: BTreeSet<&str> =
            all.iter().filter(|followed| wanted(followed)).map(|followed| &*followed.collection).collect();
        let (writes, redefined) = (lock(&self.writes), lock(&self.redefined));
        let mut judged = Vec::new();
        for collection in collections {
            let writes: Vec<&Write> = writes.iter().filter(|write| write.collection == collection).collect();
            let followed: Vec<_> = all.iter().filter(|followed| followed.collection == collection).collect();
            let streams: Vec<_> = followed.iter().map(|followed| lock(&followed.stream)).collect();
            let streams: Vec<&Stream> = streams.iter().map(|stream| &**stream).collect();
            let findings = judge(&writes, &streams, redefined.contains(&definition(collection)));
            let followed = followed.into_iter().cloned();
            judged.extend(followed.zip(findings).filter(|(followed, _)| wanted(followed)));
        }
        judged
    }
}

impl FollowedStream {
    /// Checks the next event; `None` for anything that is no event.
    pub fn check(&self, event: Option<&Value>) {
        let mut stream = lock(&self.stream);
        let (mut labels, size) = (Vec::new(), stream.size());
        match event.filter(|_| !self.size.is_full()).and_then(|event| read(event, &mut labels)) {
            Some(event) => stream.check(&event),
            None => stream.lose_sight(),
        }
        self.size.grow(stream.size() - size);
    }
}

/// Judges the streams of one collection, in the order given, by its acknowledged writes and by each other.
///
/// If the collection was `redefined` during the run, one version may have different states.
pub fn judge(writes: &[&Write], streams: &[&Stream], redefined: bool) -> Vec<Findings> {
    let mut found: Vec<Findings> = streams.iter().map(|stream| stream.findings.clone()).collect();
    let mut contradictions = found.clone();
    let version_history =
        VersionHistories::of(writes, streams, if redefined { &mut contradictions } else { &mut found });
    for (stream, found) in streams.iter().zip(if redefined { &mut contradictions } else { &mut found }) {
        if let Some(altered) = &stream.altered {
            found.breaks(StreamRule::Atomic, || (altered.expected.clone(), altered.actual.clone()));
        }
    }
    let mut agreement = Agreement::default();
    for (stream, found) in streams.iter().zip(&mut found) {
        compare(stream, &version_history, found);
        agreement.check(stream, &version_history, found);
        // After lost or misplaced events, others cannot follow from the ones before.
        let incomplete = [StreamRule::Ordered, StreamRule::Reliable, StreamRule::Resumable]
            .map(|rule| found.breach(rule).is_some());
        if let (Some(leap), [false, false, false]) = (&stream.leap, incomplete) {
            found.breaks(StreamRule::Filtered, || (leap.expected.clone(), leap.actual.clone()));
        }
    }
    found
}

/// The name of the `CustomResourceDefinition` that the collection would have.
fn definition(collection: &str) -> String {
    let mut parts = collection.rsplitn(3, '/');
    let (plural, _, group) = (parts.next(), parts.next(), parts.next());
    format!("{}.{}", plural.unwrap_or_default(), group.unwrap_or_default())
}

impl Write {
    /// Reads an acknowledgement; `None` if the response lacks the object as it is from then on.
    fn of(exchange: &Exchange, path: &ApiPath<'_>, begun: u64, returned: u64) -> Option<Self> {
        let request = &exchange.request;
        let deletes = request.method == Method::DELETE;
        let writes = deletes || [Method::POST, Method::PUT, Method::PATCH].contains(&request.method);
        if !writes || request.is_dry_run() || path.subresource.is_some_and(|part| part != "status") {
            return None;
        }
        let object = exchange.json()?;
        let (metadata, text) = (&object["metadata"], |value: &Value| value.as_str().map(str::to_owned));
        let version = text(&metadata["resourceVersion"]).filter(|_| metadata["uid"].is_string())?;
        let kind = text(&object["kind"])?;
        if ["Table", "PartialObjectMetadata"].contains(&kind.as_str()) || !stays(metadata, deletes) {
            return None;
        }
        let (namespace, name) =
            (metadata["namespace"].as_str().unwrap_or_default(), text(&metadata["name"])?);
        let labels = metadata["labels"].as_object().into_iter().flatten();
        Some(Self {
            collection: path.collection(),
            kind,
            key: format!("{namespace}/{name}"),
            version: ResourceVersion::of(&version),
            labels: labels
                .map(|(key, value)| (key.as_str().into(), value.as_str().unwrap_or_default().into()))
                .collect(),
            digest: asks_for_whole(request).then(|| digest(object)),
            begun,
            returned,
        })
    }

    /// The memory that it takes, in bytes.
    fn size(&self) -> usize {
        let texts = self.collection.len() + self.kind.len() + self.key.len() + self.version.size();
        size_of::<Self>() + texts + size_of_labels(&self.labels)
    }
}

/// Whether the object still exists after the write. The removal of the last finalizer returns the state and the version
/// before it.
fn stays(metadata: &Value, deletes: bool) -> bool {
    let terminating = metadata["deletionTimestamp"].is_string();
    let held = metadata["finalizers"].as_array().is_some_and(|names| !names.is_empty());
    if deletes { terminating && held } else { !terminating || held }
}

fn lock<T>(place: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::super::watch_request::WatchRequest;
    use super::*;
    use model::{Request, Response, Timing};

    #[test]
    fn a_read_of_a_definition_does_not_change_it() {
        let write_log = WriteLog::default();
        let redefines = |request: Request| {
            let response = Response { status: 200, ..Response::default() };
            let exchange = Exchange::new(0, request, response, Timing::default());
            write_log.record(&exchange, write_log.begin(&exchange.request));
            lock(&write_log.redefined).contains("things.example.com")
        };
        let path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com";
        assert!(!redefines(Request::get(path)));
        assert!(redefines(Request::put(path, &serde_json::json!({}))));
    }

    #[test]
    fn a_full_write_log_follows_no_further_event_and_accuses_nobody() {
        let watch =
            Request::get("/api/v1/namespaces/n/configmaps").query("watch", 1).query("resourceVersion", 5);
        let write_log = WriteLog::of_run(0);
        let stream = Stream::new(WatchRequest::of(&watch).unwrap());
        let followed = write_log.follow((ScenarioId::of_invariant(&"a".into()), 1, 0), stream);
        let event = |name: &str, version: usize| {
            let version = version.to_string();
            let metadata = serde_json::json!({ "name": name, "namespace": "n", "resourceVersion": version });
            let object = serde_json::json!({ "kind": "ConfigMap", "apiVersion": "v1", "metadata": metadata });
            serde_json::json!({ "type": "ADDED", "object": object })
        };
        let long = "a".repeat(1 << 20);
        for number in 0..100 {
            followed.check(Some(&event(&format!("{long}{number}"), 10 + number)));
        }
        assert!(write_log.is_full());
        let size = write_log.size.bytes.load(Ordering::SeqCst);
        assert!(size < FOR_RUN + (4 << 20), "{size}");
        // Older than the events before: a breach if it was followed.
        followed.check(Some(&event("b", 1)));
        let (_, findings) = write_log.judge(None).remove(0);
        assert_eq!(findings.broken(), []);
    }
}
