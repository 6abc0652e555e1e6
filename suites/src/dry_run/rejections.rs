//! Rejected dry runs: the same errors as of the real request.

use super::dry;
use super::parameter::writes;
use crate::missing_namespace::skip_if_provided;
use crate::object_fixture::NO_UID;
use crate::prelude::*;
use crate::rejections::rejected;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![
        row!(dryrun_runs_request_stages).namespaced(),
        row!(dryrun_validation_error),
        row!(dryrun_update_missing_404),
    ];
    [
        own,
        vec![
            rejected("dryrun-conflict-detected", &[409], |Outdated(a, _): &Outdated| dry(a.put_with(|_| ())))
                .reason("Conflict")
                .response_only()
                .row(),
            rejected("dryrun-create-existing-409", &[409], |a: &StoredObject| {
                dry(Request::post(a.collection.path(), &a.collection.body(NAME, "second")))
            })
            .reason("AlreadyExists")
            .response_only()
            .row(),
            rejected("dryrun-delete-precondition-409", &[409], |Outdated(a, _): &Outdated| {
                [json!({ "uid": NO_UID }), json!({ "resourceVersion": a.read.version() })]
                    .map(|premise| a.delete(&json!({ "dryRun": ["All"], "preconditions": premise })))
            })
            .reason("Conflict")
            .row(),
            rejected("dryrun-other-values-rejected", &[400, 422], |a: &StoredObject| {
                let writes = writes(a).map(|(request, _)| request);
                let of = |value: &&str| {
                    let body = a.delete(&json!({ "dryRun": [value] }));
                    writes.clone().map(|request| request.query("dryRun", value)).into_iter().chain([body])
                };
                ["all", "true", "Server"].iter().flat_map(of).collect::<Vec<_>>()
            })
            .none_called(&["b"])
            .row(),
            rejected("dryrun-schema-validated", &[422], |collection: &CustomResources| {
                // The schema has a string.
                vec![dry(post_with(collection, NAME, |body| body["spec"]["value"] = 7.into()))]
            })
            .reason("Invalid")
            .row()
            .own_kinds(),
        ],
    ]
    .concat()
}

/// The object with an invalid label.
fn invalid(mut body: Value) -> Value {
    body["metadata"]["labels"]["assay"] = "with a space".into();
    body
}

async fn dryrun_runs_request_stages(cx: Context, stored: StoredObject) -> Checked {
    stored.write("second").await?;
    let collection = &stored.collection;
    let nowhere = collection.within(&format!("{}-none", cx.namespace().await?));
    let mut requests = vec![
        (Request::post(collection.path(), &invalid(collection.body("b", "first"))), 422),
        (Request::put(stored.path(), &stored.body("third")), 409),
    ];
    if cx.has_namespaces() {
        requests.push((Request::post(nowhere.path(), &nowhere.body("b", "first")), 404));
    }

    for (request, status) in requests {
        let tried = cx.send(dry(request)).await?;

        if status == 404 {
            skip_if_provided(&tried, &cx, collection).await?;
        }
        tried.expect_rejection(&[status])?;
    }
    Ok(())
}

async fn dryrun_validation_error(cx: Context, collection: Collection) -> Checked {
    let create = Request::post(collection.path(), &invalid(collection.body(NAME, "first")));

    let tried = cx.send(dry(create.clone())).await?;
    let real = cx.send(create).await?;

    tried.expect_error(&[422], &["Invalid"])?;
    real.expect_error(&[422], &["Invalid"])?;
    let (actual, expected) = (causes(&tried), causes(&real));
    tried.expect(
        actual == expected,
        format!("the causes {expected:?}, as without dryRun"),
        format!("{actual:?}"),
    )
}

/// The causes of a Status, without duplicates, which are legal.
fn causes(refused: &Exchange) -> Vec<String> {
    let status = refused.json().cloned().unwrap_or_default();
    let causes = status["details"]["causes"].as_array().cloned().unwrap_or_default();
    let mut causes: Vec<_> =
        causes.iter().map(|cause| format!("{} {}", cause["field"], cause["reason"])).collect();
    causes.sort_unstable();
    causes.dedup();
    causes
}

async fn dryrun_update_missing_404(cx: Context, collection: Collection) -> Checked {
    let path = collection.path_of(NAME);

    for request in [Request::merge_patch(&path, &collection.change("first")), Request::delete(&path)] {
        let tried = cx.send(dry(request)).await?;

        tried.expect_rejection(&[404])?;
    }
    // An update may create a missing object: the dry run returns the same code.
    let put = Request::put(&path, &collection.body(NAME, "first"));
    let tried = cx.send(dry(put.clone())).await?;
    collection.get(NAME).await?.expect_status(&[404])?;
    let real = cx.send(put).await?;
    real.expect_status(&[201, 404, 422])?;
    tried.expect_status(&[real.status()])
}
