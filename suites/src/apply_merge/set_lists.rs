//! Lists with `x-kubernetes-list-type: set`.

use std::collections::BTreeSet;

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

/// The response shows exactly these tags, in any order.
fn expect_tags(response: &Exchange, expected: &[&str]) -> Checked {
    let object = response.object()?;
    let list = &object.json()["spec"]["tags"];
    let found: Vec<_> = list.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let set: BTreeSet<_> = found.iter().copied().collect();
    let same = found.len() == expected.len() && set == expected.iter().copied().collect();
    response.expect(same, format!("the tags {expected:?}"), list.to_string())
}

const TAG_A: &str = r#"f:spec/f:tags/v:"a""#;
const TAG_B: &str = r#"f:spec/f:tags/v:"b""#;

async fn apply_merge_list_set_items_owned_separately(fixture: Gizmo) -> Checked {
    fixture.applied("m1", &tags(&["a"])).await?;

    let response = fixture.send(fixture.applying("m2", &tags(&["b"]))).await?;

    expect_tags(&response, &["a", "b"])?;
    expect_owned(&response, applier("m1"), &[TAG_A])?;
    expect_owned(&response, applier("m2"), &[TAG_B])
}

async fn apply_merge_list_set_same_item_shared(fixture: Gizmo) -> Checked {
    fixture.applied("m1", &tags(&["a"])).await?;

    let both = fixture.send(fixture.applying("m2", &tags(&["a"]))).await?;
    expect_tags(&both, &["a"])?;
    expect_owned(&both, applier("m1"), &[TAG_A])?;
    expect_owned(&both, applier("m2"), &[TAG_A])?;

    let dropped = fixture.send(fixture.applying("m1", &json!({}))).await?;
    expect_tags(&dropped, &["a"])?;
    expect_owned(&dropped, applier("m2"), &[TAG_A])
}

async fn apply_merge_list_set_duplicates_rejected(fixture: Gizmo) -> Checked {
    expect_twice_rejected(&fixture, &tags(&["a", "a"]), &tags(&["b"])).await
}

/// The server rejects duplicate items, before and after a valid apply, and stores nothing of them.
pub(super) async fn expect_twice_rejected(
    fixture: &ApplyFixture,
    duplicates: &Value,
    valid: &Value,
) -> Checked {
    expect_error(&*fixture.send(fixture.applying("m1", duplicates)).await?)?;
    fixture.expect_absent().await?;

    let before = fixture.applied("m1", valid).await?;
    expect_error(&*fixture.send(fixture.applying("m1", duplicates)).await?)?;
    fixture.expect_unchanged(&before).await
}

/// An error for a configuration that cannot be merged. kube-apiserver returns 500, without a reason.
pub(super) fn expect_error(response: &Exchange) -> Checked {
    let refused = (400..500).contains(&response.status()) || response.status() == 500;
    response.expect(refused, "HTTP 4xx or 500", response.brief())?;
    response.expect_rejection(&[response.status()]).map(drop)
}

async fn apply_merge_list_set_finalizers(fixture: Tracked) -> Checked {
    fixture.applied("m1", &finalizers::set(&[HOLD])).await?;

    and_release(&fixture.collection, async {
        fixture.merged("u", &finalizers::set(&[HOLD, WAIT])).await?;

        let response = fixture.send(fixture.applying("m1", &finalizers::set(&[HOLD]))).await?;

        let object = response.object()?;
        let found = finalizers::of(&object);
        let both = found.len() == 2 && [HOLD, WAIT].iter().all(|one| found.contains(one));
        response.expect(both, format!("the finalizers {HOLD} and {WAIT}"), format!("{found:?}"))
    })
    .await
}

async fn apply_merge_list_order(fixture: Gizmo) -> Checked {
    for order in [["a", "b", "c"], ["c", "b", "a"]] {
        let response = fixture.send(fixture.applying("m1", &tags(&order))).await?;

        response.expect_value("/spec/tags", &json!(order))?;
    }
    Ok(())
}
