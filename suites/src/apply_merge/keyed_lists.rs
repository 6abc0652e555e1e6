//! Lists with `x-kubernetes-list-type: map`, whose items have keys.

use super::set_lists::{expect_error, expect_twice_rejected};
use super::spec;
use crate::apply_fixture::conflict::{expect_conflicts, fields_in_conflict};
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

fn rules(items: Value) -> Value {
    spec("rules", items)
}

fn ports(items: Value) -> Value {
    spec("ports", items)
}

/// The list has exactly these items, in any order.
pub(super) fn expect_items(response: &Exchange, list: &Value, field: &str, expected: &[Value]) -> Checked {
    let found = list.as_array().map_or(&[][..], Vec::as_slice);
    let same = found.len() == expected.len() && expected.iter().all(|item| found.contains(item));
    response.expect(same, format!("{field}: {}", json!(expected)), list.to_string())
}

/// The response shows a spec with exactly these items, in any order.
fn expect_in_spec(response: &Exchange, field: &str, expected: &[Value]) -> Checked {
    expect_items(response, &response.object()?.json()["spec"][field], field, expected)
}

async fn apply_merge_list_map_merged_by_key(fixture: Gizmo) -> Checked {
    fixture.applied("m1", &rules(json!([{ "name": "a", "value": "1" }]))).await?;

    let response =
        fixture.send(fixture.applying("m2", &rules(json!([{ "name": "a", "note": "x" }])))).await?;

    expect_in_spec(&response, "rules", &[json!({ "name": "a", "value": "1", "note": "x" })])
}

async fn apply_merge_list_map_items_owned_separately(fixture: Gizmo) -> Checked {
    let (a, b) = (json!({ "name": "a", "value": "1" }), json!({ "name": "b", "value": "2" }));
    fixture.applied("m1", &rules(json!([a]))).await?;

    let response = fixture.send(fixture.applying("m2", &rules(json!([b])))).await?;
    expect_in_spec(&response, "rules", &[a, b.clone()])?;
    let of = |name: &str| {
        ["name", "value"].map(|field| format!(r#"f:spec/f:rules/k:{{"name":"{name}"}}/f:{field}"#))
    };
    for (manager, name) in [("m1", "a"), ("m2", "b")] {
        expect_owned(&response, applier(manager), &of(name).each_ref().map(String::as_str))?;
    }

    let both = rules(json!([b, { "name": "a", "value": "9" }]));
    let refused = fixture.send(fixture.applying("m2", &both)).await?;
    expect_conflicts(&refused, &[("m1", r#".spec.rules[name="a"].value"#)])
}

async fn apply_merge_list_map_duplicate_keys_rejected(fixture: Gizmo) -> Checked {
    let twice = rules(json!([{ "name": "a", "value": "1" }, { "name": "a", "value": "2" }]));

    expect_twice_rejected(&fixture, &twice, &rules(json!([{ "name": "b" }]))).await
}

async fn apply_merge_list_map_composite_key(fixture: Gizmo) -> Checked {
    let tcp = json!({ "port": 80, "protocol": "TCP", "label": "x" });
    let udp = json!({ "port": 80, "protocol": "UDP", "label": "y" });
    fixture.applied("m1", &ports(json!([tcp]))).await?;

    let response = fixture.send(fixture.applying("m2", &ports(json!([udp])))).await?;

    expect_in_spec(&response, "ports", &[tcp, udp])
}

async fn apply_merge_list_map_key_default(fixture: Gizmo) -> Checked {
    fixture.applied("m1", &ports(json!([{ "port": 80, "label": "x" }]))).await?;
    let same_key = ports(json!([{ "port": 80, "protocol": "TCP", "label": "y" }]));

    let refused = fixture.send(fixture.applying("m2", &same_key)).await?;

    let fields = fields_in_conflict(&refused)?;
    let only = fields.iter().eq([r#".spec.ports[port=80,protocol="TCP"].label"#]);
    refused.expect(only, "a conflict on the label of TCP 80 and on no other field", format!("{fields:?}"))?;
    let forced = fixture.send(fixture.forcing("m2", &same_key)).await?;
    forced.expect_value("/spec/ports", &same_key["spec"]["ports"])
}

async fn apply_merge_list_map_missing_keys_rejected(fixture: Gizmo) -> Checked {
    let refused = fixture.send(fixture.applying("m1", &rules(json!([{ "value": "1" }])))).await?;

    expect_error(&refused)?;
    fixture.expect_absent().await
}
