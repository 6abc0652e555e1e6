//! Lists that are sets: every value is an item of its own.

use std::collections::BTreeSet;

use harness::{Context, Exchange, Halt, Suite};
use serde_json::{Value, json};

use crate::finalizers::{self, HOLD, WAIT, and_release};
use crate::story::owner::{applier, expect_owned};
use crate::story::{Story, expect_value};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-merge-list-set-items-owned-separately", each_value_has_its_owner)
        .scenario("apply-merge-list-set-same-item-shared", one_value_may_have_two_owners)
        .scenario("apply-merge-list-set-duplicates-rejected", a_set_has_each_value_once)
        .scenario("apply-merge-list-set-finalizers", finalizers_of_others_stay)
        .on_every_shape()
        .scenario("apply-merge-list-order", applied_items_keep_their_order)
}

fn tags(tags: &[&str]) -> Value {
    json!({ "spec": { "tags": tags } })
}

/// The answer shows an object with these tags, in whatever order.
fn expect_tags(answer: &Exchange, expected: &[&str]) -> Result<(), Halt> {
    let object = answer.object()?;
    let list = &object.json()["spec"]["tags"];
    let found: Vec<_> = list.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let set: BTreeSet<_> = found.iter().copied().collect();
    let same = found.len() == expected.len() && set == expected.iter().copied().collect();
    answer.expect(same, format!("the tags {expected:?}"), list.to_string())
}

const TAG_A: &str = r#"f:spec/f:tags/v:"a""#;
const TAG_B: &str = r#"f:spec/f:tags/v:"b""#;

async fn each_value_has_its_owner(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;
    story.applied("m1", &tags(&["a"])).await?;

    let answer = story.ask(story.applying("m2", &tags(&["b"]))).await?;

    expect_tags(&answer, &["a", "b"])?;
    expect_owned(&answer, applier("m1"), &[TAG_A])?;
    expect_owned(&answer, applier("m2"), &[TAG_B])
}

async fn one_value_may_have_two_owners(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;
    story.applied("m1", &tags(&["a"])).await?;

    let both = story.ask(story.applying("m2", &tags(&["a"]))).await?;
    expect_tags(&both, &["a"])?;
    expect_owned(&both, applier("m1"), &[TAG_A])?;
    expect_owned(&both, applier("m2"), &[TAG_A])?;

    let dropped = story.ask(story.applying("m1", &json!({}))).await?;
    expect_tags(&dropped, &["a"])?;
    expect_owned(&dropped, applier("m2"), &[TAG_A])
}

async fn a_set_has_each_value_once(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;
    let twice = tags(&["a", "a"]);

    expect_error(&*story.ask(story.applying("m1", &twice)).await?)?;
    story.expect_absent().await?;

    let before = story.applied("m1", &tags(&["b"])).await?;
    expect_error(&*story.ask(story.applying("m1", &twice)).await?)?;
    story.expect_unchanged(&before).await
}

/// A refusal of what cannot be merged: with any code that says that the client is wrong, or as kube-apiserver does, with
/// 500 and no reason.
pub(super) fn expect_error(answer: &Exchange) -> Result<(), Halt> {
    let refused = (400..500).contains(&answer.status()) || answer.status() == 500;
    answer.expect(refused, "an error: 4xx, or 500 as kube-apiserver says", answer.brief())?;
    answer.expect_refusal(&[answer.status()]).map(drop)
}

async fn finalizers_of_others_stay(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_tracked_thing(&cx).await?;
    story.applied("m1", &finalizers::set(&[HOLD])).await?;

    and_release(&story.things, async {
        story.merged("u", &finalizers::set(&[HOLD, WAIT])).await?;

        let answer = story.ask(story.applying("m1", &finalizers::set(&[HOLD]))).await?;

        let object = answer.object()?;
        let found = finalizers::of(&object);
        let both = found.len() == 2 && [HOLD, WAIT].iter().all(|one| found.contains(one));
        answer.expect(both, format!("the finalizers {HOLD} and {WAIT}"), format!("{found:?}"))
    })
    .await
}

async fn applied_items_keep_their_order(cx: Context) -> Result<(), Halt> {
    let story = Story::of_a_gizmo(&cx).await?;

    for order in [["a", "b", "c"], ["c", "b", "a"]] {
        let answer = story.ask(story.applying("m1", &tags(&order))).await?;

        expect_value(&answer, "/spec/tags", &json!(order))?;
    }
    Ok(())
}
