//! What a dry run is refused for: all that the real request is.

use harness::{Context, Exchange, Halt, Request, Suite};
use serde_json::{Value, json};

use super::dry;
use crate::stored::{NAME, Stored};

/// A uid that no object has.
const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("dryrun-runs-request-stages", every_stage_is_gone_through)
        .scenario("dryrun-validation-error", an_invalid_object_is_refused_in_the_same_words)
        .on_every_shape()
        .scenario("dryrun-conflict-detected", an_outdated_version_is_a_conflict)
        .on_every_shape()
        .scenario("dryrun-create-existing-409", a_taken_name_is_refused)
        .on_every_shape()
        .scenario("dryrun-update-missing-404", what_is_not_there_is_not_found)
        .on_every_shape()
        .scenario("dryrun-delete-precondition-409", a_premise_of_a_deletion_is_checked)
        .on_every_shape()
}

/// Adds the scenario about schemas.
pub(super) fn add_custom(suite: Suite) -> Suite {
    suite.scenario("dryrun-schema-validated", an_object_against_its_schema_is_refused)
}

/// An object that no server stores.
fn invalid(mut body: Value) -> Value {
    body["metadata"]["labels"]["assay"] = "with a space".into();
    body
}

async fn every_stage_is_gone_through(cx: Context) -> Result<(), Halt> {
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

async fn an_invalid_object_is_refused_in_the_same_words(cx: Context) -> Result<(), Halt> {
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

async fn an_outdated_version_is_a_conflict(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    stored.write("second").await?;

    let tried = cx.send(dry(Request::put(stored.path(), &stored.body("third")))).await?;

    tried.expect_error(&[409], &["Conflict"]).map(drop)
}

async fn a_taken_name_is_refused(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let create = Request::post(stored.things.path(), &stored.things.body(NAME, "second"));
    let tried = cx.send(dry(create)).await?;

    tried.expect_error(&[409], &["AlreadyExists"]).map(drop)
}

async fn what_is_not_there_is_not_found(cx: Context) -> Result<(), Halt> {
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

async fn a_premise_of_a_deletion_is_checked(cx: Context) -> Result<(), Halt> {
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

async fn an_object_against_its_schema_is_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.custom_resources().await?;
    let mut body = things.body(NAME, "first");
    // A text by its schema.
    body["spec"]["value"] = 7.into();

    let tried = cx.send(dry(Request::post(things.path(), &body))).await?;

    tried.expect_error(&[422], &["Invalid"])?;
    things.get(NAME).await?.expect_status(&[404])
}
