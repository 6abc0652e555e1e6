//! The recorder of a history: concurrent clients and watches.

use std::sync::atomic::{AtomicBool, Ordering};

use harness::history::{Action, Freshness, History, Operation, WriteOutcome};
use harness::join;

use super::client::Client;
use super::script::{NAMES, Script, Write, WriteMethod};
use super::watcher::{END, Watcher};
use crate::prelude::*;

const WATCHERS: usize = 3;

/// The maximum duration of the scripts; a slow server gets fewer requests.
const LONGEST: Duration = Duration::from_secs(2);

/// The last writes, in sequence, to an object with a history.
const LAST_WRITES: [WriteMethod; 5] =
    [WriteMethod::Create, WriteMethod::Patch, WriteMethod::Update, WriteMethod::Update, WriteMethod::Update];

/// The number of lists of the last state.
const LAST_READS: usize = 3;

/// The record of a run of a script.
pub(super) struct Record {
    pub(super) history: History,
    /// The operations, each with the index of its exchange.
    log: Vec<(Operation, Option<usize>)>,
    /// The watchers that missed the last change on an open stream, by the index of their last exchange.
    unfinished: Vec<Option<usize>>,
}

/// Runs all clients of the script concurrently, on a collection through each server of the control plane in turn.
pub(super) async fn play(servers: &[Collection], script: Script) -> Result<Record, Halt> {
    let (collection, cx) = (&servers[0], servers[0].context());
    let began = Instant::now();
    let watcher = |number| Watcher::open(collection, format!("watcher {number}"), began);
    let watchers = try_join_all((1..=WATCHERS).map(watcher)).await?;
    let done = AtomicBool::new(false);
    let following = try_join_all(watchers.into_iter().map(|watcher| watcher.follow(&done)));
    let clients = async {
        let ran = run_clients(servers, script, began).await;
        done.store(true, Ordering::SeqCst);
        ran
    };
    let (clients, watchers) = join(clients, following).await;
    let (clients, watchers) = (clients?, watchers?);
    let acknowledged = |(operation, _): &(Operation, _)| matches!(&operation.action, Action::Write { name, response: WriteOutcome::Done(_), .. } if name == END);
    if !clients.last().is_some_and(|last| last.log.iter().any(acknowledged)) {
        let test_error = clients.into_iter().rev().find_map(|client| client.test_error);
        let cause = "the server did not acknowledge the last write";
        return Err(test_error.unwrap_or_else(|| cx.test_error("run concurrent clients", cause)).into());
    }
    let unfinished = watchers.iter().filter(|watcher| watcher.followed && !watcher.finished);
    let unfinished = unfinished.map(|watcher| watcher.log.last().and_then(|(_, index)| *index)).collect();
    let clients = clients.into_iter().flat_map(|client| client.log);
    let log: Vec<_> = clients.chain(watchers.into_iter().flat_map(|watcher| watcher.log)).collect();
    let history = History::new(log.iter().map(|(operation, _)| operation.clone()).collect());
    Ok(Record { history, log, unfinished })
}

/// Runs writers and readers, and then a last client with requests of every kind: on a slow machine the others may send few.
async fn run_clients(servers: &[Collection], script: Script, began: Instant) -> Result<Vec<Client>, Halt> {
    let until = Instant::now() + LONGEST;
    let client = |kind: &str, index: usize| {
        let server = &servers[index % servers.len()];
        Client::new(server, format!("{kind} {}", index + 1), began)
    };
    let writers = script.writers.into_iter().enumerate();
    let writers = writers.map(|(index, script)| client("writer", index).write_all(script, until));
    let readers = script.readers.into_iter().enumerate();
    let readers = readers.map(|(index, script)| client("reader", index).read_all(script, until));
    let (writers, readers) = join(try_join_all(writers), try_join_all(readers)).await;
    let mut last = Client::new(&servers[0], "the last".to_owned(), began);
    for method in LAST_WRITES {
        last.write(Write { name: NAMES[0], method, cut: None }).await?;
    }
    last.write(Write { name: END, method: WriteMethod::Create, cut: None }).await?;
    for _ in 0..LAST_READS {
        last.list(Freshness::MostRecent).await?;
    }
    last.get(END, Freshness::MostRecent).await?;
    last.get(NAMES[0], Freshness::Any).await?;
    Ok(writers?.into_iter().chain(readers?).chain([last]).collect())
}

impl Record {
    /// The index of the exchange of the last of these operations.
    pub(super) fn exchange_of(&self, operations: &[Operation]) -> Option<usize> {
        let index =
            |operation| self.log.iter().find(|(known, _)| known == operation).and_then(|(_, index)| *index);
        operations.iter().rev().find_map(index)
    }

    /// Every watcher with an open stream received the last change.
    pub(super) fn expect_watchers_to_the_end(&self, cx: &Context) -> Checked {
        let Some(exchange) = self.unfinished.first() else { return Ok(()) };
        let actual = format!("no event of it on {} of {WATCHERS} watches", self.unfinished.len());
        Err(cx.failed("the event of the last change on every watch", actual, *exchange))
    }
}
