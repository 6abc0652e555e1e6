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

/// The last write is none of what is told: the bookmark is past it all the same.
async fn streaming_list_bookmark_rv(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["c", "a", "b"]).await?;
    collection.delete("c").await?;

    let mut told = StreamedList::of(&cx, &collection).await?;
    let listed = collection.list().exactly(told.bookmark.version()).held_page().await?;

    let told_of: Vec<_> = told.events.iter().map(|event| event.object.clone()).collect();
    let same = |name: &str| {
        let shown = told_of.iter().find(|object| object.name() == name);
        shown.is_some_and(|object| Some(object.version()) == listed.item(name).map(Object::version))
    };
    if listed.own_items().len() == told_of.len() && listed.own_names().into_iter().all(same) {
        return Ok(());
    }
    let expected = format!("a state like that of the list at {}", listed.version);
    let (listed, told_of) = (listed.own_names().join(", "), told_of.iter().map(Object::name));
    let told_of: Vec<_> = told_of.collect();
    Err(told.watch.fail(format!("{expected}: {listed}"), told_of.join(", ")))
}

async fn streaming_list_empty_rv_consistent(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    for round in rounds() {
        let written = collection.write("a", &format!("round-{round}")).await?;
        let query = streaming(&collection).with(|request| request.connection(READER));
        let mut told = StreamedList::asked(&cx, &collection, query).await?;
        expect_told(&mut told, "a", written.version())?;
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

    let mut told = StreamedList::of(&cx, &collection).await?;

    expect_told(&mut told, "a", written.version())?;
    told.expect_nothing_again(&cx, &collection).await
}

async fn streaming_list_given_rv_bookmark(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;
    let written = collection.write("a", "second").await?;

    let mut told =
        StreamedList::asked(&cx, &collection, streaming(&collection).at(written.version())).await?;

    expect_told(&mut told, "a", written.version())?;
    told.expect_nothing_again(&cx, &collection).await
}

async fn streaming_list_rv_zero(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let mut told = StreamedList::expect(&cx, &collection, streaming(&collection).at("0")).await?;

    told.state().map(drop)
}

/// A server may wait longer than we do.
async fn streaming_list_future_rv(cx: Context) -> Checked {
    let future = Future::arrange(&cx).await?;
    let (collection, version) = (&future.collection, &future.version);

    let mut watch = match streaming(collection).at(version).opening().await? {
        Opening::Watch(watch) => *watch,
        Opening::Refused(refused) if refused.status() == 504 => {
            return refused.expect_error(&[504], &["Timeout"]).map(drop);
        }
        Opening::Refused(refused) => return Err(refusal(&cx, collection, &refused).await),
    };
    let first = cx.aside(watch.next()).await?;

    match first {
        Next::Event(event) if event.kind == "ERROR" => expect_too_large(&mut watch, event.object.json()),
        Next::Event(event) => {
            future.not_reached().await?;
            Err(watch.fail(format!("no event before version {version}"), event.brief()))
        }
        Next::End | Next::Silence => Err(Halt::Skipped("the server waits, and says nothing".to_owned())),
    }
}

/// One object is told of, at its newest version.
fn expect_told(told: &mut StreamedList, name: &str, version: &str) -> Checked {
    let expected = format!("{name} at {version} before the closing bookmark");
    match told.state()?.get(name) {
        Some(shown) if shown == version => Ok(()),
        Some(shown) => Err(told.watch.fail(expected, format!("{name} at {shown}"))),
        None => Err(told.watch.fail(expected, format!("no {name}"))),
    }
}

fn expect_too_large(watch: &mut Watch, status: &Value) -> Checked {
    if status["kind"] == "Status" && status["code"] == 504 && status["reason"] == "Timeout" {
        return Ok(());
    }
    Err(watch.fail("an ERROR event with a Status of code 504 and reason Timeout", status.to_string()))
}
