//! Lists with `x-kubernetes-list-type: map`, whose items have keys.

use super::set_lists::expect_error;
use crate::apply_fixture::conflict::{expect_conflicts, fields_in_conflict};
use crate::apply_fixture::expect_value;
use crate::apply_fixture::owner::{applier, expect_owned};
use crate::prelude::*;

rows![
    apply_merge_list_map_merged_by_key.own_kinds(),
    apply_merge_list_map_items_owned_separately.own_kinds(),
    apply_merge_list_map_duplicate_keys_rejected.own_kinds(),
    apply_merge_list_map_composite_key.own_kinds(),
    apply_merge_list_map_key_default.own_kinds(),
    apply_merge_list_map_missing_keys_rejected.own_kinds(),
];

fn rules(items: &Value) -> Value {
    json!({ "spec": { "rules": items } })
}

fn ports(items: &Value) -> Value {
    json!({ "spec": { "ports": items } })
}

/// The answer shows an object with these items, in whatever order.
fn expect_items(answer: &Exchange, field: &str, expected: &[Value]) -> Checked {
    let object = answer.object()?;
    let list = &object.json()["spec"][field];
    let found = list.as_array().map_or(&[][..], Vec::as_slice);
    let same = found.len() == expected.len() && expected.iter().all(|item| found.contains(item));
    answer.expect(same, format!("{field}: {}", json!(expected)), list.to_string())
}

async fn apply_merge_list_map_merged_by_key(Gizmo(fixture): Gizmo) -> Checked {
    fixture.applied("m1", &rules(&json!([{ "name": "a", "value": "1" }]))).await?;

    let answer = fixture.ask(fixture.applying("m2", &rules(&json!([{ "name": "a", "note": "x" }])))).await?;

    expect_items(&answer, "rules", &[json!({ "name": "a", "value": "1", "note": "x" })])
}

async fn apply_merge_list_map_items_owned_separately(Gizmo(fixture): Gizmo) -> Checked {
    let (a, b) = (json!({ "name": "a", "value": "1" }), json!({ "name": "b", "value": "2" }));
    fixture.applied("m1", &rules(&json!([a]))).await?;

    let answer = fixture.ask(fixture.applying("m2", &rules(&json!([b])))).await?;
    expect_items(&answer, "rules", &[a, b.clone()])?;
    let of = |name: &str| {
        ["name", "value"].map(|field| format!(r#"f:spec/f:rules/k:{{"name":"{name}"}}/f:{field}"#))
    };
    for (manager, name) in [("m1", "a"), ("m2", "b")] {
        expect_owned(&answer, applier(manager), &of(name).each_ref().map(String::as_str))?;
    }

    let both = rules(&json!([b, { "name": "a", "value": "9" }]));
    let refused = fixture.ask(fixture.applying("m2", &both)).await?;
    expect_conflicts(&refused, &[("m1", r#".spec.rules[name="a"].value"#)])
}

async fn apply_merge_list_map_duplicate_keys_rejected(Gizmo(fixture): Gizmo) -> Checked {
    let twice = rules(&json!([{ "name": "a", "value": "1" }, { "name": "a", "value": "2" }]));

    expect_error(&*fixture.ask(fixture.applying("m1", &twice)).await?)?;
    fixture.expect_absent().await?;

    let before = fixture.applied("m1", &rules(&json!([{ "name": "b" }]))).await?;
    expect_error(&*fixture.ask(fixture.applying("m1", &twice)).await?)?;
    fixture.expect_unchanged(&before).await
}

async fn apply_merge_list_map_composite_key(Gizmo(fixture): Gizmo) -> Checked {
    let tcp = json!({ "port": 80, "protocol": "TCP", "label": "x" });
    let udp = json!({ "port": 80, "protocol": "UDP", "label": "y" });
    fixture.applied("m1", &ports(&json!([tcp]))).await?;

    let answer = fixture.ask(fixture.applying("m2", &ports(&json!([udp])))).await?;

    expect_items(&answer, "ports", &[tcp, udp])
}

async fn apply_merge_list_map_key_default(Gizmo(fixture): Gizmo) -> Checked {
    fixture.applied("m1", &ports(&json!([{ "port": 80, "label": "x" }]))).await?;
    let said = ports(&json!([{ "port": 80, "protocol": "TCP", "label": "y" }]));

    let refused = fixture.ask(fixture.applying("m2", &said)).await?;

    let fields = fields_in_conflict(&refused)?;
    let only = fields.iter().eq([r#".spec.ports[port=80,protocol="TCP"].label"#]);
    refused.expect(only, "a conflict on the label of TCP 80 and nothing else", format!("{fields:?}"))?;
    let forced = fixture.ask(fixture.forcing("m2", &said)).await?;
    expect_value(&forced, "/spec/ports", &said["spec"]["ports"])
}

async fn apply_merge_list_map_missing_keys_rejected(Gizmo(fixture): Gizmo) -> Checked {
    let refused = fixture.ask(fixture.applying("m1", &rules(&json!([{ "value": "1" }])))).await?;

    expect_error(&refused)?;
    fixture.expect_absent().await
}
