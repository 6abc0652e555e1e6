//! Fields that an applier removes from its configuration.

use crate::apply_fixture::expect_value;
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

async fn apply_ownership_drop_sole_owner_deletes(CreatedByOther(fixture): CreatedByOther) -> Checked {
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1")])).await?;

    let answer = fixture.ask(fixture.applying("m1", &fixture.texts([("a", "1")]))).await?;

    fixture.expect_texts(&answer, &[("a", Some("1")), ("b", None)]).await?;
    fixture.expect_owners(&answer, "b", &[])
}

async fn apply_ownership_drop_kept_when_other_owner(cx: Context) -> Checked {
    let fixture = ApplyFixture::of_a_thing(&cx, &[("a", "1")]).await?;
    fixture.applied("m1", &fixture.texts([("a", "1"), ("b", "1"), ("c", "1")])).await?;
    fixture.applied("m2", &fixture.texts([("b", "1")])).await?;

    let answer = fixture.ask(fixture.applying("m1", &fixture.texts([("c", "1")]))).await?;

    fixture.expect_texts(&answer, &[("a", Some("1")), ("b", Some("1")), ("c", Some("1"))]).await?;
    fixture.expect_owners(&answer, "a", &[updater(CREATOR)])?;
    fixture.expect_owners(&answer, "b", &[applier("m2")])
}

/// Rules of these names.
fn rules(names: &[&str]) -> Value {
    let rules: Vec<_> = names.iter().map(|name| json!({ "name": name })).collect();
    json!({ "spec": { "rules": rules } })
}

/// The answer shows rules of these names, in whatever order.
fn expect_rules(answer: &Exchange, names: &[&str]) -> Checked {
    let object = answer.object()?;
    let rules = object.json()["spec"]["rules"].as_array().into_iter().flatten();
    let mut found: Vec<_> = rules.filter_map(|rule| rule["name"].as_str()).collect();
    found.sort_unstable();
    answer.expect(found == names, format!("rules named {names:?}"), format!("{found:?}"))
}

async fn apply_ownership_drop_list_map_item(Gizmo(fixture): Gizmo) -> Checked {
    fixture.applied("m1", &rules(&["a", "b"])).await?;

    let answer = fixture.ask(fixture.applying("m1", &rules(&["a"]))).await?;

    expect_rules(&answer, &["a"])?;
    expect_rules(&*fixture.read().await?, &["a"])
}

async fn apply_ownership_drop_list_map_item_kept_when_shared(Gizmo(fixture): Gizmo) -> Checked {
    fixture.applied("m1", &rules(&["a", "b"])).await?;
    fixture.applied("m2", &rules(&["b"])).await?;

    let answer = fixture.ask(fixture.applying("m1", &rules(&["a"]))).await?;

    expect_rules(&answer, &["a", "b"])?;
    let name = |item: &str| format!(r#"f:spec/f:rules/k:{{"name":"{item}"}}/f:name"#);
    expect_owners(&answer, &name("a"), &[applier("m1")])?;
    expect_owners(&answer, &name("b"), &[applier("m2")])
}

async fn apply_ownership_drop_map_key(CreatedByOther(fixture): CreatedByOther) -> Checked {
    let labels = |labels: Value| json!({ "metadata": { "labels": labels } });
    fixture.applied("m1", &labels(json!({ "x": "1", "y": "1" }))).await?;

    let answer = fixture.ask(fixture.applying("m1", &labels(json!({ "x": "1" })))).await?;

    for shown in [&answer, &fixture.read().await?] {
        expect_value(shown, "/metadata/labels/x", &json!("1"))?;
        expect_value(shown, "/metadata/labels/y", &Value::Null)?;
    }
    Ok(())
}

async fn apply_ownership_drop_set_item(Gizmo(fixture): Gizmo) -> Checked {
    fixture.applied("m1", &json!({ "spec": { "tags": ["a", "b"] } })).await?;

    let answer = fixture.ask(fixture.applying("m1", &json!({ "spec": { "tags": ["a"] } }))).await?;

    expect_value(&answer, "/spec/tags", &json!(["a"]))?;
    expect_value(&*fixture.read().await?, "/spec/tags", &json!(["a"]))
}

async fn apply_ownership_emptied_parent(cx: Context) -> Checked {
    // Annotations: of labels and data, whoever created the object has some.
    let fixture = ApplyFixture::of_a_thing(&cx, &[]).await?;
    fixture.applied("m1", &json!({ "metadata": { "annotations": { "a": "1" } } })).await?;

    let answer = fixture.ask(fixture.applying("m1", &json!({}))).await?;

    expect_value(&answer, "/metadata/annotations/a", &Value::Null)?;
    expect_value(&*fixture.read().await?, "/metadata/annotations/a", &Value::Null)
}
