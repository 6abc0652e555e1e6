//! The `resourceVersion` of a streaming list.

use super::streamed_list::{StreamedList, refusal, streaming};
use crate::prelude::*;
use crate::resource_version::{Future, READER, rounds};

rows![
    streaming_list_bookmark_rv.namespaced(),
    streaming_list_empty_rv_consistent.namespaced(),
    streaming_list_empty_equals_absent.namespaced(),
    streaming_list_consistent_bookmark_timing.namespaced(),
    streaming_list_given_rv_bookmark.namespaced(),
    streaming_list_rv_zero.namespaced(),
    streaming_list_future_rv.namespaced(),
];

/// The last write is a deletion, which has no initial event: the bookmark is after it nevertheless.
async fn streaming_list_bookmark_rv(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["c", "a", "b"]).await?;
    collection.delete("c").await?;

    let mut streamed = StreamedList::of(&cx, &collection).await?;
    let listed = collection.list().exactly(streamed.bookmark.version()).page_at_past_version().await?;

    let objects: Vec<_> = streamed.events.iter().map(|event| &event.object).collect();
    let same = |name: &str| {
        let object = objects.iter().find(|object| object.name() == name);
        object.is_some_and(|object| Some(object.version()) == listed.item(name).map(Object::version))
    };
    let equal = listed.own_items().len() == objects.len() && listed.own_names().into_iter().all(same);
    let actual = objects.iter().map(|object| object.name()).collect::<Vec<_>>().join(", ");
    let expected = format!("the items of the list at {}: {}", listed.version, listed.own_names().join(", "));
    streamed.watch.expect_that(equal, expected, actual)
}

async fn streaming_list_empty_rv_consistent(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    for round in rounds() {
        let written = collection.write("a", &format!("round-{round}")).await?;
        let query = streaming(&collection).with(|request| request.connection(READER));
        let mut streamed = StreamedList::read(&cx, &collection, query).await?;
        expect_initial(&mut streamed, "a", written.version())?;
    }
    Ok(())
}

async fn streaming_list_empty_equals_absent(cx: Context, collection: Collection) -> Checked {
    let objects = collection.create_all(&["a", "b"]).await?;

    StreamedList::of(&cx, &collection).await?.expect_added(&objects)?;
    StreamedList::expect(&cx, &collection, streaming(&collection).at("")).await?.expect_added(&objects)
}

async fn streaming_list_consistent_bookmark_timing(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;
    let written = collection.write("a", "second").await?;

    let mut streamed = StreamedList::of(&cx, &collection).await?;

    expect_initial(&mut streamed, "a", written.version())?;
    streamed.expect_no_repetition(&cx, &collection).await
}

async fn streaming_list_given_rv_bookmark(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;
    let written = collection.write("a", "second").await?;

    let query = streaming(&collection).at(written.version());
    let mut streamed = StreamedList::read(&cx, &collection, query).await?;

    expect_initial(&mut streamed, "a", written.version())?;
    streamed.expect_no_repetition(&cx, &collection).await
}

async fn streaming_list_rv_zero(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let mut streamed = StreamedList::expect(&cx, &collection, streaming(&collection).at("0")).await?;

    streamed.state().map(drop)
}

/// The server may wait longer than the event timeout.
async fn streaming_list_future_rv(cx: Context, future: Future) -> Checked {
    let (collection, version) = (&future.collection, &future.version);

    let mut watch = match streaming(collection).at(version).opening().await? {
        Opening::Watch(watch) => *watch,
        Opening::Rejected(refused) if refused.status() == 504 => {
            return refused.expect_error(&[504], &["Timeout"]).map(drop);
        }
        Opening::Rejected(refused) => return Err(refusal(&cx, collection, &refused).await),
    };
    let first = cx.yield_place_while(watch.next()).await?;

    match first {
        Next::Event(event) if event.kind == "ERROR" => {
            let status = event.object.json();
            let timeout =
                status["kind"] == "Status" && status["code"] == 504 && status["reason"] == "Timeout";
            let expected = "an ERROR event with a Status of code 504 and reason Timeout";
            watch.expect_that(timeout, expected, status.to_string())
        }
        Next::Event(event) => {
            future.not_reached().await?;
            Err(watch.fail(format!("no event before version {version}"), event.brief()))
        }
        Next::End | Next::Silence => Err(Halt::skip("no event before the event timeout")),
    }
}

/// The initial events lead to this version of the object.
fn expect_initial(streamed: &mut StreamedList, name: &str, version: &str) -> Checked {
    let expected = format!("{name} at {version} before the closing bookmark");
    match streamed.state()?.get(name) {
        Some(actual) if actual == version => Ok(()),
        Some(actual) => Err(streamed.watch.fail(expected, format!("{name} at {actual}"))),
        None => Err(streamed.watch.fail(expected, format!("no {name}"))),
    }
}
