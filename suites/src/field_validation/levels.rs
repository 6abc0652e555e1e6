//! The levels Ignore, Warn and Strict of `fieldValidation`, and its default.

use super::{LEVELS, UNKNOWN, at, post, post_text, warning, with_duplicate, with_unknown};
use crate::patch_types;
use crate::prelude::*;

rows![
    fieldval_levels_accepted,
    fieldval_applies_to_post_put_patch,
    fieldval_set_by_query_parameter,
    fieldval_ignored_on_get_and_delete,
    fieldval_ignore_succeeds_duplicate,
    fieldval_ignore_is_silent,
];

/// The names of objects, one for each level.
const NAMES: [&str; 3] = ["a", "b", "c"];

async fn fieldval_levels_accepted(cx: Context, collection: Collection) -> Checked {
    for (name, level) in NAMES.into_iter().zip(LEVELS) {
        let created = cx.send(at(level, post(&collection, &collection.body(name, "first")))).await?;
        created.expect_status(&[201])?;
    }
    Ok(())
}

async fn fieldval_applies_to_post_put_patch(cx: Context, collection: ClosedSchema) -> Checked {
    let created = cx.send(at("Warn", post(&collection, &with_unknown(&collection, "a")))).await?;
    created.expect_status(&[201])?;
    warning::expect(&created, UNKNOWN)?;

    let mut body = collection.get("a").object().await?.json().clone();
    body[UNKNOWN] = json!(1);
    let updated = cx.send(at("Warn", Request::put(collection.path_of("a"), &body))).await?;
    updated.expect_status(&[200])?;
    warning::expect(&updated, UNKNOWN)?;

    for (form, body) in patches() {
        let patched = cx.send(at("Warn", patch_types::patch(&collection, "a", form, &body))).await?;
        // Custom resources have no strategic merge patches.
        if patched.status() == 415 && form == STRATEGIC {
            continue;
        }
        patched.expect_status(&[200])?;
        warning::expect(&patched, UNKNOWN)?;
    }
    Ok(())
}

/// A patch of each type except apply, with an unknown field.
pub(super) fn patches() -> [(&'static str, Value); 3] {
    let merge = json!({ UNKNOWN: 1 });
    let list = json!([{ "op": "add", "path": format!("/{UNKNOWN}"), "value": 1 }]);
    [(MERGE, merge.clone()), (STRATEGIC, merge), (JSON, list)]
}

async fn fieldval_set_by_query_parameter(cx: Context, collection: ClosedSchema) -> Checked {
    let ignored = cx.send(at("Ignore", post(&collection, &with_unknown(&collection, "a")))).await?;
    let warned = cx.send(at("Warn", post(&collection, &with_unknown(&collection, "b")))).await?;

    ignored.expect_status(&[201])?;
    warned.expect_status(&[201])?;
    warning::expect_none(&ignored, UNKNOWN)?;
    warning::expect(&warned, UNKNOWN)
}

async fn fieldval_ignored_on_get_and_delete(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;

    let got = cx.send(at("Strict", Request::get(collection.path_of("a")))).await?;
    let listed = cx.send(at("Strict", Request::get(collection.path()).query("limit", 1))).await?;
    let deleted = cx.send(at("Strict", Request::new(Method::DELETE, collection.path_of("a")))).await?;

    got.expect_status(&[200])?;
    listed.expect_status(&[200])?;
    deleted.expect_status(&[200, 202])
}

async fn fieldval_ignore_succeeds_duplicate(cx: Context, collection: Collection) -> Checked {
    let created = cx.send(at("Ignore", post_text(&collection, &with_duplicate(&collection, "a")))).await?;

    created.expect_status(&[201])?;
    collection.get("a").await?.object().map(drop)
}

async fn fieldval_ignore_is_silent(cx: Context, collection: ClosedSchema) -> Checked {
    let unknown = cx.send(at("Ignore", post(&collection, &with_unknown(&collection, "a")))).await?;
    let twice = cx.send(at("Ignore", post_text(&collection, &with_duplicate(&collection, "b")))).await?;

    for created in [unknown, twice] {
        created.expect_status(&[201])?;
        warning::expect_none(&created, "assay")?;
    }
    Ok(())
}
