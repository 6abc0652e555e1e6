//! The thread that sends the requests of a workload.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use harness::load::{Senders, Starts};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::Stage;
use super::run_record::Stopped;
use crate::interval_report::{IntervalReport, IntervalReporter};
use crate::mix::{Mix, MixSummary};
use crate::pace::Pace;
use crate::read_back::MOST_READ_BACK;
use crate::recorder::Recorder;
use crate::requests::{RequestTiming, Requests};
use crate::share::Share;
use crate::wire::{ConnectionPool, Limits};
use crate::worker::Worker;
use crate::workload::{RequestLoad, Workload};

/// The precision of the starts.
const TICK: Duration = Duration::from_micros(500);

/// The thread of the requests; absent in a workload without requests.
pub(super) struct RequestWorker {
    worker: Option<Worker<Sent>>,
    mix_summary: Arc<Mutex<MixSummary>>,
    starts: Arc<Mutex<Starts>>,
    open: bool,
    /// Ends when all connections are open.
    opened: Option<oneshot::Receiver<()>>,
    /// Takes the instant at which the schedule begins.
    start: Option<oneshot::Sender<Instant>>,
}

/// The counts of the thread.
type Sent = (Starts, Option<Senders>);

/// The results of the requests.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RequestSummary {
    /// The counts of starts in an open loop.
    pub(crate) starts: Option<Starts>,
    /// The senders of a closed loop.
    #[serde(default)]
    pub(crate) senders: Option<Senders>,
    pub(crate) mix_summary: MixSummary,
}

impl RequestSummary {
    /// Adds the results of another worker.
    pub(super) fn add(&mut self, other: Self) {
        self.add_starts(other.starts);
        if let Some(senders) = other.senders {
            self.senders.get_or_insert_default().add(&senders);
        }
        self.mix_summary.add(other.mix_summary);
    }

    /// Adds the starts of another worker, as far as they are known.
    pub(crate) fn add_starts(&mut self, other: Option<Starts>) {
        if let Some(starts) = other {
            self.starts.get_or_insert_default().add(&starts);
        }
    }
}

impl RequestWorker {
    /// Opens the connections; [`RequestWorker::start_at`] starts to send. Cancelling gives up all requests in flight.
    pub(super) fn open(
        stage: &Stage,
        interval_reports: UnboundedSender<IntervalReport>,
        enough: CancellationToken,
    ) -> Result<Self, Stopped> {
        let (mix_summary, starts) = (Arc::<Mutex<MixSummary>>::default(), Arc::<Mutex<Starts>>::default());
        let Some(request_load) = &stage.plan.workload.requests else {
            return Ok(Self { worker: None, mix_summary, starts, open: false, opened: None, start: None });
        };
        let job = Job {
            request_load: request_load.clone(),
            timing: RequestTiming::of(&stage.plan.workload, request_load),
            limits: Limits { streams: request_load.streams, ..Limits::connections(request_load.connections) },
            share: stage.share,
            mix_summary: mix_summary.clone(),
            starts: starts.clone(),
            enough,
            interval_reports,
        };
        let (endpoint, within, seed) = (stage.endpoint.clone(), stage.plan.within, stage.plan.seed);
        let (settled, stamps) = (stage.settled.clone(), stage.stamps.clone());
        let (is_open, opened) = oneshot::channel();
        let (start, started) = oneshot::channel();
        let worker = Worker::start("requests", move || async move {
            let recorder = Recorder::default();
            let pool = ConnectionPool::new(endpoint, job.limits);
            let operations = Mix::operations(&job.request_load, &settled.template.resource, &recorder);
            // An error here fails every request, and counts there.
            let _ = pool.open_all().await;
            let _ = is_open.send(());
            // Without a start the run is over.
            let Ok(began) = started.await else { return Sent::default() };
            let measured_from = began + job.timing.warm_up;
            if !job.timing.warm_up.is_zero() {
                stamps.warm_up();
            }
            let mix = Mix::new(
                (&job.request_load, within),
                (job.share, seed),
                settled,
                stamps,
                measured_from,
                job.mix_summary.clone(),
            );
            let requests = Requests::new(pool, recorder.clone(), job.timing, operations, mix);
            job.work(&requests, recorder, began).await
        });
        let open = request_load.closed.is_none();
        let worker = Some(worker.map_err(Stopped::of)?);
        Ok(Self { worker, mix_summary, starts, open, opened: Some(opened), start: Some(start) })
    }

    /// The counts of starts so far, in an open loop.
    pub(super) fn starts(&self) -> Option<Starts> {
        self.open.then(|| *self.starts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The end of the opening of all connections.
    pub(super) fn opening(&mut self) -> Option<oneshot::Receiver<()>> {
        self.opened.take()
    }

    /// Starts the schedule at an instant.
    pub(super) fn start_at(&mut self, began: Instant) {
        if let Some(start) = self.start.take() {
            let _ = start.send(began);
        }
    }

    /// Waits for the end of the thread.
    pub(super) async fn join(mut self) -> Result<RequestSummary, Stopped> {
        // A schedule that has not started by now never will.
        self.start = None;
        let (starts, senders) = match self.worker {
            Some(worker) => {
                let (starts, senders) = worker.join().await.map_err(Stopped::of)?;
                (Some(starts), senders)
            }
            None => (None, None),
        };
        let mix_summary = self.mix_summary.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(RequestSummary { starts: starts.filter(|_| self.open), senders, mix_summary })
    }
}

/// The task of the thread.
struct Job {
    request_load: RequestLoad,
    timing: RequestTiming,
    limits: Limits,
    share: Share,
    mix_summary: Arc<Mutex<MixSummary>>,
    starts: Arc<Mutex<Starts>>,
    enough: CancellationToken,
    interval_reports: UnboundedSender<IntervalReport>,
}

impl Job {
    async fn work(self, requests: &Requests<Mix>, recorder: Recorder, began: Instant) -> Sent {
        let mut interval_reporter = IntervalReporter::new(recorder, self.interval_reports.clone());
        let mut dropped = 0;
        {
            let mut running = std::pin::pin!(requests.run_from(began));
            loop {
                tokio::select! {
                    // Without a clock the requests end at once: the counts of starts show that none was sent.
                    _ = &mut running => break,
                    () = self.enough.cancelled() => break,
                    () = interval_reporter.rest() => {
                        *self.starts.lock().unwrap_or_else(PoisonError::into_inner) = requests.starts();
                        let before = std::mem::replace(&mut dropped, requests.dropped());
                        interval_reporter.report_requests(dropped.saturating_sub(before));
                    }
                }
            }
        }
        let most = MOST_READ_BACK.div_ceil(self.share.of);
        let stored = requests.look(|mix| mix.stored(most));
        self.mix_summary.lock().unwrap_or_else(PoisonError::into_inner).stored = stored;
        // The dropped requests record themselves in their next turn.
        tokio::time::sleep(Duration::from_millis(5)).await;
        let starts = requests.starts();
        // The end of the load drops those that still waited.
        interval_reporter.report_requests(starts.dropped.saturating_sub(dropped));
        (starts, requests.senders())
    }
}

impl RequestTiming {
    /// The timing of the requests of a workload.
    pub(crate) fn of(workload: &Workload, request_load: &RequestLoad) -> Self {
        let pace = request_load.closed.map_or(Pace::Fixed(request_load.rate), Pace::Closed);
        let (warm_up, drain) = (workload.warm_up.0, workload.drain.0);
        Self { pace, warm_up, length: warm_up + workload.duration.0, drain, tick: TICK }
    }
}
