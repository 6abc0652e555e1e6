//! What becomes of a field that its applier does not say any more.

use harness::{Context, Exchange, Halt, Suite};
use serde_json::{Value, json};

use crate::story::owner::{applier, expect_owners, updater};
use crate::story::text::CREATOR;
use crate::story::{Story, expect_value};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-ownership-drop-sole-owner-deletes", what_its_only_owner_drops_is_removed)
        .on_every_shape()
        .scenario("apply-ownership-drop-kept-when-other-owner", what_somebody_else_owns_stays)
        .on_every_shape()
        .scenario("apply-ownership-drop-list-map-item", an_item_that_its_only_owner_drops_is_removed)
        .scenario(
            "apply-ownership-drop-list-map-item-kept-when-shared",
            an_item_of_two_stays_when_one_drops_it,
        )
        .scenario("apply-ownership-drop-map-key", a_key_that_its_only_owner_drops_is_removed)
        .on_every_shape()
        .scenario("apply-ownership-drop-set-item", a_value_of_a_set_that_its_only_owner_drops_is_removed)
        .scenario("apply-ownership-emptied-parent", the_last_key_is_removed_like_any_other)
        .on_every_shape()
}

async fn what_its_only_owner_drops_is_removed(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &story.texts([("a", "1"), ("b", "1")])).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("a", "1")]))).await?;

    story.expect_texts(&answer, &[("a", Some("1")), ("b", None)]).await?;
    story.expect_owners(&answer, "b", &[])
}

async fn what_somebody_else_owns_stays(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[("a", "1")]).await?;
    story.applied("m1", &story.texts([("a", "1"), ("b", "1"), ("c", "1")])).await?;
    story.applied("m2", &story.texts([("b", "1")])).await?;

    let answer = story.ask(story.applying("m1", &story.texts([("c", "1")]))).await?;

    story.expect_texts(&answer, &[("a", Some("1")), ("b", Some("1")), ("c", Some("1"))]).await?;
    story.expect_owners(&answer, "a", &[updater(CREATOR)])?;
    story.expect_owners(&answer, "b", &[applier("m2")])
}

/// Rules of these names.
fn rules(names: &[&str]) -> Value {
    let rules: Vec<_> = names.iter().map(|name| json!({ "name": name })).collect();
    json!({ "spec": { "rules": rules } })
}

/// The answer shows rules of these names, in whatever order.
fn expect_rules(answer: &Exchange, names: &[&str]) -> Result<(), Halt> {
    let object = answer.object()?;
    let rules = object.json()["spec"]["rules"].as_array().into_iter().flatten();
    let mut found: Vec<_> = rules.filter_map(|rule| rule["name"].as_str()).collect();
    found.sort_unstable();
    answer.expect(found == names, format!("rules named {names:?}"), format!("{found:?}"))
}

async fn an_item_that_its_only_owner_drops_is_removed(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;
    story.applied("m1", &rules(&["a", "b"])).await?;

    let answer = story.ask(story.applying("m1", &rules(&["a"]))).await?;

    expect_rules(&answer, &["a"])?;
    expect_rules(&*story.read().await?, &["a"])
}

async fn an_item_of_two_stays_when_one_drops_it(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;
    story.applied("m1", &rules(&["a", "b"])).await?;
    story.applied("m2", &rules(&["b"])).await?;

    let answer = story.ask(story.applying("m1", &rules(&["a"]))).await?;

    expect_rules(&answer, &["a", "b"])?;
    let name = |item: &str| format!(r#"f:spec/f:rules/k:{{"name":"{item}"}}/f:name"#);
    expect_owners(&answer, &name("a"), &[applier("m1")])?;
    expect_owners(&answer, &name("b"), &[applier("m2")])
}

async fn a_key_that_its_only_owner_drops_is_removed(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_thing(&cx, &[]).await?;
    let labels = |labels: Value| json!({ "metadata": { "labels": labels } });
    story.applied("m1", &labels(json!({ "x": "1", "y": "1" }))).await?;

    let answer = story.ask(story.applying("m1", &labels(json!({ "x": "1" })))).await?;

    for shown in [&answer, &story.read().await?] {
        expect_value(shown, "/metadata/labels/x", &json!("1"))?;
        expect_value(shown, "/metadata/labels/y", &Value::Null)?;
    }
    Ok(())
}

async fn a_value_of_a_set_that_its_only_owner_drops_is_removed(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;
    story.applied("m1", &json!({ "spec": { "tags": ["a", "b"] } })).await?;

    let answer = story.ask(story.applying("m1", &json!({ "spec": { "tags": ["a"] } }))).await?;

    expect_value(&answer, "/spec/tags", &json!(["a"]))?;
    expect_value(&*story.read().await?, "/spec/tags", &json!(["a"]))
}

async fn the_last_key_is_removed_like_any_other(cx: Context) -> Result<(), Halt> {
    // Annotations: of labels and data, whoever created the object has some.
    let story = Story::of_a_thing(&cx, &[]).await?;
    story.applied("m1", &json!({ "metadata": { "annotations": { "a": "1" } } })).await?;

    let answer = story.ask(story.applying("m1", &json!({}))).await?;

    expect_value(&answer, "/metadata/annotations/a", &Value::Null)?;
    expect_value(&*story.read().await?, "/metadata/annotations/a", &Value::Null)
}
