//! Invalid combinations of `sendInitialEvents`.

use harness::Match;

use super::streamed_list::streaming;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [
        table(REFUSED, Kinds::Namespaced, what_makes_no_sense_is_refused),
        vec![row!(streaming_list_gated).namespaced()],
    ]
    .concat()
}

/// Requests for a collection that has been at a version.
type Asked = fn(&Collection, &str) -> Vec<Query>;

/// What may not be asked, whether the server has streaming lists or not.
#[rustfmt::skip]
const REFUSED: &[(&str, Asked)] = &[
    ("streaming-list-requires-match",              without_match),
    ("streaming-list-requires-not-older-than",     with_another_match),
    ("streaming-list-forbidden-on-list",           on_a_list),
    ("streaming-list-match-needs-initial-events",  with_a_match_alone),
];

async fn what_makes_no_sense_is_refused(cx: Context, asked: Asked) -> Checked {
    let collection = cx.collection_under_test().await?;
    collection.create("a").await?;
    let version = collection.now().await?.version;

    for query in asked(&collection, &version) {
        match query.opening().await? {
            Opening::Refused(refused) => refused.expect_refusal(&[400, 422]).map(drop)?,
            Opening::Watch(mut watch) => return Err(watch.fail("HTTP 422, reason Invalid", "HTTP 200")),
        }
    }
    Ok(())
}

/// What may not be is a watch that begins with neither the state nor an error.
async fn streaming_list_gated(collection: Collection) -> Checked {
    collection.create("a").await?;

    let mut watch = match streaming(&collection).opening().await? {
        Opening::Watch(watch) => *watch,
        Opening::Refused(refused) => return refused.expect_refusal(&[400, 422]).map(drop),
    };
    // Ends the wait for what does not come.
    collection.create("later").await?;

    let expected = "ADDED a first, or HTTP 422: sendInitialEvents is not to be had";
    let first = watch.event_or_fail(expected).await?;
    if first.kind == "ADDED" && first.object.name() == "a" {
        return Ok(());
    }
    Err(watch.fail(expected, first.brief()))
}

fn without_match(collection: &Collection, version: &str) -> Vec<Query> {
    let asked = collection.watch().param("sendInitialEvents", true);
    vec![asked.clone(), asked.clone().at(version), asked.param("allowWatchBookmarks", true)]
}

fn with_another_match(collection: &Collection, version: &str) -> Vec<Query> {
    let asked = collection.watch().param("sendInitialEvents", true);
    let asked = ["Exact", "Newest"].map(|value| asked.clone().param("resourceVersionMatch", value));
    asked.into_iter().flat_map(|asked| [asked.clone(), asked.at(version)]).collect()
}

fn on_a_list(collection: &Collection, version: &str) -> Vec<Query> {
    let asked = [true, false].map(|value| collection.list().param("sendInitialEvents", value));
    asked.into_iter().flat_map(|asked| [asked.clone(), asked.not_older_than(version)]).collect()
}

fn with_a_match_alone(collection: &Collection, version: &str) -> Vec<Query> {
    let asked = [Match::NotOlderThan, Match::Exact].map(|value| collection.watch().matching(value));
    asked.into_iter().flat_map(|asked| [asked.clone(), asked.at(version)]).collect()
}
