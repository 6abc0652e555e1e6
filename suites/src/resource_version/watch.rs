//! The `resourceVersion` parameter on watch: the published table.

use std::collections::{BTreeMap, BTreeSet};

use harness::Match;
use harness::join;

use super::{READER, rounds};
use crate::prelude::*;
use crate::watch::play;

pub(crate) fn rows() -> Vec<Row> {
    [
        table(START, Kinds::Namespaced, state_and_then_changes),
        vec![
            row!(rv_watch_nonzero_start_exact).namespaced().also("watch-no-synthetic-on-exact-rv"),
            row!(rv_watch_initial_events_are_added).namespaced(),
            row!(rv_watch_initial_state_complete).namespaced(),
            row!(rv_watch_no_gap_after_initial_state).namespaced(),
            row!(rv_watch_exact_complete).namespaced(),
            row!(rv_watch_exact_excludes_n).namespaced().also("watch-rv-exclusive"),
            row!(rv_watch_most_recent_consistent).namespaced(),
        ],
    ]
    .concat()
}

/// The first two columns of the table "resourceVersion for watch".
#[rustfmt::skip]
const START: &[(&str, &str)] = &[
    //  clause                                  resourceVersion
    ("rv-watch-unset-state-and-most-recent",   ""),
    ("rv-watch-zero-state-and-any",            "0"),
];

/// The watch may begin with an earlier state, followed by the changes up to the current state.
async fn state_and_then_changes(cx: Context, version: &str) -> Checked {
    let collection = cx.collection_under_test().await?;
    collection.create_all(&["a", "b"]).await?;
    collection.write("a", "second").await?;

    let mut watch = from(&collection, version).await?;
    expect_state(&mut watch, &[("a", "second"), ("b", "first")]).await?;
    collection.write("a", "third").await?;

    let changed = watch.expect("MODIFIED", "a").await?;
    expect_value(&mut watch, &changed, "third")
}

async fn rv_watch_nonzero_start_exact(collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    let version = collection.now().await?.version;
    collection.create("c").await?;
    collection.write("a", "second").await?;

    let mut watch = from(&collection, &version).await?;
    collection.create("last").await?;

    watch.expect("ADDED", "c").await?;
    watch.expect("MODIFIED", "a").await?;
    watch.expect("ADDED", "last").await.map(drop)
}

async fn rv_watch_initial_events_are_added(collection: Collection) -> Checked {
    collection.create("a").await?;
    for value in ["second", "third", "fourth"] {
        collection.write("a", value).await?;
    }

    for version in ["", "0"] {
        from(&collection, version).await?.expect("ADDED", "a").await?;
    }
    Ok(())
}

async fn rv_watch_initial_state_complete(collection: Collection) -> Checked {
    let red = fill(&collection, "red").await?;
    let blue = fill(&collection, "blue").await?;

    let (whole, selected) = (collection.watch(), collection.watch().labels("colour=red"));
    let watches = (whole.clone().open().await?, selected.clone().open().await?);
    // Its event ends the wait for a missing object.
    collection.write("red-0", "second").await?;

    expect_each_once(watches.0, &whole, &(&red | &blue)).await?;
    expect_each_once(watches.1, &selected, &red).await
}

async fn rv_watch_no_gap_after_initial_state(collection: Collection) -> Checked {
    let mut versions = vec![collection.create("a").await?.version().to_owned()];

    let (watch, written) = join(from(&collection, ""), write_all(&collection, rounds())).await;
    let mut watch = watch?;
    versions.extend(written?);

    let first = watch.expect("ADDED", "a").await?;
    let Some(start) = versions.iter().position(|version| version == first.version()) else {
        return Err(watch.fail("ADDED a at the version of a write", format!("at {}", first.version())));
    };
    expect_changes(&mut watch, &versions[start + 1..]).await
}

async fn rv_watch_exact_complete(collection: Collection) -> Checked {
    collection.create("a").await?;
    let version = collection.now().await?.version;

    let mut versions = write_all(&collection, 1..=5).await?;
    let mut watch = from(&collection, &version).await?;
    versions.extend(write_all(&collection, 6..=10).await?);

    expect_changes(&mut watch, &versions).await
}

async fn rv_watch_exact_excludes_n(collection: Collection) -> Checked {
    let mut last = collection.create("a").await?;

    for value in ["second", "third"] {
        let mut watch = from(&collection, last.version()).await?;
        last = collection.write("a", value).await?;

        let changed = watch.expect("MODIFIED", "a").await?;
        expect_value(&mut watch, &changed, value)?;
    }
    Ok(())
}

async fn rv_watch_most_recent_consistent(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    for round in rounds() {
        let value = format!("round-{round}");
        collection.write("a", &value).await?;
        let mut watch = collection.watch().with(|request| request.connection(READER)).open().await?;

        if watch.expect("ADDED", "a").await?.value() != value {
            return expect_watch_list_off(&cx, &collection, &mut watch, &value).await;
        }
    }
    Ok(())
}

/// Writes these values into `a` in this order, and returns its versions.
async fn write_all(
    collection: &Collection,
    values: impl Iterator<Item = usize>,
) -> Result<Vec<String>, Halt> {
    let mut versions = Vec::new();
    for value in values {
        versions.push(collection.write("a", &value.to_string()).await?.version().to_owned());
    }
    Ok(versions)
}

/// Creates a hundred objects, or fewer where responses are slow, and returns their names.
async fn fill(collection: &Collection, colour: &str) -> Result<BTreeSet<String>, Halt> {
    let until = Instant::now() + Duration::from_secs(3);
    let mut names = BTreeSet::new();
    while names.is_empty() || (names.len() < 100 && Instant::now() < until) {
        let created = (names.len()..names.len() + 20).map(async |number| {
            collection.create_labelled(&format!("{colour}-{number}"), "colour", colour).await
        });
        let created = try_join_all(created).await?;
        names.extend(created.iter().map(|object| object.name().to_owned()));
    }
    Ok(names)
}

async fn from(collection: &Collection, version: &str) -> Result<Watch, Halt> {
    let watch = if version.is_empty() { collection.watch() } else { collection.watch().at(version) };
    watch.open().await
}

fn expect_value(watch: &mut Watch, object: &Object, value: &str) -> Checked {
    let expected = format!("{} of value {value:?}", object.name());
    watch.expect_that(object.value() == value, expected, format!("{:?}", object.value()))
}

/// The next events lead to this state.
async fn expect_state(watch: &mut Watch, state: &[(&str, &str)]) -> Checked {
    let expected = format!("events that lead to the state {state:?}");
    let state = state.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let mut current = BTreeMap::new();
    while current != state {
        let event = watch.event_or_fail(&expected).await?;
        if event.expired() {
            return Err(watch.unexpected(expected, &event).await);
        }
        if !play(&event, &mut current, Object::value) {
            return Err(watch.fail(expected, format!("{} after {current:?}", event.brief())));
        }
    }
    Ok(())
}

/// Attempts to watch the initial state: a busy server may end one watch early, but not each.
const ATTEMPTS: usize = 3;

/// The watch begins with one ADDED for each of these objects, in any order.
async fn expect_each_once(mut watch: Watch, query: &Query, names: &BTreeSet<String>) -> Checked {
    let (mut missing, mut attempts) = (names.clone(), 1);
    let expected =
        |left| format!("ADDED for each of {} objects, of which {left} are still missing", names.len());
    while !missing.is_empty() {
        let actual = match watch.next().await? {
            Next::Event(event) if event.kind == "ADDED" && missing.remove(event.object.name()) => continue,
            Next::End if attempts < ATTEMPTS => {
                (watch, missing, attempts) = (query.clone().open().await?, names.clone(), attempts + 1);
                continue;
            }
            Next::Event(event) => event.brief(),
            Next::End => return Err(watch.ended(&expected(missing.len()))),
            Next::Silence => "no event in time".to_owned(),
        };
        return Err(watch.fail(expected(missing.len()), actual));
    }
    Ok(())
}

/// The next events are the changes of `a` to these versions.
async fn expect_changes(watch: &mut Watch, versions: &[String]) -> Checked {
    for version in versions {
        let changed = watch.expect("MODIFIED", "a").await?;
        let same = changed.version() == version;
        watch.expect_that(same, format!("MODIFIED a at {version}"), format!("at {}", changed.version()))?;
    }
    Ok(())
}

/// Without the feature `WatchList`, a watch of kube-apiserver may begin with an earlier state, followed by the write.
async fn expect_watch_list_off(
    cx: &Context,
    collection: &Collection,
    watch: &mut Watch,
    value: &str,
) -> Checked {
    let streaming = collection.watch().matching(Match::NotOlderThan).param("sendInitialEvents", true);
    if let Opening::Watch(_) = streaming.param("allowWatchBookmarks", true).opening().await? {
        return Err(watch.fail(format!("a watch that begins with a of value {value:?}"), "an older state"));
    }
    cx.note("known deviation: without WatchList a watch may begin with an earlier state");
    watch.until(&format!("a of value {value:?}"), |event| event.object.value() == value).await.map(drop)
}
