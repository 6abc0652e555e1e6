//! The concurrent branches of a run. A replay gives each branch its own recorded responses and times, so the name of a
//! branch must not depend on the order in which branches go on.
//!
//! A scenario is a branch; so is each future of [`join_all`], and each write, which goes on without its scenario.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::future::{self, Join, JoinAll, TryJoin, TryJoinAll};
use tokio::task::coop::unconstrained;
use tokio::task::futures::TaskLocalFuture;

use crate::evidence::{BranchId, Moment, MomentKind, Recorder, Replay};
use crate::instant::Instant;

/// How long a replay waits for a response that the record does not have.
const NEVER: Duration = Duration::from_hours(1);

tokio::task_local! {
    static CURRENT: Arc<Branch>;
}

/// A sequence of steps, one after the other.
#[derive(Debug, Default)]
pub struct Branch {
    pub(crate) id: BranchId,
    tape: Tape,
    branches: AtomicUsize,
    moments: AtomicUsize,
}

/// The record that a branch writes or reads.
#[derive(Debug, Clone, Default)]
pub(crate) enum Tape {
    #[default]
    None,
    Recorder(Arc<Recorder>),
    Replay(Arc<Replay>),
}

/// The future of a branch.
pub type InBranch<F> = TaskLocalFuture<Arc<Branch>, F>;

impl Branch {
    pub(crate) fn new(scenario: usize, name: &str, tape: Tape) -> Arc<Self> {
        let id = BranchId { scenario, name: name.to_owned() };
        Arc::new(Self { id, tape, ..Self::default() })
    }

    /// The branch that runs now.
    pub(crate) fn current() -> Arc<Self> {
        CURRENT.try_with(Arc::clone).unwrap_or_default()
    }

    /// Runs a future as this branch.
    pub fn run<F: Future>(self: Arc<Self>, future: F) -> InBranch<F> {
        CURRENT.scope(self, future)
    }

    fn next(&self) -> Arc<Self> {
        let number = self.branches.fetch_add(1, Ordering::Relaxed) + 1;
        let BranchId { scenario, name } = &self.id;
        let dot = if name.is_empty() { "" } else { "." };
        Self::new(*scenario, &format!("{name}{dot}{number}"), self.tape.clone())
    }

    fn moment(&self, kind: MomentKind) -> Moment {
        let number = self.moments.fetch_add(1, Ordering::Relaxed) + 1;
        let BranchId { scenario, name: branch } = self.id.clone();
        Moment { scenario, branch, number, kind, at: 0 }
    }

    /// The time now: in a replay the recorded one.
    pub(crate) fn now(&self) -> Option<tokio::time::Instant> {
        match &self.tape {
            Tape::None => None,
            Tape::Recorder(recorder) => Some(recorder.moment(self.moment(MomentKind::Read))),
            Tape::Replay(replay) => replay.moment(&self.moment(MomentKind::Read)),
        }
    }
}

/// Whether one scenario does the current work for all of them: see [`crate::Client::shared`].
pub fn is_shared() -> bool {
    let BranchId { scenario, name } = &Branch::current().id;
    *scenario == 0 && !name.is_empty()
}

/// Runs a future as a branch of the current one.
pub fn branch<F: Future>(future: F) -> InBranch<F> {
    Branch::current().next().run(future)
}

/// As in `futures`: each future is a branch.
pub fn join<A: Future, B: Future>(a: A, b: B) -> Join<InBranch<A>, InBranch<B>> {
    future::join(branch(a), branch(b))
}

/// As in `futures`: each future is a branch.
pub fn join_all<I>(futures: I) -> JoinAll<InBranch<I::Item>>
where
    I: IntoIterator,
    I::Item: Future,
{
    future::join_all(futures.into_iter().map(branch))
}

/// As in `futures`: each future is a branch.
pub fn try_join<A, B, T, U, E>(a: A, b: B) -> TryJoin<InBranch<A>, InBranch<B>>
where
    A: Future<Output = Result<T, E>>,
    B: Future<Output = Result<U, E>>,
{
    future::try_join(branch(a), branch(b))
}

/// As in `futures`: each future is a branch.
pub fn try_join_all<I, T, E>(futures: I) -> TryJoinAll<InBranch<I::Item>>
where
    I: IntoIterator,
    I::Item: Future<Output = Result<T, E>>,
{
    future::try_join_all(futures.into_iter().map(branch))
}

/// Goes on where the recorded branch did: after the same steps of other branches. It takes no time outside of a replay.
pub async fn in_turn() {
    let current = Branch::current();
    match &current.tape {
        Tape::None => {}
        Tape::Recorder(recorder) => drop(recorder.moment(current.moment(MomentKind::Turn))),
        Tape::Replay(replay) => replay.turn(&current.moment(MomentKind::Turn)).await,
    }
}

/// The result of a future; `None` if the time is over before. In a replay the record says which was first.
fn unless<T>(
    over: impl Future<Output = ()>,
    work: impl Future<Output = T>,
) -> impl Future<Output = Option<T>> {
    unless_after(future::ready(()), over, work)
}

/// The same, after the end of another future.
pub(crate) fn unless_after<T>(
    before: impl Future<Output = ()>,
    over: impl Future<Output = ()>,
    work: impl Future<Output = T>,
) -> impl Future<Output = Option<T>> {
    // Futures of scenarios are large.
    let (over, work) = (Box::pin(over), Box::pin(work));
    async move {
        let current = Branch::current();
        // Numbered before a wait that a replay does not have: a branch given up meanwhile has the same numbers.
        let moment = current.moment(MomentKind::Over);
        before.await;
        if let Tape::Replay(replay) = &current.tape {
            return first(recorded(replay, &moment), work).await;
        }
        let done = first(over, work).await;
        if let (None, Tape::Recorder(recorder)) = (&done, &current.tape) {
            recorder.moment(moment);
        }
        done
    }
}

/// Waits for the recorded end of a time; practically for ever if the time was not over in the record.
async fn recorded(replay: &Replay, moment: &Moment) {
    if replay.has(moment) {
        replay.turn(moment).await;
    } else {
        tokio::time::sleep(NEVER).await;
    }
}

async fn first<T>(over: impl Future<Output = ()>, work: impl Future<Output = T>) -> Option<T> {
    // Work that is always ready uses up the turns that the runtime grants to a task: the end of a time needs none.
    let over = unconstrained(over);
    tokio::select! {
        biased;
        done = work => Some(done),
        () = over => None,
    }
}

/// The result of a future within a time.
pub fn timeout<T>(limit: Duration, work: impl Future<Output = T>) -> impl Future<Output = Option<T>> {
    unless(tokio::time::sleep(limit), work)
}

/// The result of a future before an instant.
pub fn timeout_at<T>(deadline: Instant, work: impl Future<Output = T>) -> impl Future<Output = Option<T>> {
    unless(deadline.reached(), work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_time_ends_work_that_is_always_ready() {
        let endless = async {
            loop {
                tokio::task::coop::consume_budget().await;
            }
        };
        let limit = Duration::from_millis(10);
        let work = tokio::spawn(timeout(limit, endless));
        let ended = tokio::time::timeout(Duration::from_secs(10), work).await;
        assert_eq!(ended.expect("the time did not end the work").unwrap(), None::<()>);
    }
}
