//! The same apply again: nothing changes, and nobody is told. And what does change is counted.

use harness::{Context, Halt, Request, Suite};
use serde_json::json;

use super::{MANAGER, OTHER};
use crate::clock::another_second;
use crate::generations;
use crate::story::Story;
use crate::texts;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-requests-noop-same-resource-version", the_same_again_changes_nothing)
        .on_every_shape()
        .scenario(
            "apply-requests-noop-with-defaults-same-resource-version",
            what_the_server_adds_is_no_change_either,
        )
        .scenario("apply-requests-noop-no-watch-event", nobody_is_told_of_the_same_again)
        .on_every_shape()
        .scenario("apply-requests-generation-on-spec-change", a_change_of_the_spec_is_a_new_generation)
}

/// Applied again, a second later: no field has changed, nor who wrote it when.
async fn expect_no_change(story: &Story, request: Request) -> Result<(), Halt> {
    story.done(request.clone()).await?;
    let before = story.read().await?.written()?;
    another_second(&story.cx, &story.things, story.name).await?;

    let again = story.ask(request).await?;

    let shown = again.object()?.version().to_owned();
    again.expect(shown == before.version(), format!("version {} as before", before.version()), shown)?;
    story.expect_unchanged(&before).await
}

async fn the_same_again_changes_nothing(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;

    expect_no_change(&story, story.applying_whole(MANAGER, &[("k", "v")])).await
}

async fn what_the_server_adds_is_no_change_either(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;
    // Left out are the size, the structure's third member and the port's protocol.
    let spec = json!({ "atomicStruct": { "x": 1 }, "ports": [{ "port": 80 }], "args": ["a"] });

    expect_no_change(&story, story.applying(MANAGER, &json!({ "spec": spec }))).await
}

async fn nobody_is_told_of_the_same_again(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    let same = || story.applying_whole(MANAGER, &[("k", "v")]);
    let first = story.done(same()).await?;
    let only = format!("metadata.name={}", first.name());
    let mut watch = story.things.watch().fields(&only).at(first.version()).open().await?;
    another_second(&cx, &story.things, story.name).await?;

    story.ask(same()).await?.object()?;
    let changed = story.merged(OTHER, &texts::set(&story.things, "l", "w")).await?;

    let told = watch.event_or_fail("the change that is one").await?;
    if told.kind == "MODIFIED" && told.object.version() == changed.version() {
        return Ok(());
    }
    Err(watch.fail(format!("MODIFIED at {}, the first change", changed.version()), told.brief()))
}

async fn a_change_of_the_spec_is_a_new_generation(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;
    let sized = |size: u8| story.applying(MANAGER, &json!({ "spec": { "size": size } }));
    let first = generations::counted(&story.done(sized(2)).await?)?;

    let changed = story.ask(sized(3)).await?;

    let second = generations::of(&changed.object()?);
    changed.expect(second == Some(first + 1), format!("generation {}", first + 1), format!("{second:?}"))
}
