//! Atomic maps, lists and structs: replaced and owned as a whole.

use super::{keyed_list, spec};
use crate::apply_fixture::conflict::{expect_conflicts, fields_in_conflict};
use crate::apply_fixture::custom_type::Definition;
use crate::apply_fixture::owner::{applier, expect_owned, expect_owns_none};
use crate::prelude::*;

rows![
    apply_merge_list_atomic_replaced.own_kinds(),
    apply_merge_list_atomic_single_owner.own_kinds(),
    apply_merge_list_atomic_any_items.own_kinds(),
    apply_merge_map_atomic.own_kinds(),
    apply_merge_struct_atomic.own_kinds(),
    apply_merge_atomic_recursive.own_kinds(),
];

async fn apply_merge_list_atomic_replaced(fixture: Gizmo) -> Checked {
    fixture.applied("m1", &spec("args", json!(["a", "b", "c"]))).await?;

    let response = fixture.send(fixture.applying("m1", &spec("args", json!(["c"])))).await?;

    response.expect_value("/spec/args", &json!(["c"]))
}

/// The response to a forced apply by `m2` of a field that `m1` owns as a whole.
async fn forced(
    fixture: &ApplyFixture,
    field: &str,
    first: Value,
    second: Value,
) -> Result<Arc<Exchange>, Halt> {
    fixture.applied("m1", &spec(field, first)).await?;
    let other = spec(field, second.clone());

    let refused = fixture.send(fixture.applying("m2", &other)).await?;
    expect_conflicts(&refused, &[("m1", &format!(".spec.{field}"))])?;

    let forced = fixture.send(fixture.forcing("m2", &other)).await?;
    forced.expect_value(&format!("/spec/{field}"), &second)?;
    expect_owns_none(&forced, applier("m1"), &[&format!("f:spec/f:{field}")])?;
    Ok(forced)
}

async fn apply_merge_list_atomic_single_owner(fixture: Gizmo) -> Checked {
    let forced = forced(&fixture, "args", json!(["a"]), json!(["a", "b"])).await?;

    expect_owned(&forced, applier("m2"), &["f:spec/f:args"])
}

async fn apply_merge_map_atomic(fixture: Gizmo) -> Checked {
    forced(&fixture, "atomicMap", json!({ "a": "1" }), json!({ "b": "2" })).await.map(drop)
}

async fn apply_merge_list_atomic_any_items(cx: Context) -> Checked {
    let list = |items: Value| json!({ "type": "array", "x-kubernetes-list-type": "atomic", "items": items });
    let object = json!({ "type": "object", "properties": { "x": { "type": "integer" } } });
    let fields = json!({ "texts": list(json!({ "type": "string" })), "objects": list(object) });
    let definition = Definition::new(&cx, &["v1"], &fields)?;

    definition.create().await?.expect_status(&[201])?;

    definition.served().await?;
    let fixture = definition.fixture("v1").await?;
    let lists = |texts: Value, objects: Value| json!({ "spec": { "texts": texts, "objects": objects } });
    fixture.applied("m1", &lists(json!(["a"]), json!([{ "x": 1 }]))).await?;
    let more = lists(json!(["a", "b"]), json!([{ "x": 1 }, { "x": 2 }]));
    let refused = fixture.send(fixture.applying("m2", &more)).await?;
    expect_conflicts(&refused, &[("m1", ".spec.texts"), ("m1", ".spec.objects")])?;
    let less = lists(json!(["b"]), json!([{ "x": 2 }]));
    let replaced = fixture.send(fixture.applying("m1", &less)).await?;
    replaced.expect_value("/spec", &less["spec"])
}

async fn apply_merge_struct_atomic(fixture: Gizmo) -> Checked {
    fixture.applied("m1", &spec("atomicStruct", json!({ "x": 1, "y": 1 }))).await?;

    let replaced = fixture.send(fixture.applying("m1", &spec("atomicStruct", json!({ "x": 2 })))).await?;
    replaced.expect_value("/spec/atomicStruct/x", &json!(2))?;
    replaced.expect_value("/spec/atomicStruct/y", &Value::Null)?;

    let refused = fixture.send(fixture.applying("m2", &spec("atomicStruct", json!({ "y": 3 })))).await?;
    expect_conflicts(&refused, &[("m1", ".spec.atomicStruct")])
}

async fn apply_merge_atomic_recursive(cx: Context) -> Checked {
    let fixture = with_nested_lists(&cx).await?;
    let nested = |name: &str| spec("nested", json!([{ "rules": [{ "name": name }] }]));
    let applied = fixture.send(fixture.applying("m1", &nested("a"))).await?;
    expect_owned(&applied, applier("m1"), &["f:spec/f:nested"])?;

    let refused = fixture.send(fixture.applying("m2", &nested("b"))).await?;

    let fields = fields_in_conflict(&refused)?;
    let only = fields.iter().eq([".spec.nested"]);
    refused.expect(only, "a conflict on .spec.nested and on no other field", format!("{fields:?}"))
}

/// The fixture of a type with an atomic list, whose items have lists that merge elsewhere.
async fn with_nested_lists(cx: &Context) -> Result<ApplyFixture, Halt> {
    let rules = keyed_list(&json!({ "name": { "type": "string" } }));
    let nested = json!({
        "type": "array", "items": { "type": "object", "properties": { "rules": rules } },
        "x-kubernetes-list-type": "atomic",
    });
    let definition = Definition::new(cx, &["v1"], &json!({ "nested": nested }))?;
    definition.defined().await?.fixture("v1").await
}
