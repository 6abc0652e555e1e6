//! Fields that an applier removes from its configuration.

use crate::apply_fixture::owner::{applier, expect_owners, updater};
use crate::apply_fixture::string_field::CREATOR;
use crate::prelude::*;

rows![
    apply_ownership_drop_sole_owner_deletes,
    apply_ownership_drop_kept_when_other_owner,
    apply_ownership_drop_list_map_item.own_kinds(),
    apply_ownership_drop_list_map_item_kept_when_shared.own_kinds(),
    apply_ownership_drop_map_key,
    apply_ownership_drop_set_item.own_kinds(),
    apply_ownership_emptied_parent,
];

async fn apply_ownership_drop_sole_owner_deletes(fixture: CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;

    let response = fixture.send(fixture.applying("m1", &fixture.texts([("a", "1")]))).await?;

    fixture.expect_texts(&response, &[("a", Some("1")), ("b", None)]).await?;
    fixture.expect_owners(&response, "b", &[])
}

async fn apply_ownership_drop_kept_when_other_owner(cx: Context) -> Checked {
    let fixture = ApplyFixture::of_a_thing(&cx, &[("a", "1")]).await?;
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1"), ("c", "1")])).await?;
    fixture.applied("m2", &fixture.texts([("b", "1")])).await?;

    let response = fixture.send(fixture.applying("m1", &fixture.texts([("c", "1")]))).await?;

    fixture.expect_texts(&response, &[("a", Some("1")), ("b", Some("1")), ("c", Some("1"))]).await?;
    fixture.expect_owners(&response, "a", &[updater(CREATOR)])?;
    fixture.expect_owners(&response, "b", &[applier("m2")])
}

/// Rules with these names.
fn rules(names: &[&str]) -> Value {
    let rules: Vec<_> = names.iter().map(|name| json!({ "name": name })).collect();
    json!({ "spec": { "rules": rules } })
}

/// The response shows rules with these names, in any order.
fn expect_rules(response: &Exchange, names: &[&str]) -> Checked {
    let object = response.object()?;
    let rules = object.json()["spec"]["rules"].as_array().into_iter().flatten();
    let mut found: Vec<_> = rules.filter_map(|rule| rule["name"].as_str()).collect();
    found.sort_unstable();
    response.expect(found == names, format!("rules with the names {names:?}"), format!("{found:?}"))
}

async fn apply_ownership_drop_list_map_item(fixture: Gizmo) -> Checked {
    fixture.applied("m1", &rules(&["a", "b"])).await?;

    let response = fixture.send(fixture.applying("m1", &rules(&["a"]))).await?;

    expect_rules(&response, &["a"])?;
    expect_rules(&*fixture.read().await?, &["a"])
}

async fn apply_ownership_drop_list_map_item_kept_when_shared(fixture: Gizmo) -> Checked {
    fixture.applied("m1", &rules(&["a", "b"])).await?;
    fixture.applied("m2", &rules(&["b"])).await?;

    let response = fixture.send(fixture.applying("m1", &rules(&["a"]))).await?;

    expect_rules(&response, &["a", "b"])?;
    let name = |item: &str| format!(r#"f:spec/f:rules/k:{{"name":"{item}"}}/f:name"#);
    expect_owners(&response, &name("a"), &[applier("m1")])?;
    expect_owners(&response, &name("b"), &[applier("m2")])
}

/// The response and the stored object show this value.
async fn expect_stored(fixture: &ApplyFixture, response: &Exchange, pointer: &str, value: &Value) -> Checked {
    response.expect_value(pointer, value)?;
    fixture.read().await?.expect_value(pointer, value)
}

async fn apply_ownership_drop_map_key(fixture: CreatedByOther) -> Checked {
    let labels = |labels: Value| json!({ "metadata": { "labels": labels } });
    fixture.applied("m1", &labels(json!({ "x": "1", "y": "1" }))).await?;

    let response = fixture.send(fixture.applying("m1", &labels(json!({ "x": "1" })))).await?;

    expect_stored(&fixture, &response, "/metadata/labels/x", &json!("1")).await?;
    expect_stored(&fixture, &response, "/metadata/labels/y", &Value::Null).await
}

async fn apply_ownership_drop_set_item(fixture: Gizmo) -> Checked {
    fixture.applied("m1", &json!({ "spec": { "tags": ["a", "b"] } })).await?;

    let response = fixture.send(fixture.applying("m1", &json!({ "spec": { "tags": ["a"] } }))).await?;

    expect_stored(&fixture, &response, "/spec/tags", &json!(["a"])).await
}

async fn apply_ownership_emptied_parent(fixture: CreatedByOther) -> Checked {
    // Annotations, because the creator owns labels and data.
    fixture.applied("m1", &json!({ "metadata": { "annotations": { "a": "1" } } })).await?;

    let response = fixture.send(fixture.applying("m1", &json!({}))).await?;

    expect_stored(&fixture, &response, "/metadata/annotations/a", &Value::Null).await
}
