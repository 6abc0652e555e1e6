//! The levels Ignore, Warn and Strict of `fieldValidation`, and its default.

use harness::{Checked, Collection, Context, Method, Request};
use serde_json::{Value, json};

use super::unknown_fields::expect_dropped;
use super::{LEVELS, UNKNOWN, at, post, post_text, warning, with_duplicate, with_unknown};
use crate::patch_types::{self, JSON, MERGE, STRATEGIC};
use crate::scenario::ClosedSchema;

rows![
    fieldval_levels_accepted,
    fieldval_default_is_warn,
    fieldval_applies_to_post_put_patch,
    fieldval_set_by_query_parameter,
    fieldval_ignored_on_get_and_delete,
    fieldval_ignore_succeeds_unknown,
    fieldval_ignore_succeeds_duplicate,
    fieldval_ignore_is_silent,
];

/// Names that objects of one scenario have, one for each level.
const NAMES: [&str; 3] = ["a", "b", "c"];

async fn fieldval_levels_accepted(cx: Context, things: Collection) -> Checked {
    for (name, level) in NAMES.into_iter().zip(LEVELS) {
        let created = cx.send(at(level, post(&things, &things.body(name, "first")))).await?;
        created.expect_status(&[201])?;
    }
    Ok(())
}

async fn fieldval_default_is_warn(cx: Context, ClosedSchema(things): ClosedSchema) -> Checked {
    let created = cx.send(post(&things, &with_unknown(&things, "a"))).await?;

    created.expect_status(&[201])?;
    warning::expect(&created, UNKNOWN)
}

async fn fieldval_applies_to_post_put_patch(cx: Context, ClosedSchema(things): ClosedSchema) -> Checked {
    let created = cx.send(at("Warn", post(&things, &with_unknown(&things, "a")))).await?;
    created.expect_status(&[201])?;
    warning::expect(&created, UNKNOWN)?;

    let mut body = things.get("a").object().await?.json().clone();
    body[UNKNOWN] = json!(1);
    let updated = cx.send(at("Warn", Request::put(things.path_of("a"), &body))).await?;
    updated.expect_status(&[200])?;
    warning::expect(&updated, UNKNOWN)?;

    for (form, body) in patches() {
        let patched = cx.send(at("Warn", patch_types::patch(&things, "a", form, &body))).await?;
        // Custom types have no strategic merge patches.
        if patched.status() == 415 && form == STRATEGIC {
            continue;
        }
        patched.expect_status(&[200])?;
        warning::expect(&patched, UNKNOWN)?;
    }
    Ok(())
}

/// An unknown field, in each form of patch but apply.
pub(super) fn patches() -> [(&'static str, Value); 3] {
    let merge = json!({ UNKNOWN: 1 });
    let list = json!([{ "op": "add", "path": format!("/{UNKNOWN}"), "value": 1 }]);
    [(MERGE, merge.clone()), (STRATEGIC, merge), (JSON, list)]
}

async fn fieldval_set_by_query_parameter(cx: Context, ClosedSchema(things): ClosedSchema) -> Checked {
    let ignored = cx.send(at("Ignore", post(&things, &with_unknown(&things, "a")))).await?;
    let warned = cx.send(at("Warn", post(&things, &with_unknown(&things, "b")))).await?;

    ignored.expect_status(&[201])?;
    warned.expect_status(&[201])?;
    warning::expect_none(&ignored, UNKNOWN)?;
    warning::expect(&warned, UNKNOWN)
}

async fn fieldval_ignored_on_get_and_delete(cx: Context, things: Collection) -> Checked {
    things.create("a").await?;

    let got = cx.send(at("Strict", Request::get(things.path_of("a")))).await?;
    let listed = cx.send(at("Strict", Request::get(things.path()).query("limit", 1))).await?;
    let deleted = cx.send(at("Strict", Request::new(Method::DELETE, things.path_of("a")))).await?;

    got.expect_status(&[200])?;
    listed.expect_status(&[200])?;
    deleted.expect_status(&[200, 202])
}

async fn fieldval_ignore_succeeds_unknown(cx: Context, ClosedSchema(things): ClosedSchema) -> Checked {
    let created = cx.send(at("Ignore", post(&things, &with_unknown(&things, "a")))).await?;

    created.expect_status(&[201])?;
    expect_dropped(&things, &created, &[UNKNOWN]).await
}

async fn fieldval_ignore_succeeds_duplicate(cx: Context, things: Collection) -> Checked {
    let created = cx.send(at("Ignore", post_text(&things, &with_duplicate(&things, "a")))).await?;

    created.expect_status(&[201])?;
    things.get("a").await?.object().map(drop)
}

async fn fieldval_ignore_is_silent(cx: Context, ClosedSchema(things): ClosedSchema) -> Checked {
    let unknown = cx.send(at("Ignore", post(&things, &with_unknown(&things, "a")))).await?;
    let twice = cx.send(at("Ignore", post_text(&things, &with_duplicate(&things, "b")))).await?;

    for created in [unknown, twice] {
        created.expect_status(&[201])?;
        warning::expect_none(&created, "assay")?;
    }
    Ok(())
}
