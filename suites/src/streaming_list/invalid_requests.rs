//! Invalid combinations of `sendInitialEvents`.

use harness::Match;

use super::streamed_list::streaming;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [table(REJECTED, Kinds::Namespaced, rejected), vec![row!(streaming_list_gated).namespaced()]].concat()
}

/// Invalid requests for a collection, given an earlier version of it.
type Queries = fn(&Collection, &str) -> Vec<Query>;

/// Invalid with and without support of streaming lists.
#[rustfmt::skip]
const REJECTED: &[(&str, Queries)] = &[
    ("streaming-list-requires-match",              without_match),
    ("streaming-list-requires-not-older-than",     with_another_match),
    ("streaming-list-forbidden-on-list",           on_a_list),
    ("streaming-list-match-needs-initial-events",  with_a_match_alone),
];

async fn rejected(cx: Context, queries: Queries) -> Checked {
    let collection = cx.collection_under_test().await?;
    collection.create("a").await?;
    let version = collection.now().await?.version;

    for query in queries(&collection, &version) {
        match query.opening().await? {
            Opening::Rejected(refused) => refused.expect_rejection(&[400, 422]).map(drop)?,
            Opening::Watch(mut watch) => return Err(watch.fail("HTTP 422, reason Invalid", "HTTP 200")),
        }
    }
    Ok(())
}

/// A server without the feature rejects the request, or its watch begins with the initial state.
async fn streaming_list_gated(collection: Collection) -> Checked {
    collection.create("a").await?;

    let mut watch = match streaming(&collection).opening().await? {
        Opening::Watch(watch) => *watch,
        Opening::Rejected(refused) => return refused.expect_rejection(&[400, 422]).map(drop),
    };
    // Its event ends the wait for missing initial events.
    collection.create("later").await?;

    let expected = "ADDED a first, or HTTP 422: the server does not support sendInitialEvents";
    let first = watch.event_or_fail(expected).await?;
    let initial = first.kind == "ADDED" && first.object.name() == "a";
    watch.expect_that(initial, expected, first.brief())
}

fn without_match(collection: &Collection, version: &str) -> Vec<Query> {
    let query = collection.watch().param("sendInitialEvents", true);
    vec![query.clone(), query.clone().at(version), query.param("allowWatchBookmarks", true)]
}

fn with_another_match(collection: &Collection, version: &str) -> Vec<Query> {
    let query = collection.watch().param("sendInitialEvents", true);
    let queries = ["Exact", "Newest"].map(|value| query.clone().param("resourceVersionMatch", value));
    queries.into_iter().flat_map(|query| [query.clone(), query.at(version)]).collect()
}

fn on_a_list(collection: &Collection, version: &str) -> Vec<Query> {
    let queries = [true, false].map(|value| collection.list().param("sendInitialEvents", value));
    queries.into_iter().flat_map(|query| [query.clone(), query.not_older_than(version)]).collect()
}

fn with_a_match_alone(collection: &Collection, version: &str) -> Vec<Query> {
    let queries = [Match::NotOlderThan, Match::Exact].map(|value| collection.watch().matching(value));
    queries.into_iter().flat_map(|query| [query.clone(), query.at(version)]).collect()
}
