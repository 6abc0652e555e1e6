//! Atomic maps, lists and structs: replaced and owned as a whole.

use crate::apply_fixture::conflict::{expect_conflicts, fields_in_conflict};
use crate::apply_fixture::custom_type::Definition;
use crate::apply_fixture::expect_value;
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

/// A field of the spec.
fn spec(field: &str, value: Value) -> Value {
    let mut fields = json!({ "spec": {} });
    fields["spec"][field] = value;
    fields
}

async fn apply_merge_list_atomic_replaced(Gizmo(fixture): Gizmo) -> Checked {
    fixture.applied("m1", &spec("args", json!(["a", "b", "c"]))).await?;

    let answer = fixture.ask(fixture.applying("m1", &spec("args", json!(["c"])))).await?;

    expect_value(&answer, "/spec/args", &json!(["c"]))
}

async fn apply_merge_list_atomic_single_owner(Gizmo(fixture): Gizmo) -> Checked {
    fixture.applied("m1", &spec("args", json!(["a"]))).await?;
    let other = spec("args", json!(["a", "b"]));

    let refused = fixture.ask(fixture.applying("m2", &other)).await?;
    expect_conflicts(&refused, &[("m1", ".spec.args")])?;

    let forced = fixture.ask(fixture.forcing("m2", &other)).await?;
    expect_value(&forced, "/spec/args", &json!(["a", "b"]))?;
    expect_owned(&forced, applier("m2"), &["f:spec/f:args"])?;
    expect_owns_none(&forced, applier("m1"), &["f:spec/f:args"])
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
    let refused = fixture.ask(fixture.applying("m2", &more)).await?;
    expect_conflicts(&refused, &[("m1", ".spec.texts"), ("m1", ".spec.objects")])?;
    let less = lists(json!(["b"]), json!([{ "x": 2 }]));
    let replaced = fixture.ask(fixture.applying("m1", &less)).await?;
    expect_value(&replaced, "/spec", &less["spec"])
}

async fn apply_merge_map_atomic(Gizmo(fixture): Gizmo) -> Checked {
    fixture.applied("m1", &spec("atomicMap", json!({ "a": "1" }))).await?;
    let other = spec("atomicMap", json!({ "b": "2" }));

    let refused = fixture.ask(fixture.applying("m2", &other)).await?;
    expect_conflicts(&refused, &[("m1", ".spec.atomicMap")])?;

    let forced = fixture.ask(fixture.forcing("m2", &other)).await?;
    expect_value(&forced, "/spec/atomicMap", &json!({ "b": "2" }))?;
    expect_owns_none(&forced, applier("m1"), &["f:spec/f:atomicMap"])
}

async fn apply_merge_struct_atomic(Gizmo(fixture): Gizmo) -> Checked {
    fixture.applied("m1", &spec("atomicStruct", json!({ "x": 1, "y": 1 }))).await?;

    let replaced = fixture.ask(fixture.applying("m1", &spec("atomicStruct", json!({ "x": 2 })))).await?;
    expect_value(&replaced, "/spec/atomicStruct/x", &json!(2))?;
    expect_value(&replaced, "/spec/atomicStruct/y", &Value::Null)?;

    let refused = fixture.ask(fixture.applying("m2", &spec("atomicStruct", json!({ "y": 3 })))).await?;
    expect_conflicts(&refused, &[("m1", ".spec.atomicStruct")])
}

async fn apply_merge_atomic_recursive(cx: Context) -> Checked {
    let fixture = nesting(&cx).await?;
    let nested = |name: &str| spec("nested", json!([{ "rules": [{ "name": name }] }]));
    let applied = fixture.ask(fixture.applying("m1", &nested("a"))).await?;
    expect_owned(&applied, applier("m1"), &["f:spec/f:nested"])?;

    let refused = fixture.ask(fixture.applying("m2", &nested("b"))).await?;

    let fields = fields_in_conflict(&refused)?;
    let only = fields.iter().eq([".spec.nested"]);
    refused.expect(only, "a conflict on .spec.nested and nothing else", format!("{fields:?}"))
}

/// A type with an atomic list, in whose items there are lists that would merge elsewhere.
async fn nesting(cx: &Context) -> Result<ApplyFixture, Halt> {
    let rule =
        json!({ "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } });
    let rules = json!({
        "type": "array", "items": rule,
        "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
    });
    let nested = json!({
        "type": "array", "items": { "type": "object", "properties": { "rules": rules } },
        "x-kubernetes-list-type": "atomic",
    });
    let definition = Definition::new(cx, &["v1"], &json!({ "nested": nested }))?;
    definition.defined().await?.fixture("v1").await
}
