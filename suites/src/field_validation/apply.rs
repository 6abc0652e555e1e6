//! Field validation of applies.

use super::{TWICE, UNKNOWN, at, duplicated, warning, with_unknown};
use crate::patch_types;
use crate::prelude::*;

rows![
    fieldval_strict_apply_unknown,
    fieldval_apply_unknown_not_relaxed_by_ignore,
    fieldval_strict_apply_duplicate_400,
];

const MANAGER: &str = "kube-assay";

/// Applies the object `a`. Skips where the server does not apply.
async fn apply(
    cx: &Context,
    collection: &Collection,
    level: &str,
    body: &str,
) -> Result<Arc<Exchange>, Halt> {
    let request = patch_types::raw_patch(collection, "a", APPLY, body).query("fieldManager", MANAGER);
    let response = cx.send(at(level, request)).await?;
    patch_types::applies(cx, &response)?;
    Ok(response)
}

async fn fieldval_strict_apply_unknown(cx: Context, collection: ClosedSchema) -> Checked {
    let refused = apply(&cx, &collection, "Strict", &with_unknown(&collection, "a").to_string()).await?;

    expect_unknown(&refused)?;
    expect_absent(&collection, "a").await
}

/// Any error: kube-apiserver returns 500.
fn expect_unknown(refused: &Exchange) -> Checked {
    refused.expect(refused.status() >= 400, format!("an error because of {UNKNOWN}"), refused.brief())
}

async fn fieldval_apply_unknown_not_relaxed_by_ignore(cx: Context, collection: ClosedSchema) -> Checked {
    let body = with_unknown(&collection, "a").to_string();

    for level in ["Ignore", "Warn"] {
        let response = apply(&cx, &collection, level, &body).await?;
        if !response.succeeded() {
            expect_unknown(&response)?;
            continue;
        }
        // By the text of these levels, the server may drop the field, which then has no owner.
        let object = response.object()?;
        let fields = [&object.json()[UNKNOWN], &owned(object.json())[format!("f:{UNKNOWN}")]];
        let dropped = fields.iter().all(|field| field.is_null());
        response.expect(dropped, format!("neither {UNKNOWN} nor an owner of it"), response.text())?;
        collection.delete("a").await?;
    }
    Ok(())
}

/// The fields that the manager owns.
fn owned(object: &Value) -> &Value {
    let entries = object["metadata"]["managedFields"].as_array();
    let own = entries.into_iter().flatten().find(|entry| entry["manager"] == MANAGER);
    own.map_or(&Value::Null, |entry| &entry["fieldsV1"])
}

async fn fieldval_strict_apply_duplicate_400(cx: Context, collection: Collection) -> Checked {
    let twice = duplicated(collection.body("a", "first"));

    let refused = apply(&cx, &collection, "Strict", &twice).await?;
    refused.expect_error(&[400], &["BadRequest"])?;
    expect_absent(&collection, "a").await?;

    let warned = apply(&cx, &collection, "Warn", &twice).await?;
    warned.expect_status(&[200, 201])?;
    warning::expect(&warned, TWICE)
}
