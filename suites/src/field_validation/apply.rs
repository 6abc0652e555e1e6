//! Applies: unknown fields are an error at every level, and duplicate ones are where they are to be.

use std::sync::Arc;

use harness::{Collection, Context, Exchange, Halt, Suite};
use serde_json::Value;

use super::{TWICE, UNKNOWN, at, duplicated, warning, with_unknown};
use crate::forms::{self, APPLY};
use crate::unchanged::expect_absent;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("fieldval-strict-apply-unknown", an_apply_of_an_unknown_field_is_refused)
        .on_every_shape()
        .scenario("fieldval-apply-unknown-not-relaxed-by-ignore", no_level_gives_away_what_is_not_there)
        .on_every_shape()
        .scenario("fieldval-strict-apply-duplicate-400", an_apply_of_a_duplicate_field_is_refused)
        .on_every_shape()
}

const MANAGER: &str = "kube-assay";

/// Applies to the object `a`, which is not there. Skips where the server does not apply.
async fn apply(cx: &Context, things: &Collection, level: &str, body: &str) -> Result<Arc<Exchange>, Halt> {
    let request = forms::raw_patch(things, "a", APPLY, body).query("fieldManager", MANAGER);
    let answer = cx.send(at(level, request)).await?;
    forms::applies(cx, &answer)?;
    Ok(answer)
}

async fn an_apply_of_an_unknown_field_is_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let refused = apply(&cx, &things, "Strict", &with_unknown(&things, "a").to_string()).await?;

    expect_unknown(&refused)?;
    expect_absent(&things, "a").await
}

/// Any error: kube-apiserver answers 500.
fn expect_unknown(refused: &Exchange) -> Result<(), Halt> {
    refused.expect(refused.status() >= 400, format!("an error: {UNKNOWN} is in no schema"), refused.brief())
}

async fn no_level_gives_away_what_is_not_there(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let body = with_unknown(&things, "a").to_string();

    for level in ["Ignore", "Warn"] {
        let answer = apply(&cx, &things, level, &body).await?;
        if !answer.succeeded() {
            expect_unknown(&answer)?;
            continue;
        }
        // By the text of these levels the field may be dropped; it cannot be anybody's then.
        let object = answer.object()?;
        let fields = [&object.json()[UNKNOWN], &owned(object.json())[format!("f:{UNKNOWN}")]];
        let nowhere = fields.iter().all(|field| field.is_null());
        answer.expect(nowhere, format!("neither {UNKNOWN} nor an owner of it"), answer.text())?;
        things.delete("a").await?;
    }
    Ok(())
}

/// The fields that our manager owns.
fn owned(object: &Value) -> &Value {
    let entries = object["metadata"]["managedFields"].as_array();
    let own = entries.into_iter().flatten().find(|entry| entry["manager"] == MANAGER);
    own.map_or(&Value::Null, |entry| &entry["fieldsV1"])
}

async fn an_apply_of_a_duplicate_field_is_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let twice = duplicated(things.body("a", "first"));

    let refused = apply(&cx, &things, "Strict", &twice).await?;
    refused.expect_error(&[400], &["BadRequest"])?;
    expect_absent(&things, "a").await?;

    let warned = apply(&cx, &things, "Warn", &twice).await?;
    warned.expect_status(&[200, 201])?;
    warning::expect(&warned, TWICE)
}
