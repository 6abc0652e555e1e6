//! Conflicts after a change of merge topology or API version.

use crate::apply_fixture::conflict::expect_conflicts;
use crate::apply_fixture::custom_type::in_two_versions;
use crate::apply_fixture::topology_change::{Morph, Topology, map};
use crate::prelude::*;

rows![
    apply_conflicts_topology_to_atomic.own_kinds(),
    apply_conflicts_topology_to_granular_none.own_kinds(),
    apply_conflicts_across_versions.own_kinds(),
];

async fn apply_conflicts_topology_to_atomic(cx: Context) -> Checked {
    let morph = Morph::of(&cx, Topology::Granular).await?;
    let fixture = &morph.fixture;
    fixture.applied("m1", &map(&json!({ "a": "1" }))).await?;
    fixture.applied("m2", &map(&json!({ "b": "1" }))).await?;
    morph.becomes(Topology::Atomic).await?;
    fixture.merged("u", &json!({ "spec": { "value": "x" } })).await?;

    let refused = fixture.send(fixture.applying("m2", &map(&json!({ "a": "1", "b": "2" })))).await?;

    expect_conflicts(&refused, &[("m1", ".spec.map")])
}

async fn apply_conflicts_topology_to_granular_none(cx: Context) -> Checked {
    let morph = Morph::of(&cx, Topology::Atomic).await?;
    let fixture = &morph.fixture;
    fixture.applied("m1", &map(&json!({ "a": "1", "b": "1" }))).await?;
    morph.becomes(Topology::Granular).await?;

    let response = fixture.send(fixture.applying("m2", &map(&json!({ "a": "2" })))).await?;

    response.expect_value("/spec/map", &json!({ "a": "2", "b": "1" }))
}

async fn apply_conflicts_across_versions(cx: Context) -> Checked {
    let [first, second] = in_two_versions(&cx).await?;
    first.applied("m1", &json!({ "spec": { "size": 2 } })).await?;

    let refused = second.send(second.applying("m2", &json!({ "spec": { "size": 3 } }))).await?;

    expect_conflicts(&refused, &[("m1", ".spec.size")])
}
