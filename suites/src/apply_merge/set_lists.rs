//! Lists with `x-kubernetes-list-type: set`.

use std::collections::BTreeSet;

use harness::{Checked, Context, Exchange, Row, row};
use serde_json::{Value, json};

use crate::apply_fixture::owner::{applier, expect_owned};
use crate::apply_fixture::{Story, expect_value};
use crate::finalizers::{self, HOLD, WAIT, and_release};

/// The scenarios of this file.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row("apply-merge-list-set-items-owned-separately", apply_merge_list_set_items_owned_separately)
            .own_kinds(),
        row("apply-merge-list-set-same-item-shared", apply_merge_list_set_same_item_shared).own_kinds(),
        row("apply-merge-list-set-duplicates-rejected", apply_merge_list_set_duplicates_rejected).own_kinds(),
        row("apply-merge-list-set-finalizers", apply_merge_list_set_finalizers),
        row("apply-merge-list-order", apply_merge_list_order).own_kinds(),
    ]
}

fn tags(tags: &[&str]) -> Value {
    json!({ "spec": { "tags": tags } })
}

/// The answer shows an object with these tags, in whatever order.
fn expect_tags(answer: &Exchange, expected: &[&str]) -> Checked {
    let object = answer.object()?;
    let list = &object.json()["spec"]["tags"];
    let found: Vec<_> = list.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let set: BTreeSet<_> = found.iter().copied().collect();
    let same = found.len() == expected.len() && set == expected.iter().copied().collect();
    answer.expect(same, format!("the tags {expected:?}"), list.to_string())
}

const TAG_A: &str = r#"f:spec/f:tags/v:"a""#;
const TAG_B: &str = r#"f:spec/f:tags/v:"b""#;

async fn apply_merge_list_set_items_owned_separately(cx: Context) -> Checked {
    let story = Story::of_a_gizmo(&cx).await?;
    story.applied("m1", &tags(&["a"])).await?;

    let answer = story.ask(story.applying("m2", &tags(&["b"]))).await?;

    expect_tags(&answer, &["a", "b"])?;
    expect_owned(&answer, applier("m1"), &[TAG_A])?;
    expect_owned(&answer, applier("m2"), &[TAG_B])
}

async fn apply_merge_list_set_same_item_shared(cx: Context) -> Checked {
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

async fn apply_merge_list_set_duplicates_rejected(cx: Context) -> Checked {
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
pub(super) fn expect_error(answer: &Exchange) -> Checked {
    let refused = (400..500).contains(&answer.status()) || answer.status() == 500;
    answer.expect(refused, "an error: 4xx, or 500 as kube-apiserver says", answer.brief())?;
    answer.expect_refusal(&[answer.status()]).map(drop)
}

async fn apply_merge_list_set_finalizers(cx: Context) -> Checked {
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

async fn apply_merge_list_order(cx: Context) -> Checked {
    let story = Story::of_a_gizmo(&cx).await?;

    for order in [["a", "b", "c"], ["c", "b", "a"]] {
        let answer = story.ask(story.applying("m1", &tags(&order))).await?;

        expect_value(&answer, "/spec/tags", &json!(order))?;
    }
    Ok(())
}
