//! Validation on receipt, with all errors at once.

use harness::{Checked, Collection, Context, Request, Row, row};
use serde_json::{Value, json};

use crate::error_response::causes;
use crate::names;
use crate::object_fixture::{NAME, Stored};

/// The scenarios of this file.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row("validation-on-receipt", validation_on_receipt),
        row("validation-failure-reason-invalid", validation_failure_reason_invalid),
        row("validation-reports-all-errors", validation_reports_all_errors),
        row("validation-string-length-checked", validation_string_length_checked),
    ]
}

/// An object with a label that no label may be; not yet sent.
fn labelled_badly(things: &Collection, name: &str) -> Value {
    let mut body = things.body(name, "second");
    body["metadata"]["labels"]["assay"] = "with a space".into();
    body
}

/// A create, an update and a patch that are all invalid.
fn invalid(stored: &Stored) -> [Request; 3] {
    let mut put = labelled_badly(&stored.things, NAME);
    put["metadata"]["resourceVersion"] = stored.read.version().into();
    let patch = json!({ "metadata": { "labels": { "assay": "with a space" } } });
    [
        Request::post(stored.things.path(), &labelled_badly(&stored.things, "b")),
        Request::put(stored.path(), &put),
        Request::merge_patch(stored.path(), &patch),
    ]
}

async fn validation_on_receipt(cx: Context) -> Checked {
    let stored = Stored::create(&cx).await?;

    for request in invalid(&stored) {
        let refused = cx.send(request).await?;

        let code = refused.status();
        refused.expect((400..500).contains(&code), "a refusal with 4xx", refused.brief())?;
    }
    stored.things.get("b").await?.expect_status(&[404])?;
    stored.expect_unchanged().await
}

async fn validation_failure_reason_invalid(cx: Context) -> Checked {
    let stored = Stored::create(&cx).await?;

    for request in invalid(&stored) {
        let refused = cx.send(request).await?;

        let status = refused.expect_error(&[422], &["Invalid"])?;
        refused.expect(status["status"] == "Failure", "status Failure", status["status"].to_string())?;
    }
    Ok(())
}

async fn validation_reports_all_errors(cx: Context) -> Checked {
    let things = cx.things().await?;
    let mut body = labelled_badly(&things, NAME);
    body["metadata"]["labels"]["assay-other"] = "as bad".into();
    body["metadata"]["annotations"]["with a space"] = "text".into();

    let refused = cx.send(Request::post(things.path(), &body)).await?;

    refused.expect_error(&[422], &["Invalid"])?;
    let told = causes(&refused).map_or(0, |causes| causes.len());
    refused.expect(told >= 3, "three causes: two labels and an annotation", refused.text())
}

async fn validation_string_length_checked(cx: Context) -> Checked {
    let things = cx.things().await?;
    let mut labelled = things.body(NAME, "first");
    labelled["metadata"]["labels"]["assay"] = "x".repeat(64).into();
    let mut held = things.body(NAME, "first");
    held["metadata"]["finalizers"] = json!([format!("kube-assay.dev/{}", "x".repeat(300))]);
    let mut bodies = vec![labelled, held];
    // Names that are steps of a path may be as long as can be stored.
    if names::reason_for_other_names(things.resource()).is_none() {
        let mut named = things.body(NAME, "first");
        named["metadata"]["name"] = "x".repeat(254).into();
        bodies.push(named);
    }

    for body in bodies {
        let refused = cx.send(Request::post(things.path(), &body)).await?;

        refused.expect_error(&[422], &["Invalid"])?;
    }
    things.get(NAME).await?.expect_status(&[404])
}
