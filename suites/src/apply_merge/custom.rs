//! Merge of custom resources, by their schemas.

use super::{keyed_list, spec};
use crate::apply_fixture::conflict::expect_conflicts;
use crate::apply_fixture::custom_type::Definition;
use crate::apply_fixture::owner::{applier, entry_of, expect_owned};
use crate::prelude::*;

rows![
    apply_merge_cr_default_lists_atomic.own_kinds(),
    apply_merge_cr_schema_markers_used.own_kinds(),
    apply_merge_cr_across_versions.own_kinds(),
    apply_merge_cr_preserve_unknown_unmarked.own_kinds(),
    apply_merge_null_value.own_kinds(),
    apply_merge_topology_new_list_key.own_kinds(),
];

async fn apply_merge_cr_default_lists_atomic(fixture: Gizmo) -> Checked {
    let applied = fixture.send(fixture.applying("m1", &spec("plainList", json!(["a"])))).await?;
    expect_owned(&applied, applier("m1"), &["f:spec/f:plainList"])?;

    let refused = fixture.send(fixture.applying("m2", &spec("plainList", json!(["a", "b"])))).await?;

    expect_conflicts(&refused, &[("m1", ".spec.plainList")])
}

async fn apply_merge_cr_schema_markers_used(cx: Context) -> Checked {
    let text = json!({ "type": "string" });
    let mut list = json!({ "type": "array", "items": text });
    let unmarked = list.clone();
    list["x-kubernetes-list-type"] = json!("set");
    let fields = json!({ "unmarked": unmarked, "marked": list });
    let fixture = Definition::new(&cx, &["v1"], &fields)?.defined().await?.fixture("v1").await?;
    let both = json!({ "spec": { "unmarked": ["a"], "marked": ["a"] } });
    fixture.applied("m1", &both).await?;

    let refused = fixture.send(fixture.applying("m2", &spec("unmarked", json!(["b"])))).await?;
    expect_conflicts(&refused, &[("m1", ".spec.unmarked")])?;
    let merged = fixture.send(fixture.applying("m2", &spec("marked", json!(["b"])))).await?;

    expect_both(&merged, "marked")
}

/// The response shows a list of `a` and `b`, in any order.
fn expect_both(response: &Exchange, field: &str) -> Checked {
    let list = response.object()?.json()["spec"][field].clone();
    let both = list == json!(["a", "b"]) || list == json!(["b", "a"]);
    response.expect(both, format!("a and b in spec.{field}"), list.to_string())
}

async fn apply_merge_cr_across_versions(cx: Context) -> Checked {
    let tags = json!({ "type": "array", "x-kubernetes-list-type": "set", "items": { "type": "string" } });
    let definition = Definition::new(&cx, &["v1", "v2"], &json!({ "tags": tags }))?.defined().await?;
    let (v1, v2) = (definition.fixture("v1").await?, definition.fixture("v2").await?);
    v1.applied("m1", &spec("tags", json!(["a"]))).await?;

    let merged = v2.send(v2.applying("m2", &spec("tags", json!(["b"])))).await?;

    expect_both(&merged, "tags")?;
    let object = merged.object()?;
    for (fixture, manager) in [(v1, "m1"), (v2, "m2")] {
        let version = fixture.collection.resource().api_version();
        let entry = entry_of(&object, applier(manager)).map_or(&Value::Null, |entry| &entry["apiVersion"]);
        merged.expect(*entry == version, format!("{manager}/Apply of {version}"), entry.to_string())?;
    }
    Ok(())
}

async fn apply_merge_cr_preserve_unknown_unmarked(fixture: Gizmo) -> Checked {
    let list = |items: &[u8]| spec("freeform", json!({ "list": items }));
    let applied = fixture.send(fixture.applying("m1", &list(&[1, 2]))).await?;
    applied.expect_value("/spec/freeform/list", &json!([1, 2]))?;

    let refused = fixture.send(fixture.applying("m2", &list(&[1, 2, 3]))).await?;

    expect_conflicts(&refused, &[("m1", ".spec.freeform.list")])
}

async fn apply_merge_null_value(cx: Context, fixture: Gizmo) -> Checked {
    fixture.applied("m1", &spec("mode", json!("x"))).await?;

    let response = fixture.send(fixture.applying("m2", &spec("mode", Value::Null))).await?;

    cx.note(format!("an apply of null to a field of another manager: {}", response.brief()));
    fixture.read().await?.expect_value("/spec/mode", &json!("x"))
}

async fn apply_merge_topology_new_list_key(cx: Context) -> Checked {
    let text = json!({ "type": "string" });
    let rules = keyed_list(&json!({ "name": text, "value": text }));
    let definition = Definition::new(&cx, &["v1"], &json!({ "rules": rules }))?.defined().await?;
    let fixture = definition.fixture("v1").await?;
    let one = spec("rules", json!([{ "name": "a", "value": "1" }]));
    fixture.applied("m1", &one).await?;
    definition.change(&zone_as_key()).await?;
    wait_for_zone(&fixture).await?;

    let again = fixture.send(fixture.applying("m1", &one)).await?;

    let expected = json!([{ "name": "a", "value": "1", "zone": "z" }]);
    again.expect_value("/spec/rules", &expected)
}

/// A JSON patch of the definition: the field `zone`, with the default `z`, becomes a key of the rules.
fn zone_as_key() -> Value {
    let rules = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/rules";
    let zone = json!({ "type": "string", "default": "z" });
    json!([
        { "op": "add", "path": format!("{rules}/items/properties/zone"), "value": zone },
        { "op": "replace", "path": format!("{rules}/x-kubernetes-list-map-keys"), "value": ["name", "zone"] },
    ])
}

/// Waits for the new schema: a dry run then shows the default of the field.
async fn wait_for_zone(fixture: &ApplyFixture) -> Checked {
    let probe = fixture.of("probe");
    let tried = || probe.applying("probe", &spec("rules", json!([{ "name": "a" }]))).query("dryRun", "All");
    let seen = fixture.cx.eventually(|| async {
        let object = probe.write(tried()).await?;
        Ok((object.json().pointer("/spec/rules/0/zone") == Some(&json!("z"))).then_some(()))
    });
    let why = "dry runs do not show the new default in time";
    fixture
        .cx
        .yield_place_while(seen)
        .await?
        .ok_or_else(|| fixture.cx.late("change the definition", why).into())
}
