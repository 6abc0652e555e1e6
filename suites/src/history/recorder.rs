//! The recorder of a history: all clients and watches at the same time.

use std::sync::atomic::{AtomicBool, Ordering};

use futures::future::join;
use harness::history::{Action, Freshness, History, Operation, WriteOutcome};

use super::client::Client;
use super::script::{Deed, NAMES, Script, Write};
use super::watcher::{END, Watcher};
use crate::prelude::*;

const WATCHERS: usize = 3;

/// How long the clients go on; a slow server is asked less.
const AT_MOST: Duration = Duration::from_secs(2);

/// What is done in the end, one after the other, to an object that has a past then.
const LAST_DEEDS: [Deed; 5] = [Deed::Create, Deed::Patch, Deed::Update, Deed::Update, Deed::Update];

/// How often the last state of all is listed.
const LAST_READS: usize = 3;

/// What happened.
pub(super) struct Record {
    /// All of it.
    pub(super) history: History,
    /// The operations with the positions of their exchanges.
    log: Vec<(Operation, Option<usize>)>,
    /// The watchers that were not told of the last change although their stream was there, by their last exchange.
    unfinished: Vec<Option<usize>>,
}

/// Has all clients do what the script says, at the same time.
pub(super) async fn play(cx: &Context, script: Script) -> Result<Record, Halt> {
    let collection = cx.collection_under_test().await?;
    let began = Instant::now();
    let watcher = |number| Watcher::open(&collection, format!("watcher {number}"), began);
    let watchers = try_join_all((1..=WATCHERS).map(watcher)).await?;
    let done = AtomicBool::new(false);
    let following = try_join_all(watchers.into_iter().map(|watcher| watcher.follow(&done)));
    let acting = async {
        let acted = act(cx, &collection, script, began).await;
        done.store(true, Ordering::SeqCst);
        acted
    };
    let (clients, watchers) = join(acting, following).await;
    let (clients, watchers) = (clients?, watchers?);
    let acknowledged = |(operation, _): &(Operation, _)| matches!(&operation.action, Action::Write { name, response: WriteOutcome::Done(_), .. } if name == END);
    if !clients.last().is_some_and(|last| last.log.iter().any(acknowledged)) {
        let trouble = clients.into_iter().rev().find_map(|client| client.trouble);
        let why = "the last of all writes was not acknowledged";
        return Err(trouble.unwrap_or_else(|| cx.test_error("have many clients write", why)).into());
    }
    let unfinished = watchers.iter().filter(|watcher| watcher.followed && !watcher.finished);
    let unfinished = unfinished.map(|watcher| watcher.log.last().and_then(|(_, index)| *index)).collect();
    let clients = clients.into_iter().flat_map(|client| client.log);
    let log: Vec<_> = clients.chain(watchers.into_iter().flat_map(|watcher| watcher.log)).collect();
    let history = History::new(log.iter().map(|(operation, _)| operation.clone()).collect());
    Ok(Record { history, log, unfinished })
}

/// Writers and readers, and in the end one who does a little of everything: on a slow machine the others may have done
/// next to nothing.
async fn act(
    cx: &Context,
    collection: &Collection,
    script: Script,
    began: Instant,
) -> Result<Vec<Client>, Halt> {
    let until = Instant::now() + AT_MOST;
    let client =
        |kind: &str, index: usize| Client::new(cx, collection, format!("{kind} {}", index + 1), began);
    let writers = script.writers.into_iter().enumerate();
    let writers = writers.map(|(index, script)| client("writer", index).write_all(script, until));
    let readers = script.readers.into_iter().enumerate();
    let readers = readers.map(|(index, script)| client("reader", index).read_all(script, until));
    let (writers, readers) = join(try_join_all(writers), try_join_all(readers)).await;
    let mut last = Client::new(cx, collection, "the last".to_owned(), began);
    for deed in LAST_DEEDS {
        last.write(Write { name: NAMES[0], deed, cut: None }).await?;
    }
    last.write(Write { name: END, deed: Deed::Create, cut: None }).await?;
    for _ in 0..LAST_READS {
        last.list(Freshness::MostRecent).await?;
    }
    last.get(END, Freshness::MostRecent).await?;
    last.get(NAMES[0], Freshness::Any).await?;
    Ok(writers?.into_iter().chain(readers?).chain([last]).collect())
}

impl Record {
    /// The exchange that shows the last of some operations.
    pub(super) fn telling(&self, operations: &[Operation]) -> Option<usize> {
        let shown = |operation: &Operation| {
            let found = self.log.iter().find(|(known, _)| known == operation);
            found.and_then(|(_, exchange)| *exchange)
        };
        operations.iter().rev().find_map(shown)
    }

    /// Every watcher whose stream was there was told of the last change.
    pub(super) fn expect_watchers_to_the_end(&self, cx: &Context) -> Checked {
        let Some(exchange) = self.unfinished.first() else { return Ok(()) };
        let actual = format!("{} of {WATCHERS} were told of nothing more", self.unfinished.len());
        Err(cx.failed("every watcher is told of the last change, too", actual, *exchange))
    }
}
