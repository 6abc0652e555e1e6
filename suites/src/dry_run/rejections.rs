//! Rejected dry runs: the same errors as of the real request.

use harness::{Checked, Context, Exchange, Request, Row, row};
use serde_json::{Value, json};

use super::dry;
use crate::object_fixture::{NAME, Stored};

/// A uid that no object has.
const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

/// The scenarios of this part.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row("dryrun-runs-request-stages", dryrun_runs_request_stages).namespaced(),
        row("dryrun-validation-error", dryrun_validation_error),
        row("dryrun-conflict-detected", dryrun_conflict_detected),
        row("dryrun-create-existing-409", dryrun_create_existing_409),
        row("dryrun-update-missing-404", dryrun_update_missing_404),
        row("dryrun-delete-precondition-409", dryrun_delete_precondition_409),
    ]
}

/// The scenario about schemas.
pub(super) fn custom_rows() -> Vec<Row> {
    vec![row("dryrun-schema-validated", dryrun_schema_validated).own_kinds()]
}

/// An object that no server stores.
fn invalid(mut body: Value) -> Value {
    body["metadata"]["labels"]["assay"] = "with a space".into();
    body
}

async fn dryrun_runs_request_stages(cx: Context) -> Checked {
    let stored = Stored::create(&cx).await?;
    stored.write("second").await?;
    let things = &stored.things;
    let nowhere = things.within(&format!("{}-none", cx.namespace().await?));
    let mut requests = vec![
        (Request::post(things.path(), &invalid(things.body("b", "first"))), 422),
        (Request::put(stored.path(), &stored.body("third")), 409),
    ];
    if cx.has_namespaces() {
        requests.push((Request::post(nowhere.path(), &nowhere.body("b", "first")), 404));
    }

    for (request, status) in requests {
        let tried = cx.send(dry(request)).await?;

        tried.expect_refusal(&[status])?;
    }
    Ok(())
}

async fn dryrun_validation_error(cx: Context) -> Checked {
    let things = cx.things().await?;
    let create = Request::post(things.path(), &invalid(things.body(NAME, "first")));

    let tried = cx.send(dry(create.clone())).await?;
    let real = cx.send(create).await?;

    tried.expect_error(&[422], &["Invalid"])?;
    let (shown, expected) = (causes(&tried), causes(&real));
    tried.expect(
        shown == expected,
        format!("the causes {expected:?}, as without dryRun"),
        format!("{shown:?}"),
    )
}

/// What is said to be wrong, each cause once: one may be given twice.
fn causes(refused: &Exchange) -> Vec<String> {
    let status = refused.json().cloned().unwrap_or_default();
    let causes = status["details"]["causes"].as_array().cloned().unwrap_or_default();
    let mut causes: Vec<_> =
        causes.iter().map(|cause| format!("{} {}", cause["field"], cause["reason"])).collect();
    causes.sort_unstable();
    causes.dedup();
    causes
}

async fn dryrun_conflict_detected(cx: Context) -> Checked {
    let stored = Stored::create(&cx).await?;
    stored.write("second").await?;

    let tried = cx.send(dry(Request::put(stored.path(), &stored.body("third")))).await?;

    tried.expect_error(&[409], &["Conflict"]).map(drop)
}

async fn dryrun_create_existing_409(cx: Context) -> Checked {
    let stored = Stored::create(&cx).await?;

    let create = Request::post(stored.things.path(), &stored.things.body(NAME, "second"));
    let tried = cx.send(dry(create)).await?;

    tried.expect_error(&[409], &["AlreadyExists"]).map(drop)
}

async fn dryrun_update_missing_404(cx: Context) -> Checked {
    let things = cx.things().await?;
    let path = things.path_of(NAME);

    for request in [Request::merge_patch(&path, &things.change("first")), Request::delete(&path)] {
        let tried = cx.send(dry(request)).await?;

        tried.expect_refusal(&[404])?;
    }
    // An update may create what is not there, and then it would create it.
    let put = Request::put(&path, &things.body(NAME, "first"));
    let tried = cx.send(dry(put.clone())).await?;
    things.get(NAME).await?.expect_status(&[404])?;
    let real = cx.send(put).await?;
    tried.expect_status(&[real.status()])?;
    real.expect_status(&[201, 404, 422])
}

async fn dryrun_delete_precondition_409(cx: Context) -> Checked {
    let stored = Stored::create(&cx).await?;
    stored.write("second").await?;
    let changed = stored.again().await?;
    let premises = [json!({ "uid": NOBODY }), json!({ "resourceVersion": stored.read.version() })];

    for premise in premises {
        let tried = cx.send(stored.delete(&json!({ "dryRun": ["All"], "preconditions": premise }))).await?;

        tried.expect_error(&[409], &["Conflict"])?;
    }
    changed.expect_unchanged().await
}

async fn dryrun_schema_validated(cx: Context) -> Checked {
    let things = cx.custom_resources().await?;
    let mut body = things.body(NAME, "first");
    // A text by its schema.
    body["spec"]["value"] = 7.into();

    let tried = cx.send(dry(Request::post(things.path(), &body))).await?;

    tried.expect_error(&[422], &["Invalid"])?;
    things.get(NAME).await?.expect_status(&[404])
}
