//! Pod disruption budgets: an empty selector, and an absent one.

use crate::pods::GuardedPod;
use crate::prelude::*;

rows![
    migrated_fields_pdb_empty_selector_selects_all.own_kinds(),
    migrated_fields_pdb_unset_selector_selects_none.own_kinds(),
];

async fn migrated_fields_pdb_empty_selector_selects_all(cx: Context) -> Checked {
    let guarded = GuardedPod::with_selector(&cx, &json!({})).await?;
    guarded.budgets.get(NAME).await?.expect_value("/spec/selector", &json!({}))?;

    guarded.evict().await?.expect_status(&[429])?;

    guarded.budgets.delete(NAME).await?;
    guarded.evict().await?.expect_status(&[200, 201])
}

async fn migrated_fields_pdb_unset_selector_selects_none(cx: Context) -> Checked {
    let guarded = GuardedPod::with_selector(&cx, &Value::Null).await?;
    guarded.budgets.get(NAME).await?.expect_value("/spec/selector", &Value::Null)?;

    guarded.evict().await?.expect_status(&[200, 201])
}
