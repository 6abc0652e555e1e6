//! Lists with `x-kubernetes-list-type: set`.

use std::collections::BTreeSet;

use crate::apply_fixture::expect_value;
use crate::apply_fixture::owner::{applier, expect_owned};
use crate::finalizers::{self, HOLD, WAIT, and_release};
use crate::prelude::*;

rows![
    apply_merge_list_set_items_owned_separately.own_kinds(),
    apply_merge_list_set_same_item_shared.own_kinds(),
    apply_merge_list_set_duplicates_rejected.own_kinds(),
    apply_merge_list_set_finalizers,
    apply_merge_list_order.own_kinds(),
];

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

async fn apply_merge_list_set_items_owned_separately(Gizmo(fixture): Gizmo) -> Checked {
    fixture.applied("m1", &tags(&["a"])).await?;

    let answer = fixture.ask(fixture.applying("m2", &tags(&["b"]))).await?;

    expect_tags(&answer, &["a", "b"])?;
    expect_owned(&answer, applier("m1"), &[TAG_A])?;
    expect_owned(&answer, applier("m2"), &[TAG_B])
}

async fn apply_merge_list_set_same_item_shared(Gizmo(fixture): Gizmo) -> Checked {
    fixture.applied("m1", &tags(&["a"])).await?;

    let both = fixture.ask(fixture.applying("m2", &tags(&["a"]))).await?;
    expect_tags(&both, &["a"])?;
    expect_owned(&both, applier("m1"), &[TAG_A])?;
    expect_owned(&both, applier("m2"), &[TAG_A])?;

    let dropped = fixture.ask(fixture.applying("m1", &json!({}))).await?;
    expect_tags(&dropped, &["a"])?;
    expect_owned(&dropped, applier("m2"), &[TAG_A])
}

async fn apply_merge_list_set_duplicates_rejected(Gizmo(fixture): Gizmo) -> Checked {
    let twice = tags(&["a", "a"]);

    expect_error(&*fixture.ask(fixture.applying("m1", &twice)).await?)?;
    fixture.expect_absent().await?;

    let before = fixture.applied("m1", &tags(&["b"])).await?;
    expect_error(&*fixture.ask(fixture.applying("m1", &twice)).await?)?;
    fixture.expect_unchanged(&before).await
}

/// A refusal of what cannot be merged: with any code that says that the client is wrong, or as kube-apiserver does, with
/// 500 and no reason.
pub(super) fn expect_error(answer: &Exchange) -> Checked {
    let refused = (400..500).contains(&answer.status()) || answer.status() == 500;
    answer.expect(refused, "an error: 4xx, or 500 as kube-apiserver says", answer.brief())?;
    answer.expect_refusal(&[answer.status()]).map(drop)
}

async fn apply_merge_list_set_finalizers(Tracked(fixture): Tracked) -> Checked {
    fixture.applied("m1", &finalizers::set(&[HOLD])).await?;

    and_release(&fixture.collection, async {
        fixture.merged("u", &finalizers::set(&[HOLD, WAIT])).await?;

        let answer = fixture.ask(fixture.applying("m1", &finalizers::set(&[HOLD]))).await?;

        let object = answer.object()?;
        let found = finalizers::of(&object);
        let both = found.len() == 2 && [HOLD, WAIT].iter().all(|one| found.contains(one));
        answer.expect(both, format!("the finalizers {HOLD} and {WAIT}"), format!("{found:?}"))
    })
    .await
}

async fn apply_merge_list_order(Gizmo(fixture): Gizmo) -> Checked {
    for order in [["a", "b", "c"], ["c", "b", "a"]] {
        let answer = fixture.ask(fixture.applying("m1", &tags(&order))).await?;

        expect_value(&answer, "/spec/tags", &json!(order))?;
    }
    Ok(())
}
