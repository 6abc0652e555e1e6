//! Three-way merge: applied configuration, previous configuration, live object.

use crate::apply_fixture::expect_value;
use crate::prelude::*;
use crate::string_map::Expected;

rows![
    apply_merge_combines_with_live,
    apply_merge_request_wins,
    apply_merge_missing_items_removed,
    apply_merge_superset_removes_nothing,
    apply_merge_removal_is_per_manager,
    apply_merge_never_applied_items_kept,
    apply_merge_dropped_item_with_foreign_subfields_removed.own_kinds(),
];

/// An object to which `m1` has applied these texts.
async fn applied<const N: usize>(cx: &Context, texts: [(&str, &str); N]) -> Result<ApplyFixture, Halt> {
    let fixture = ApplyFixture::of_a_tracked_thing(cx).await?;
    fixture.applied("m1", &fixture.texts(texts)).await?;
    Ok(fixture)
}

/// The answer, and what is stored, show these texts besides what was there from the beginning.
async fn expect_texts(fixture: &ApplyFixture, answer: &Exchange, expected: &[Expected]) -> Checked {
    let all: Vec<_> = expected.iter().copied().chain([("kept", Some("yes"))]).collect();
    fixture.expect_texts(answer, &all).await
}

async fn apply_merge_combines_with_live(Tracked(fixture): Tracked) -> Checked {
    fixture.merged("u", &fixture.texts([("a", "1")])).await?;
    let annotation = json!({ "metadata": { "annotations": { "noted": "yes" } } });
    fixture.merged("u", &annotation).await?;

    let answer = fixture.ask(fixture.applying("m1", &fixture.texts([("b", "1")]))).await?;

    expect_texts(&fixture, &answer, &[("a", Some("1")), ("b", Some("1"))]).await?;
    expect_value(&answer, "/metadata/annotations/noted", &json!("yes"))
}

async fn apply_merge_request_wins(cx: Context) -> Checked {
    let fixture = applied(&cx, [("a", "1"), ("b", "1")]).await?;

    let answer = fixture.ask(fixture.applying("m1", &fixture.texts([("a", "2"), ("b", "1")]))).await?;

    expect_texts(&fixture, &answer, &[("a", Some("2")), ("b", Some("1"))]).await
}

async fn apply_merge_missing_items_removed(cx: Context) -> Checked {
    let fixture = applied(&cx, [("a", "1"), ("b", "1"), ("c", "1")]).await?;

    let answer = fixture.ask(fixture.applying("m1", &fixture.texts([("b", "1")]))).await?;

    expect_texts(&fixture, &answer, &[("a", None), ("b", Some("1")), ("c", None)]).await
}

async fn apply_merge_superset_removes_nothing(cx: Context) -> Checked {
    let fixture = applied(&cx, [("a", "1")]).await?;

    let answer = fixture.ask(fixture.applying("m1", &fixture.texts([("a", "1"), ("b", "1")]))).await?;

    expect_texts(&fixture, &answer, &[("a", Some("1")), ("b", Some("1"))]).await
}

async fn apply_merge_removal_is_per_manager(cx: Context) -> Checked {
    let fixture = applied(&cx, [("a", "1")]).await?;
    fixture.applied("m2", &fixture.texts([("b", "1")])).await?;

    let answer = fixture.ask(fixture.applying("m2", &fixture.texts([("c", "1")]))).await?;

    expect_texts(&fixture, &answer, &[("a", Some("1")), ("b", None), ("c", Some("1"))]).await
}

async fn apply_merge_never_applied_items_kept(cx: Context) -> Checked {
    let fixture = applied(&cx, [("b", "1")]).await?;

    let answer = fixture.ask(fixture.applying("m1", &json!({}))).await?;

    expect_texts(&fixture, &answer, &[("b", None)]).await
}

async fn apply_merge_dropped_item_with_foreign_subfields_removed(Gizmo(fixture): Gizmo) -> Checked {
    let rules = |items: serde_json::Value| json!({ "spec": { "rules": items } });
    fixture.applied("m1", &rules(json!([{ "name": "a", "value": "1" }]))).await?;
    fixture.merged("u", &rules(json!([{ "name": "a", "value": "1", "note": "x" }]))).await?;

    let answer = fixture.ask(fixture.applying("m1", &rules(json!([{ "name": "b" }])))).await?;

    expect_value(&answer, "/spec/rules", &json!([{ "name": "b" }]))
}
