//! Which state a streaming list tells, and what the version of its closing bookmark means.

use harness::{Context, Halt, Next, Object, Opening, Suite, Watch};
use serde_json::Value;

use super::told::{Told, refusal, streaming};
use crate::resource_version::{Future, READER, rounds};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("streaming-list-bookmark-rv", a_list_at_the_bookmark_shows_what_was_told)
        .scenario("streaming-list-empty-rv-consistent", what_was_just_written_is_told)
        .scenario("streaming-list-empty-equals-absent", an_empty_version_is_none)
        .scenario("streaming-list-consistent-bookmark-timing", the_bookmark_is_past_all_earlier_writes)
        .scenario("streaming-list-given-rv-bookmark", the_state_is_not_older_than_asked)
        .scenario("streaming-list-rv-zero", a_state_of_any_age_comes_to_an_end_too)
        .scenario("streaming-list-future-rv", a_version_of_the_future_is_not_served)
}

/// The last write is none of what is told: the bookmark is past it all the same.
async fn a_list_at_the_bookmark_shows_what_was_told(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create_all(&["c", "a", "b"]).await?;
    things.delete("c").await?;

    let mut told = Told::of(&cx, &things).await?;
    let listed = things.list().exactly(told.bookmark.version()).held_page().await?;

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

async fn what_was_just_written_is_told(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;

    for round in rounds() {
        let written = things.write("a", &format!("round-{round}")).await?;
        let query = streaming(&things).with(|request| request.lane(READER));
        let mut told = Told::asked(&cx, &things, query).await?;
        expect_told(&mut told, "a", written.version())?;
    }
    Ok(())
}

async fn an_empty_version_is_none(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let objects = things.create_all(&["a", "b"]).await?;

    Told::of(&cx, &things).await?.expect_added(&objects)?;
    Told::expect(&cx, &things, streaming(&things).at("")).await?.expect_added(&objects)
}

async fn the_bookmark_is_past_all_earlier_writes(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;
    let written = things.write("a", "second").await?;

    let mut told = Told::of(&cx, &things).await?;

    expect_told(&mut told, "a", written.version())?;
    told.expect_nothing_again(&cx, &things).await
}

async fn the_state_is_not_older_than_asked(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;
    let written = things.write("a", "second").await?;

    let mut told = Told::asked(&cx, &things, streaming(&things).at(written.version())).await?;

    expect_told(&mut told, "a", written.version())?;
    told.expect_nothing_again(&cx, &things).await
}

async fn a_state_of_any_age_comes_to_an_end_too(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;

    let mut told = Told::expect(&cx, &things, streaming(&things).at("0")).await?;

    told.state().map(drop)
}

/// A server may wait longer than we do.
async fn a_version_of_the_future_is_not_served(cx: Context) -> Result<(), Halt> {
    let future = Future::arrange(&cx).await?;
    let (things, version) = (&future.things, &future.version);

    let mut watch = match streaming(things).at(version).opening().await? {
        Opening::Watch(watch) => *watch,
        Opening::Refused(refused) if refused.status() == 504 => {
            return refused.expect_error(&[504], &["Timeout"]).map(drop);
        }
        Opening::Refused(refused) => return Err(refusal(&cx, things, &refused).await),
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
fn expect_told(told: &mut Told, name: &str, version: &str) -> Result<(), Halt> {
    let expected = format!("{name} at {version} before the closing bookmark");
    match told.state()?.get(name) {
        Some(shown) if shown == version => Ok(()),
        Some(shown) => Err(told.watch.fail(expected, format!("{name} at {shown}"))),
        None => Err(told.watch.fail(expected, format!("no {name}"))),
    }
}

fn expect_too_large(watch: &mut Watch, status: &Value) -> Result<(), Halt> {
    if status["kind"] == "Status" && status["code"] == 504 && status["reason"] == "Timeout" {
        return Ok(());
    }
    Err(watch.fail("an ERROR event with a Status of code 504 and reason Timeout", status.to_string()))
}
