//! One exchange of documents with all workers.

use std::time::Instant;

use harness::TestError;

use super::Follower;
use crate::stamp::WriteLog;
use crate::workers::clock_bounds::ClockBounds;
use crate::workers::documents::{CoordinatorDocument, Envelope, read, write};
use crate::workers::rendezvous::Documents;
use crate::workers::worker_seen::{WorkerSeen, refuse_copies};

/// The maximum length of a document with writes, in bytes: a `ConfigMap` takes 1 MiB.
const LONGEST: usize = 900_000;

impl Follower {
    /// Exchanges documents until the task is aborted.
    pub(super) async fn follow(self) {
        loop {
            self.rest().await;
            let exchanged = self.exchange().await;
            let mut state = self.state();
            match exchanged {
                Ok(()) => (state.reached, state.unreachable) = (Instant::now(), None),
                Err(why) => state.unreachable = Some(why.to_string()),
            }
        }
    }

    async fn exchange(&self) -> Result<(), TestError> {
        let names = {
            let state = self.state();
            let own = [Documents::COORDINATOR.to_owned()];
            own.into_iter().chain((0..state.workers.len()).map(Documents::worker)).collect()
        };
        let documents = self.0.rendezvous.get_all(names).await?;
        let now = Instant::now();
        {
            let state = &mut *self.state();
            let limits = state.limits.clone();
            state.has_rival |=
                documents.get(Documents::COORDINATOR).is_some_and(|text| self.is_of_another(text));
            for (index, worker) in state.workers.iter_mut().enumerate() {
                let Some(limits) = &limits else { break };
                let text = documents.get(&Documents::worker(index)).map_or("", String::as_str);
                let reports = worker.take(index, text, &self.0.run, (now, self.0.clock), limits);
                worker.look(now);
                let Some(sender) = &state.reports else { continue };
                for report in reports {
                    // After the end of the run there is no receiver.
                    let _ = sender.send(report);
                }
            }
            refuse_copies(&mut state.workers, now);
        }
        self.tell_writes().await?;
        self.tell().await
    }

    /// Whether another coordinator wrote a document: no other document is there since the start.
    fn is_of_another(&self, text: &str) -> bool {
        let envelope = read::<Envelope>(Documents::COORDINATOR, text);
        envelope.is_ok_and(|envelope| envelope.run != self.0.run)
    }

    /// Writes the state for the workers.
    pub(super) async fn tell(&self) -> Result<(), TestError> {
        let document = {
            let mut state = self.state();
            state.beat += 1;
            let now = Instant::now();
            CoordinatorDocument {
                run: self.0.run.clone(),
                beat: state.beat,
                now: self.0.clock.micros(now),
                start: state.start,
                stop: state.stop.clone(),
                taken: state.workers.iter().map(|worker| worker.taken).collect(),
                clocks: state.workers.iter().map(|worker| worker.clock(now)).collect(),
                to_first: to_first(&state.workers),
                writes: state.writes,
                collected: state.collected,
            }
        };
        self.0.rendezvous.put(Documents::COORDINATOR.to_owned(), write(&document)?).await
    }

    /// Writes the writes of all workers as soon as they are complete.
    async fn tell_writes(&self) -> Result<(), TestError> {
        let logs: Vec<(usize, WriteLog)> = {
            let state = self.state();
            let is_complete = |worker: &WorkerSeen| worker.writes.is_some() || worker.has_ended();
            if state.writes.is_some() || state.workers.is_empty() || !state.workers.iter().all(is_complete) {
                return Ok(());
            }
            let logs = (0..).zip(&state.workers);
            logs.filter_map(|(index, worker)| Some((index, worker.writes.clone()?))).collect()
        };
        let texts = logs.iter().map(write).collect::<Result<Vec<_>, _>>()?;
        let parts = parts(&texts);
        for (number, part) in parts.iter().enumerate() {
            let text = format!("[{}]", part.join(","));
            self.0.rendezvous.put(Documents::writes(number), text).await?;
        }
        self.state().writes = Some(parts.len());
        Ok(())
    }
}

/// The clock of each worker minus that of the first one, from the writes of each that arrived at the other.
fn to_first(workers: &[WorkerSeen]) -> Vec<ClockBounds> {
    let Some(first) = workers.first() else { return Vec::new() };
    let bounds = |(index, worker): (usize, &WorkerSeen)| match index {
        0 => ClockBounds { at_least: Some(0), at_most: Some(0) },
        _ => ClockBounds {
            at_least: first.ahead_of(index).map(i64::saturating_neg),
            at_most: worker.ahead_of(0),
        },
    };
    (0..).zip(workers).map(bounds).collect()
}

/// Combines texts to documents that are not too long.
fn parts(texts: &[String]) -> Vec<Vec<&str>> {
    let mut parts: Vec<Vec<&str>> = Vec::new();
    let mut room = 0;
    for text in texts {
        if text.len() > room || parts.is_empty() {
            parts.push(Vec::new());
            room = LONGEST;
        }
        room = room.saturating_sub(text.len() + 1);
        parts.last_mut().into_iter().for_each(|part| part.push(text));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_share_documents_that_are_not_too_long() {
        let texts: Vec<String> = [400_000, 400_000, 400_000, 10].map(|length| "x".repeat(length)).into();
        let lengths: Vec<usize> = parts(&texts).iter().map(Vec::len).collect();
        assert_eq!(lengths, [2, 2]);
        assert!(parts(&[]).is_empty());
    }
}
