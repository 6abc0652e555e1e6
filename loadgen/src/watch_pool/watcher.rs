//! One watcher: opens its watch, reads it, and opens it again when it ends.

use std::rc::Rc;
use std::time::{Duration, Instant};

use harness::is_html;
use harness::load::{Ending, ErrorClass};
use harness::stream::DeliveryTracker;
use http::StatusCode;
use http::header::CONTENT_TYPE;

use super::initial_objects::InitialObjects;
use super::retries::Retries;
use super::worker_watches::WorkerWatches;
use super::{ReadRate, Route, WatchPool};
use crate::listed_check::ReadList;
use crate::recorder::{SeriesId, between};
use crate::requests::{class, is_plain_json};
use crate::scan::{Frames, Items, ListedObject, repeated};
use crate::wire::{Body, Call, RequestError, StreamPermit, StreamedResponse};

/// The first pause after a rejection; the next constant is the longest.
const PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

/// A watch that was open for this time is resumed without a pause.
const LASTED: Duration = Duration::from_secs(1);

/// The state of a watcher from one stream to the next.
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own, and all of them can be true")]
pub(super) struct Watcher {
    pub(super) delivery_tracker: DeliveryTracker,
    /// For the writes of each worker of the run; empty if this one is alone.
    pub(super) of_workers: Box<[DeliveryTracker]>,
    pub(super) route: usize,
    pub(super) version: String,
    /// The end of the last stream, until the next one has an event.
    pub(super) ended: Option<Instant>,
    was_open: bool,
    /// Whether the events are initial events.
    pub(super) initial: bool,
    /// The objects of the initial events so far, and the highest version of them.
    pub(super) initial_objects: InitialObjects,
    pub(super) newest: u64,
    /// The version that the stream began at: its events are later. `None` if it is no number.
    pub(super) opened_at: Option<u64>,
    /// The highest version of the stream so far: that of its beginning, or of a later event; 0 if none is a number.
    pub(super) latest: u64,
    /// Whether the stream has no event yet.
    pub(super) silent: bool,
    /// When the request was sent, if this is a streaming list that has no bookmark yet.
    pub(super) unsynced_since: Option<Instant>,
    /// Whether the watcher has listed, and no watch has had an event or ended since.
    pub(super) just_listed: bool,
    /// Whether the watcher lists again before the next stream.
    pub(super) relist: bool,
    /// Whether an order ends the watch: then the end is no error.
    pub(super) ordered: bool,
    /// The number of ended writes when the watcher sent the request.
    pub(super) settled_below: u32,
    /// The version of a write that was acknowledged before then.
    pub(super) not_older_than: u64,
    pub(super) sent: Instant,
}

impl Watcher {
    /// A watcher in a run with this number of workers, or 0.
    pub(super) fn new(route: usize, watch_pool: &WatchPool, workers: usize) -> Self {
        let version = watch_pool.routes.get(route).map(|route| route.from.clone()).unwrap_or_default();
        Self {
            delivery_tracker: DeliveryTracker::default(),
            of_workers: (0..workers).map(|_| DeliveryTracker::default()).collect(),
            route,
            version,
            ended: None,
            was_open: false,
            initial: false,
            initial_objects: InitialObjects::default(),
            newest: 0,
            opened_at: None,
            latest: 0,
            silent: true,
            unsynced_since: None,
            just_listed: false,
            relist: false,
            ordered: false,
            settled_below: 0,
            not_older_than: 0,
            sent: Instant::now(),
        }
    }
}

/// Keeps one watch open for the lifetime of the thread.
pub(super) async fn keep_open(worker_watches: Rc<WorkerWatches>, index: usize, intended: Instant) {
    let mut intended = Some(intended);
    let mut pause = PAUSE;
    loop {
        let began = Instant::now();
        let (was_open, ending) = match begin(&worker_watches, index, intended.take()).await {
            Ok((permit, body)) => {
                let ending = read(&worker_watches, index, body).await;
                drop(permit);
                worker_watches.closed(index);
                (true, ending)
            }
            Err(ending) => (false, ending),
        };
        worker_watches.ended(index, ending);
        // A server that closes each watch at once is not asked without a pause, as clients do.
        let lasted = ending != Ending::Closed || began.elapsed() >= LASTED;
        if was_open && ending != Ending::Error && lasted {
            pause = PAUSE;
        } else {
            Box::pin(tokio::time::sleep(pause.mul_f64(0.5 + fastrand::f64()))).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }
}

async fn begin(
    worker_watches: &WorkerWatches,
    index: usize,
    intended: Option<Instant>,
) -> Result<(StreamPermit, Body), Ending> {
    if worker_watches.needs_list(index) {
        Box::pin(list(worker_watches, index)).await?;
    }
    open(worker_watches, index, intended).await
}

async fn open(
    worker_watches: &WorkerWatches,
    index: usize,
    intended: Option<Instant>,
) -> Result<(StreamPermit, Body), Ending> {
    let latency = worker_watches.series.latency;
    let mut retries = Retries::default();
    loop {
        let requested_at = Instant::now();
        let permit = worker_watches.pool.permit().await;
        let permit = permit.map_err(|why| worker_watches.refused(index, latency, &why, requested_at))?;
        let call = worker_watches.call(index)?;
        let sent = Instant::now();
        // Boxed: the memory for sending is free again while the watch is open.
        let sending = Box::pin(permit.send(&call));
        let response = tokio::time::timeout(worker_watches.watch_pool.within, sending).await;
        match response.unwrap_or(Err(RequestError::Late)) {
            Ok(response) => {
                let body = accept(worker_watches, index, response, (intended.unwrap_or(sent), sent))?;
                return Ok((permit, body));
            }
            Err(why) => {
                drop(permit);
                if !retries.next(&why).await {
                    return Err(worker_watches.refused(index, latency, &why, sent));
                }
            }
        }
    }
}

/// The events of a response to a watch, if it has some.
fn accept(
    worker_watches: &WorkerWatches,
    index: usize,
    response: StreamedResponse,
    (intended, sent): (Instant, Instant),
) -> Result<Body, Ending> {
    let (recorder, latency) = (&worker_watches.recorder, worker_watches.series.latency);
    if response.status != StatusCode::OK {
        recorder.fail(latency, ErrorClass::Status(response.status.as_u16()));
        if response.status == StatusCode::FORBIDDEN {
            worker_watches.count_forbidden();
        }
        return Err(if response.status == StatusCode::GONE { Ending::Gone } else { Ending::Refused });
    }
    // Something else than the server responds, such as a login.
    let content_type = response.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if content_type.is_some_and(is_html) {
        recorder.fail(latency, ErrorClass::InvalidBody);
        return Err(Ending::Refused);
    }
    worker_watches.opened(index, intended, sent);
    Ok(response.body)
}

async fn read(worker_watches: &WorkerWatches, index: usize, mut body: Body) -> Ending {
    let mut frames = Frames::default();
    loop {
        if let ReadRate::Slow(rest) = worker_watches.watch_pool.read_rate {
            Box::pin(tokio::time::sleep(rest)).await;
        }
        let ending = match body.next().await {
            Ok(Some(piece)) => worker_watches.piece(index, &mut frames, &piece),
            Ok(None) => Some(worker_watches.rest(index, &mut frames).unwrap_or(Ending::Closed)),
            Err(request_error) => Some(ending(&request_error)),
        };
        if let Some(ending) = ending {
            return ending;
        }
    }
}

async fn list(worker_watches: &WorkerWatches, index: usize) -> Result<(), Ending> {
    let settled_below = worker_watches.stamps.settled_below();
    let not_older_than = worker_watches.stamps.versions.of_resource();
    let call = Call::get(worker_watches.route(index).list().map_err(|_| Ending::Refused)?);
    let sent = Instant::now();
    let mut retries = Retries::default();
    let listed = loop {
        let listed = list_in_time(worker_watches, &call).await;
        let Listed::Failed(why) = &listed else { break listed };
        if !retries.next(why).await {
            break listed;
        }
    };
    let version = match listed {
        Listed::Version { version, bytes, items, misread, listed } => {
            worker_watches.recorder.bytes(worker_watches.series.list[0], bytes);
            worker_watches.compare_list(index, items, misread, repeated(&listed));
            worker_watches.compare_version(("the list before watch", index), &version, not_older_than);
            let read_list = ReadList { version: version.parse().ok(), bytes, items: &listed };
            worker_watches.judge_listed(index, read_list);
            version
        }
        Listed::Wrong(class) => {
            worker_watches.series.list.iter().for_each(|series| worker_watches.recorder.fail(*series, class));
            return Err(Ending::Refused);
        }
        Listed::Failed(request_error) => {
            let [latency, service] = worker_watches.series.list;
            worker_watches.refused(index, latency, &request_error, sent);
            return Err(worker_watches.refused(index, service, &request_error, sent));
        }
    };
    let now = Instant::now();
    worker_watches.series.list.iter().for_each(|series| worker_watches.recorder.record(*series, now - sent));
    worker_watches.began_anew(index, version, settled_below, now);
    Ok(())
}

/// The outcome of a list before a watch.
enum Listed {
    /// Its version, its length in bytes, and its items. If there is a second count: whether both differ, and the items that are read.
    Version {
        version: String,
        bytes: u64,
        items: u64,
        misread: Option<bool>,
        listed: Vec<ListedObject>,
    },
    /// The server rejects the list, or returns none, or gives it no version.
    Wrong(ErrorClass),
    Failed(RequestError),
}

async fn list_in_time(worker_watches: &WorkerWatches, call: &Call) -> Listed {
    let listed = tokio::time::timeout(worker_watches.watch_pool.within, listed(worker_watches, call)).await;
    listed.unwrap_or(Err(RequestError::Late)).unwrap_or_else(Listed::Failed)
}

async fn listed(worker_watches: &WorkerWatches, call: &Call) -> Result<Listed, RequestError> {
    let permit = worker_watches.pool.permit().await?;
    let mut response = permit.send(call).await?;
    if response.status != StatusCode::OK {
        return Ok(Listed::Wrong(ErrorClass::Status(response.status.as_u16())));
    }
    let is_plain_json = is_plain_json(&response.headers);
    let (mut items, mut bytes) = (Items::new(worker_watches.counts_twice()), 0);
    while let Some(piece) = response.body.next().await? {
        bytes += piece.len() as u64;
        items.take(&piece);
    }
    let items = items.without_escapes().map_or(items, |(items, _)| items);
    let version = items.version().filter(|version| !version.is_empty());
    let version = version.filter(|_| !is_plain_json || items.is_complete_list());
    let misread = items.misread().filter(|_| is_plain_json);
    Ok(version.map_or(Listed::Wrong(ErrorClass::InvalidBody), |version| Listed::Version {
        version,
        bytes,
        items: items.sure_count(),
        misread,
        listed: items.listed().unwrap_or_default(),
    }))
}

fn ending(request_error: &RequestError) -> Ending {
    match request_error {
        RequestError::Unreachable(_) | RequestError::Late => Ending::Refused,
        RequestError::Cut => Ending::Cut,
        RequestError::Reset | RequestError::RefusedStream => Ending::Reset,
        RequestError::GoAway => Ending::Goaway,
    }
}

impl WorkerWatches {
    pub(super) fn route(&self, index: usize) -> &Route {
        &self.watch_pool.routes[self.watchers[index].borrow().route]
    }

    fn call(&self, index: usize) -> Result<Call, Ending> {
        let route = self.route(index);
        let mut watcher = self.watchers[index].borrow_mut();
        watcher.settled_below = self.stamps.settled_below();
        watcher.not_older_than = self.stamps.versions.of_resource();
        route.watch(&watcher.version).map(Call::get).map_err(|_| Ending::Refused)
    }

    fn needs_list(&self, index: usize) -> bool {
        self.watchers[index].borrow().version.is_empty() && !self.route(index).initial_events
    }

    /// Counts a failure, unless an order of the run has cut the connection.
    fn refused(
        &self,
        index: usize,
        series: SeriesId,
        request_error: &RequestError,
        since: Instant,
    ) -> Ending {
        let is_cut = matches!(request_error, RequestError::Cut | RequestError::Reset | RequestError::GoAway);
        if !(is_cut && self.watchers[index].borrow().ordered) {
            self.recorder.give_up(series, class(request_error), since.elapsed());
        }
        ending(request_error)
    }

    fn opened(&self, index: usize, intended: Instant, sent: Instant) {
        let now = Instant::now();
        self.recorder.record_micros(self.series.latency, between(intended, now));
        self.recorder.record_micros(self.series.service, between(sent, now));
        self.count_open(true);
        let mut watcher = self.watchers[index].borrow_mut();
        let watches = &mut self.account.borrow_mut().watches;
        if std::mem::replace(&mut watcher.was_open, true) {
            watches.resumed += 1;
        } else {
            watches.opened += 1;
            self.count_opened();
        }
        (watcher.sent, watcher.ordered) = (sent, false);
        (watcher.initial, watcher.silent) = (watcher.version.is_empty(), true);
        watcher.unsynced_since = watcher.initial.then_some(sent);
        (watcher.initial_objects, watcher.newest) = (InitialObjects::default(), 0);
        watcher.opened_at = watcher.version.parse().ok();
        watcher.latest = watcher.opened_at.unwrap_or(0);
    }

    fn closed(&self, index: usize) {
        self.count_open(false);
        let now = Instant::now();
        let mut watcher = self.watchers[index].borrow_mut();
        let by_run = watcher.ordered;
        self.count_unsynced(&mut watcher, by_run, now);
        watcher.ended = Some(now);
    }

    fn ended(&self, index: usize, ending: Ending) {
        let mut watcher = self.watchers[index].borrow_mut();
        self.count_end_after_list(&mut watcher, ending);
        if !std::mem::take(&mut watcher.ordered) {
            self.count_ended(ending);
        }
        if ending == Ending::Gone || std::mem::take(&mut watcher.relist) || watcher.initial {
            watcher.version.clear();
        }
    }

    fn began_anew(&self, index: usize, version: String, settled_below: u32, read_until: Instant) {
        let mut watcher = self.watchers[index].borrow_mut();
        self.track_anew(&mut watcher, settled_below, read_until);
        watcher.version = version;
        watcher.just_listed = true;
        self.account.borrow_mut().restarts.lists += 1;
    }

    /// The watch begins anew from a list whose response ended at an instant.
    pub(super) fn track_anew(&self, watcher: &mut Watcher, settled_below: u32, read_until: Instant) {
        let read_until = self.stamps.micros(read_until);
        let first = self.stamps.measured_from();
        let skipped = watcher.delivery_tracker.begin_anew((settled_below, read_until), first, &*self.stamps);
        self.account.borrow_mut().skipped += skipped;
        for (worker, writer) in self.stamps.others() {
            // Which of its writes the list has will show at the end.
            watcher.of_workers[usize::from(worker)].begin_anew((0, read_until), 0, writer);
        }
    }
}
