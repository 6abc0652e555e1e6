//! Repeated applies: no change, no new version, no watch event.

use super::{MANAGER, OTHER};
use crate::clock::another_second;
use crate::generations;
use crate::prelude::*;
use crate::string_map;

rows![
    apply_requests_noop_same_resource_version,
    apply_requests_noop_with_defaults_same_resource_version.own_kinds(),
    apply_requests_noop_no_watch_event,
    apply_requests_generation_on_spec_change.own_kinds(),
];

/// The same apply a second later changes nothing, not even the times in `managedFields`.
async fn expect_no_change(fixture: &ApplyFixture, request: Request) -> Checked {
    fixture.write(request.clone()).await?;
    let before = fixture.read().await?.written()?;
    another_second(&fixture.cx, &fixture.collection, fixture.name).await?;

    let again = fixture.send(request).await?;

    let actual = again.object()?.version().to_owned();
    let expected = format!("resourceVersion {} as before", before.version());
    again.expect(actual == before.version(), expected, actual)?;
    fixture.expect_unchanged(&before).await
}

async fn apply_requests_noop_same_resource_version(fixture: ApplyFixture) -> Checked {
    expect_no_change(&fixture, fixture.applying_whole(MANAGER, &[("k", "v")])).await
}

async fn apply_requests_noop_with_defaults_same_resource_version(fixture: Gizmo) -> Checked {
    // Without size, the last member of the struct, and the protocol of the port, which have defaults.
    let spec = json!({ "atomicStruct": { "x": 1 }, "ports": [{ "port": 80 }], "args": ["a"] });

    expect_no_change(&fixture, fixture.applying(MANAGER, &json!({ "spec": spec }))).await
}

async fn apply_requests_noop_no_watch_event(cx: Context, fixture: ApplyFixture) -> Checked {
    let same = || fixture.applying_whole(MANAGER, &[("k", "v")]);
    let first = fixture.write(same()).await?;
    let only = format!("metadata.name={}", first.name());
    let mut watch = fixture.collection.watch().fields(&only).at(first.version()).open().await?;
    another_second(&cx, &fixture.collection, fixture.name).await?;

    fixture.send(same()).await?.object()?;
    let changed = fixture.merged(OTHER, &string_map::set(&fixture.collection, "l", "w")).await?;

    let event = watch.event_or_fail("the event of the first change").await?;
    let right = event.kind == "MODIFIED" && event.object.version() == changed.version();
    watch.expect_that(right, format!("MODIFIED at {}, the first change", changed.version()), event.brief())
}

async fn apply_requests_generation_on_spec_change(fixture: Gizmo) -> Checked {
    let sized = |size: u8| fixture.applying(MANAGER, &json!({ "spec": { "size": size } }));
    let first = generations::counted(&fixture.write(sized(2)).await?)?;

    let changed = fixture.send(sized(3)).await?;

    let second = generations::of(&changed.object()?);
    changed.expect(second == Some(first + 1), format!("generation {}", first + 1), format!("{second:?}"))
}
