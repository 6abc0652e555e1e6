//! The thread that sends the requests of a workload.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use harness::load::Starts;
use tokio::sync::mpsc::UnboundedSender;
use tokio_util::sync::CancellationToken;

use super::Stage;
use super::books::Stopped;
use crate::beat::{Beat, Heart};
use crate::mix::{Learnt, Mix};
use crate::pace::Pace;
use crate::recorder::Recorder;
use crate::requests::{Course, Requests};
use crate::wire::{Limits, Lines};
use crate::worker::Worker;
use crate::workload::Asking;

/// How exactly requests start.
const TICK: Duration = Duration::from_micros(500);

/// Requests under way; of a workload without any there is no thread.
pub(super) struct Asker {
    worker: Option<Worker<Starts>>,
    learnt: Arc<Mutex<Learnt>>,
    open: bool,
}

/// What became of the requests.
#[derive(Default)]
pub(super) struct Asked {
    /// Of an open loop.
    pub(super) starts: Option<Starts>,
    pub(super) learnt: Learnt,
}

impl Asker {
    /// Begins to send. Cancelling gives up all that is under way.
    pub(super) fn start(
        stage: &Stage,
        beats: UnboundedSender<Beat>,
        enough: CancellationToken,
    ) -> Result<Self, Stopped> {
        let learnt = Arc::new(Mutex::new(Learnt::default()));
        let Some(asking) = &stage.order.workload.requests else {
            return Ok(Self { worker: None, learnt, open: false });
        };
        let job = Job {
            asking: asking.clone(),
            course: course(stage, asking),
            limits: Limits { streams: asking.streams, ..Limits::lines(asking.connections) },
            learnt: learnt.clone(),
            enough,
            beats,
        };
        let (endpoint, within, seed) = (stage.endpoint.clone(), stage.order.within, stage.order.seed);
        let (settled, stamps) = (stage.settled.clone(), stage.stamps.clone());
        let worker = Worker::start("requests", move || async move {
            let recorder = Recorder::default();
            let lines = Lines::new(endpoint, job.limits);
            let operations = Mix::operations(&job.asking, &settled.template.resource, &recorder);
            // What fails here fails for every request, and is counted there.
            let _ = lines.open_all().await;
            let measured_from = Instant::now() + job.course.warm_up;
            if !job.course.warm_up.is_zero() {
                stamps.warm_up();
            }
            let mix =
                Mix::new((&job.asking, within, seed), settled, stamps, measured_from, job.learnt.clone());
            let requests = Requests::new(lines, recorder.clone(), job.course, operations, mix);
            job.work(&requests, recorder).await
        });
        let open = asking.closed.is_none();
        Ok(Self { worker: Some(worker.map_err(Stopped::of)?), learnt, open })
    }

    /// Waits for the last answer.
    pub(super) async fn join(self) -> Result<Asked, Stopped> {
        let starts = match self.worker {
            Some(worker) => Some(worker.join().await.map_err(Stopped::of)?),
            None => None,
        };
        let learnt = self.learnt.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(Asked { starts: starts.filter(|_| self.open), learnt })
    }
}

/// What the thread has to do.
struct Job {
    asking: Asking,
    course: Course,
    limits: Limits,
    learnt: Arc<Mutex<Learnt>>,
    enough: CancellationToken,
    beats: UnboundedSender<Beat>,
}

impl Job {
    async fn work(self, requests: &Requests<Mix>, recorder: Recorder) -> Starts {
        let mut heart = Heart::new(recorder, self.beats.clone());
        {
            let mut running = std::pin::pin!(requests.run());
            loop {
                tokio::select! {
                    // That there is no clock shows in the starts: none was sent.
                    _ = &mut running => break,
                    () = self.enough.cancelled() => break,
                    () = heart.rest() => heart.beat(0, 0),
                }
            }
        }
        // Those that were given up are measured when they are dropped, which is in their next turn.
        tokio::time::sleep(Duration::from_millis(5)).await;
        heart.beat(0, 0);
        requests.starts()
    }
}

fn course(stage: &Stage, asking: &Asking) -> Course {
    let workload = &stage.order.workload;
    let pace = asking.closed.map_or(Pace::Fixed(asking.rate), Pace::Closed);
    let (warm_up, drain) = (workload.warm_up.0, workload.drain.0);
    Course { pace, warm_up, length: warm_up + workload.duration.0, drain, tick: TICK }
}
