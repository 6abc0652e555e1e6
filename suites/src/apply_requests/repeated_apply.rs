//! Repeated applies: no change, no new version, no watch event.

use harness::{Checked, Context, Request};
use serde_json::json;

use super::{MANAGER, OTHER};
use crate::apply_fixture::Story;
use crate::clock::another_second;
use crate::generations;
use crate::scenario::Gizmo;
use crate::string_map;

rows![
    apply_requests_noop_same_resource_version,
    apply_requests_noop_with_defaults_same_resource_version.own_kinds(),
    apply_requests_noop_no_watch_event,
    apply_requests_generation_on_spec_change.own_kinds(),
];

/// Applied again, a second later: no field has changed, nor who wrote it when.
async fn expect_no_change(story: &Story, request: Request) -> Checked {
    story.done(request.clone()).await?;
    let before = story.read().await?.written()?;
    another_second(&story.cx, &story.collection, story.name).await?;

    let again = story.ask(request).await?;

    let shown = again.object()?.version().to_owned();
    again.expect(shown == before.version(), format!("version {} as before", before.version()), shown)?;
    story.expect_unchanged(&before).await
}

async fn apply_requests_noop_same_resource_version(story: Story) -> Checked {
    expect_no_change(&story, story.applying_whole(MANAGER, &[("k", "v")])).await
}

async fn apply_requests_noop_with_defaults_same_resource_version(Gizmo(story): Gizmo) -> Checked {
    // Left out are the size, the structure's third member and the port's protocol.
    let spec = json!({ "atomicStruct": { "x": 1 }, "ports": [{ "port": 80 }], "args": ["a"] });

    expect_no_change(&story, story.applying(MANAGER, &json!({ "spec": spec }))).await
}

async fn apply_requests_noop_no_watch_event(cx: Context, story: Story) -> Checked {
    let same = || story.applying_whole(MANAGER, &[("k", "v")]);
    let first = story.done(same()).await?;
    let only = format!("metadata.name={}", first.name());
    let mut watch = story.collection.watch().fields(&only).at(first.version()).open().await?;
    another_second(&cx, &story.collection, story.name).await?;

    story.ask(same()).await?.object()?;
    let changed = story.merged(OTHER, &string_map::set(&story.collection, "l", "w")).await?;

    let told = watch.event_or_fail("the change that is one").await?;
    if told.kind == "MODIFIED" && told.object.version() == changed.version() {
        return Ok(());
    }
    Err(watch.fail(format!("MODIFIED at {}, the first change", changed.version()), told.brief()))
}

async fn apply_requests_generation_on_spec_change(Gizmo(story): Gizmo) -> Checked {
    let sized = |size: u8| story.applying(MANAGER, &json!({ "spec": { "size": size } }));
    let first = generations::counted(&story.done(sized(2)).await?)?;

    let changed = story.ask(sized(3)).await?;

    let second = generations::of(&changed.object()?);
    changed.expect(second == Some(first + 1), format!("generation {}", first + 1), format!("{second:?}"))
}
