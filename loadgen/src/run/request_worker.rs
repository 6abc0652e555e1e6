//! The thread that sends the requests of a workload.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use harness::load::Starts;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::Stage;
use super::run_record::Stopped;
use crate::interval_report::{IntervalReport, IntervalReporter};
use crate::mix::{Mix, MixSummary};
use crate::pace::Pace;
use crate::read_back::MOST_READ_BACK;
use crate::recorder::Recorder;
use crate::requests::{RequestTiming, Requests};
use crate::wire::{ConnectionPool, Limits};
use crate::worker::Worker;
use crate::workload::RequestLoad;

/// The precision of the starts.
const TICK: Duration = Duration::from_micros(500);

/// The thread of the requests; absent in a workload without requests.
pub(super) struct RequestWorker {
    worker: Option<Worker<Starts>>,
    mix_summary: Arc<Mutex<MixSummary>>,
    open: bool,
}

/// The results of the requests.
#[derive(Default)]
pub(super) struct RequestSummary {
    /// The counts of starts in an open loop.
    pub(super) starts: Option<Starts>,
    pub(super) mix_summary: MixSummary,
}

impl RequestWorker {
    /// Starts to send. Cancelling gives up all requests in flight.
    pub(super) fn start(
        stage: &Stage,
        interval_reports: UnboundedSender<IntervalReport>,
        enough: CancellationToken,
    ) -> Result<Self, Stopped> {
        let mix_summary = Arc::new(Mutex::new(MixSummary::default()));
        let Some(request_load) = &stage.plan.workload.requests else {
            return Ok(Self { worker: None, mix_summary, open: false });
        };
        let job = Job {
            request_load: request_load.clone(),
            timing: timing(stage, request_load),
            limits: Limits { streams: request_load.streams, ..Limits::connections(request_load.connections) },
            mix_summary: mix_summary.clone(),
            enough,
            interval_reports,
        };
        let (endpoint, within, seed) = (stage.endpoint.clone(), stage.plan.within, stage.plan.seed);
        let (settled, stamps) = (stage.settled.clone(), stage.stamps.clone());
        let worker = Worker::start("requests", move || async move {
            let recorder = Recorder::default();
            let pool = ConnectionPool::new(endpoint, job.limits);
            let operations = Mix::operations(&job.request_load, &settled.template.resource, &recorder);
            // An error here fails every request, and counts there.
            let _ = pool.open_all().await;
            let measured_from = Instant::now() + job.timing.warm_up;
            if !job.timing.warm_up.is_zero() {
                stamps.warm_up();
            }
            let mix = Mix::new(
                (&job.request_load, within, seed),
                settled,
                stamps,
                measured_from,
                job.mix_summary.clone(),
            );
            let requests = Requests::new(pool, recorder.clone(), job.timing, operations, mix);
            job.work(&requests, recorder).await
        });
        let open = request_load.closed.is_none();
        Ok(Self { worker: Some(worker.map_err(Stopped::of)?), mix_summary, open })
    }

    /// Waits for the end of the thread.
    pub(super) async fn join(self) -> Result<RequestSummary, Stopped> {
        let starts = match self.worker {
            Some(worker) => Some(worker.join().await.map_err(Stopped::of)?),
            None => None,
        };
        let mix_summary = self.mix_summary.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(RequestSummary { starts: starts.filter(|_| self.open), mix_summary })
    }
}

/// The task of the thread.
struct Job {
    request_load: RequestLoad,
    timing: RequestTiming,
    limits: Limits,
    mix_summary: Arc<Mutex<MixSummary>>,
    enough: CancellationToken,
    interval_reports: UnboundedSender<IntervalReport>,
}

impl Job {
    async fn work(self, requests: &Requests<Mix>, recorder: Recorder) -> Starts {
        let mut interval_reporter = IntervalReporter::new(recorder, self.interval_reports.clone());
        {
            let mut running = std::pin::pin!(requests.run());
            loop {
                tokio::select! {
                    // Without a clock the requests end at once: the counts of starts show that none was sent.
                    _ = &mut running => break,
                    () = self.enough.cancelled() => break,
                    () = interval_reporter.rest() => interval_reporter.report(0, 0),
                }
            }
        }
        let stored = requests.look(|mix| mix.stored(MOST_READ_BACK));
        self.mix_summary.lock().unwrap_or_else(PoisonError::into_inner).stored = stored;
        // The dropped requests record themselves in their next turn.
        tokio::time::sleep(Duration::from_millis(5)).await;
        interval_reporter.report(0, 0);
        requests.starts()
    }
}

fn timing(stage: &Stage, request_load: &RequestLoad) -> RequestTiming {
    let workload = &stage.plan.workload;
    let pace = request_load.closed.map_or(Pace::Fixed(request_load.rate), Pace::Closed);
    let (warm_up, drain) = (workload.warm_up.0, workload.drain.0);
    RequestTiming { pace, warm_up, length: warm_up + workload.duration.0, drain, tick: TICK }
}
