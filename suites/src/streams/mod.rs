//! Area `streams`: invariants of every watch in the run.

mod busy_collection;

use harness::stream::StreamRule;
use harness::{Suite, stream_invariant};

use busy_collection::BusyCollection;

use crate::prelude::*;

pub(crate) fn suite() -> Suite {
    let bookmarks = vec![
        row!(stream_bookmarkable).namespaced(),
        stream_invariant("stream-bookmarkable", StreamRule::Bookmarkable),
    ];
    let rows = table(RULES, Kinds::Namespaced, watches_of_a_busy_collection);
    let invariants = RULES.iter().map(|&(clause, rule)| stream_invariant(clause, rule)).collect();
    Suite::new("streams", [rows, bookmarks, invariants])
}

/// The rules to which all streams are relevant.
#[rustfmt::skip]
const RULES: &[(&str, StreamRule)] = &[
    ("stream-ordered",   StreamRule::Ordered),
    ("stream-unique",    StreamRule::Unique),
    ("stream-reliable",  StreamRule::Reliable),
    ("stream-atomic",    StreamRule::Atomic),
    ("stream-resumable", StreamRule::Resumable),
    ("stream-filtered",  StreamRule::Filtered),
    ("stream-typed",     StreamRule::Typed),
];

async fn watches_of_a_busy_collection(cx: Context, rule: StreamRule) -> Checked {
    BusyCollection::arrange(&cx).await?.watch_and_write().await?;

    cx.expect_of_streams(rule)
}

async fn stream_bookmarkable(cx: Context, busy: BusyCollection) -> Checked {
    busy.bookmark_and_write().await?;

    cx.expect_of_streams(StreamRule::Bookmarkable)
}
