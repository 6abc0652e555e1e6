//! Ownership after a map changes between atomic and granular.

use crate::apply_fixture::owner::{applier, expect_owned, expect_owns};
use crate::apply_fixture::topology_change::{KEY_OWNED, Morph, OWNED, Topology, map};
use crate::prelude::*;

rows![
    apply_ownership_topology_to_atomic.own_kinds(),
    apply_ownership_topology_to_granular_top_level_kept.own_kinds(),
    apply_ownership_topology_to_granular_children_deletable.own_kinds(),
];

async fn apply_ownership_topology_to_atomic(cx: Context) -> Checked {
    let morph = Morph::of(&cx, Topology::Granular).await?;
    let fixture = &morph.fixture;
    fixture.applied("m1", &map(&json!({ "a": "1" }))).await?;
    fixture.applied("m2", &map(&json!({ "b": "1" }))).await?;
    morph.becomes(Topology::Atomic).await?;

    let response = fixture.send(fixture.merging("u", &json!({ "spec": { "value": "x" } }))).await?;

    for manager in ["m1", "m2"] {
        expect_owned(&response, applier(manager), &[OWNED])?;
    }
    response.expect_value("/spec/map", &json!({ "a": "1", "b": "1" }))
}

/// The fixture of an object whose map `m1` applied while the map was atomic.
async fn granular_after_apply(cx: &Context) -> Result<Morph, Halt> {
    let morph = Morph::of(cx, Topology::Atomic).await?;
    morph.fixture.applied("m1", &map(&json!({ "a": "1", "b": "1" }))).await?;
    morph.becomes(Topology::Granular).await?;
    Ok(morph)
}

async fn apply_ownership_topology_to_granular_top_level_kept(cx: Context) -> Checked {
    let fixture = &granular_after_apply(&cx).await?.fixture;

    let response = fixture.send(fixture.applying("m2", &map(&json!({ "a": "2" })))).await?;

    expect_owned(&response, applier("m1"), &[OWNED])?;
    expect_owns(&response, applier("m2"), &[KEY_OWNED])
}

async fn apply_ownership_topology_to_granular_children_deletable(cx: Context) -> Checked {
    let fixture = &granular_after_apply(&cx).await?.fixture;

    let response = fixture.send(fixture.merging("u", &map(&json!({ "b": null })))).await?;

    for response in [&response, &fixture.read().await?] {
        response.expect_value("/spec/map", &json!({ "a": "1" }))?;
    }
    expect_owned(&response, applier("m1"), &[OWNED])
}
