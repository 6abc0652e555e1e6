//! The coordinator's side of the rendezvous: reads what the workers write, and writes its own state for them.

mod exchange;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use harness::TestError;
use tokio::sync::mpsc::UnboundedSender;
use tokio::task::JoinHandle;

use super::LOST_AFTER;
use super::clock_bounds::OwnClock;
use super::limits::Limits;
use super::rendezvous::{Documents, Rendezvous};
use super::worker_seen::{WorkerSeen, problem_of, unreadable_of};
use crate::interval_report::IntervalReport;
use crate::run::{Backlog, Followed, Stopped};

/// During the load the documents are read less often: reading costs time as well.
const CALM: u32 = 5;

/// Timeout for the removal of all documents.
const FAREWELL: Duration = Duration::from_secs(15);

/// Follows the workers of a run. Clones share it.
#[derive(Clone)]
pub(super) struct Follower(Arc<Inner>);

struct Inner {
    run: String,
    rendezvous: Arc<dyn Rendezvous>,
    clock: OwnClock,
    state: Mutex<State>,
    task: Mutex<Option<JoinHandle<()>>>,
}

struct State {
    workers: Vec<WorkerSeen>,
    reports: Option<UnboundedSender<IntervalReport>>,
    /// Before these are known, no document of a worker can be news.
    limits: Option<Arc<Limits>>,
    beat: u64,
    start: Option<u64>,
    stop: Option<String>,
    writes: Option<usize>,
    collected: bool,
    /// Whether another coordinator writes to the same rendezvous.
    has_rival: bool,
    /// The last successful exchange with the rendezvous, and the error since then.
    reached: Instant,
    unreachable: Option<String>,
}

impl Follower {
    /// Forgets earlier runs, and begins to follow this one.
    pub(super) async fn start(
        run: &str,
        workers: usize,
        rendezvous: Arc<dyn Rendezvous>,
        clock: OwnClock,
    ) -> Result<Self, TestError> {
        if let Err(why) = rendezvous.reset(Documents::all(workers).collect()).await {
            for name in Documents::all(workers) {
                let _ = rendezvous.remove(name).await;
            }
            return Err(why);
        }
        let state = State {
            workers: (0..workers).map(|_| WorkerSeen::default()).collect(),
            reports: None,
            limits: None,
            beat: 0,
            start: None,
            stop: None,
            writes: None,
            collected: false,
            has_rival: false,
            reached: Instant::now(),
            unreachable: None,
        };
        let (run, state, task) = (run.to_owned(), Mutex::new(state), Mutex::default());
        let follower = Self(Arc::new(Inner { run, rendezvous, clock, state, task }));
        follower.tell().await?;
        *follower.task() = Some(tokio::spawn(follower.clone().follow()));
        Ok(follower)
    }

    pub(super) fn rendezvous(&self) -> &dyn Rendezvous {
        &*self.0.rendezvous
    }

    /// Sends the interval reports of all workers there, within these limits.
    pub(super) fn report_to(&self, reports: UnboundedSender<IntervalReport>, limits: Limits) {
        let mut state = self.state();
        (state.reports, state.limits) = (Some(reports), Some(Arc::new(limits)));
    }

    /// Announces the start of the schedule.
    pub(super) fn start_at(&self, at: Instant) {
        self.state().start = Some(self.0.clock.micros(at));
    }

    /// Tells the workers to stop early.
    pub(super) fn stop(&self, why: &Stopped) {
        self.state().stop.get_or_insert_with(|| why.to_string());
    }

    /// Waits until all workers are ready; the error is the reason why some are not.
    pub(super) async fn all_ready(&self, within: Duration) -> Result<(), Stopped> {
        let until = Instant::now() + within;
        loop {
            if let Some(stopped) = self.stopped() {
                return Err(stopped);
            }
            let waiting = self.missing(|worker| !worker.ready);
            if waiting.is_empty() {
                return Ok(());
            }
            if Instant::now() > until {
                if let Some(why) = unreadable_of(&self.state().workers) {
                    return Err(Stopped::of(why));
                }
                let absent = self.missing(|worker| !worker.has_joined());
                let (which, what) =
                    if absent.is_empty() { (waiting, "became ready") } else { (absent, "joined") };
                let seconds = within.as_secs();
                return Err(Stopped::of(format!("{} never {what} within {seconds} s", list(&which))));
            }
            self.rest().await;
        }
    }

    /// Waits until nothing more comes from any worker; gives up those that take longer.
    pub(super) async fn all_ended(&self, within: Duration) {
        let until = Instant::now() + within;
        let is_absent = |worker: &&mut WorkerSeen| !worker.has_joined();
        self.state().workers.iter_mut().filter(is_absent).for_each(WorkerSeen::give_up);
        while !self.missing(|worker| !worker.has_ended()).is_empty() {
            if Instant::now() > until || self.is_unreachable() || self.has_ended() {
                self.state().workers.iter_mut().for_each(WorkerSeen::give_up);
            }
            self.rest().await;
        }
    }

    /// The workers at the end. Each is taken once.
    pub(super) fn take_workers(&self) -> Vec<WorkerSeen> {
        std::mem::take(&mut self.state().workers)
    }

    /// Dismisses the workers and removes all documents; returns why some may be left.
    pub(super) async fn finish(&self, workers: usize) -> Option<String> {
        let task = self.task().take();
        if let Some(task) = task {
            task.abort();
            let _ = task.await;
        }
        {
            let mut state = self.state();
            state.stop.get_or_insert_with(|| "the run has ended".to_owned());
            state.collected = true;
        }
        let removing = async {
            self.tell().await?;
            // Workers that still read learn the end from this document.
            tokio::time::sleep(self.0.rendezvous.pause() * CALM * 2).await;
            for name in Documents::all(workers) {
                self.0.rendezvous.remove(name).await?;
            }
            Ok::<_, TestError>(())
        };
        match tokio::time::timeout(FAREWELL, removing).await {
            Ok(Ok(())) => None,
            Ok(Err(why)) => Some(why.to_string()),
            Err(_) => Some("the rendezvous did not respond in time".to_owned()),
        }
    }

    fn missing(&self, lacks: impl Fn(&WorkerSeen) -> bool) -> Vec<usize> {
        let state = self.state();
        (0..).zip(&state.workers).filter(|(_, worker)| lacks(worker)).map(|(index, _)| index).collect()
    }

    async fn rest(&self) {
        let started = self.state().start.is_some();
        tokio::time::sleep(self.0.rendezvous.pause() * if started { CALM } else { 1 }).await;
    }

    /// Whether the task that reads the documents has ended: it must not before [`Follower::finish`].
    fn has_ended(&self) -> bool {
        self.task().as_ref().is_some_and(JoinHandle::is_finished)
    }

    fn is_unreachable(&self) -> bool {
        let state = self.state();
        state.unreachable.is_some() && state.reached.elapsed() > LOST_AFTER
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn task(&self) -> MutexGuard<'_, Option<JoinHandle<()>>> {
        self.0.task.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Followed for Follower {
    fn backlog(&self) -> Backlog {
        let mut sum = Backlog::default();
        self.state().workers.iter().for_each(|worker| sum.add(worker.backlog));
        sum
    }

    /// Each worker notices that by itself.
    fn is_adrift(&self) -> bool {
        false
    }

    fn stopped(&self) -> Option<Stopped> {
        if self.has_ended() {
            return Some(Stopped::of("the task that reads the documents of the workers has failed"));
        }
        let state = self.state();
        if state.has_rival {
            let why = "another coordinator writes to the same rendezvous; hint: give each run one of its own";
            return Some(Stopped::of(why));
        }
        if let Some(why) = state.unreachable.as_ref().filter(|_| state.reached.elapsed() > LOST_AFTER) {
            return Some(Stopped::of(format!("the rendezvous is unreachable: {why}")));
        }
        problem_of(&state.workers).map(Stopped::of)
    }
}

/// `worker 3`, or `workers 1, 2 and 7`.
fn list(workers: &[usize]) -> String {
    let names: Vec<String> = workers.iter().take(10).map(ToString::to_string).collect();
    let more = workers.len() - names.len();
    match names.as_slice() {
        [one] if more == 0 => format!("worker {one}"),
        _ if more > 0 => format!("workers {} and {more} more", names.join(", ")),
        [first @ .., last] => format!("workers {} and {last}", first.join(", ")),
        [] => "no worker".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use futures::FutureExt;
    use futures::future::BoxFuture;

    use super::*;

    #[test]
    fn workers_are_listed() {
        assert_eq!(list(&[3]), "worker 3");
        assert_eq!(list(&[1, 2, 7]), "workers 1, 2 and 7");
        assert_eq!(list(&(0..12).collect::<Vec<_>>()), "workers 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more");
    }

    /// A rendezvous with a defect.
    struct Panics;

    impl Rendezvous for Panics {
        fn get(&self, _: String) -> BoxFuture<'_, Result<Option<String>, TestError>> {
            async { Ok(None) }.boxed()
        }

        fn get_all(&self, _: Vec<String>) -> BoxFuture<'_, Result<BTreeMap<String, String>, TestError>> {
            async { panic!("a defect") }.boxed()
        }

        fn put(&self, _: String, _: String) -> BoxFuture<'_, Result<(), TestError>> {
            async { Ok(()) }.boxed()
        }

        fn reset(&self, _: Vec<String>) -> BoxFuture<'_, Result<(), TestError>> {
            async { Ok(()) }.boxed()
        }

        fn remove(&self, _: String) -> BoxFuture<'_, Result<(), TestError>> {
            async { Ok(()) }.boxed()
        }

        fn pause(&self) -> Duration {
            Duration::from_millis(1)
        }
    }

    #[tokio::test]
    async fn another_coordinator_at_the_rendezvous_is_named() {
        let place = tempfile::tempdir().unwrap();
        let start = async |run| {
            let folder = Arc::new(crate::workers::Folder::open(place.path()).unwrap());
            let clock = OwnClock::start(|| jiff::Timestamp::UNIX_EPOCH);
            Follower::start(run, 2, folder, clock).await.unwrap()
        };
        let (first, second) = (start("a").await, start("b").await);
        let ready = first.all_ready(Duration::from_mins(1)).await;
        assert!(ready.unwrap_err().to_string().contains("another coordinator writes to the same rendezvous"));
        first.finish(2).await;
        second.finish(2).await;
    }

    #[tokio::test]
    async fn the_end_of_the_task_that_reads_ends_the_run() {
        let clock = OwnClock::start(|| jiff::Timestamp::UNIX_EPOCH);
        let follower = Follower::start("r", 2, Arc::new(Panics), clock).await.unwrap();
        let minute = Duration::from_mins(1);
        let soon = Duration::from_secs(10);
        let ready = tokio::time::timeout(soon, follower.all_ready(minute)).await.expect("it waits for ever");
        assert!(ready.unwrap_err().to_string().contains("has failed"));
        tokio::time::timeout(soon, follower.all_ended(minute)).await.expect("it waits for ever");
    }
}
