//! `SubjectAccessReview`, a virtual resource type.

use crate::prelude::*;

rows![
    resource_uris_subjectaccessreview.own_kinds(),
    resource_uris_virtual_types.own_kinds(),
    resource_uris_virtual_no_unique_name.own_kinds(),
];

fn resource() -> Resource {
    Resource::of("authorization.k8s.io", "v1", "subjectaccessreviews", "SubjectAccessReview")
}

fn path() -> String {
    format!("{}/{}", resource().root(), resource().plural)
}

/// The response to a review without a name. Skips where the server has no reviews, or we may not create them.
async fn review(cx: &Context) -> Result<Arc<Exchange>, Halt> {
    if !cx.discovers(&resource()).await? {
        return Err(cx.lacks("AuthorizationAPI", format!("discovery does not list {}", resource().plural)));
    }
    let attributes = json!({ "verb": "get", "resource": "configmaps", "namespace": "default" });
    let review = json!({
        "apiVersion": resource().api_version(), "kind": resource().kind,
        "spec": { "user": "kube-assay-reviewed", "resourceAttributes": attributes },
    });
    let response = cx.send(Request::post(path(), &review)).await?;
    Halt::skip_unless(response.status() != 403, "the user of kube-assay may not create reviews")?;
    Ok(response)
}

async fn resource_uris_subjectaccessreview(cx: Context) -> Checked {
    let response = review(&cx).await?;

    response.expect_status(&[201])?;
    let status = response.json().map(|review| review["status"].clone()).unwrap_or_default();
    response.expect(status["allowed"].is_boolean(), "status.allowed true or false", status.to_string())
}

async fn resource_uris_virtual_types(cx: Context) -> Checked {
    for _ in 0..2 {
        review(&cx).await?.expect_status(&[201])?;
    }
    cx.send(Request::get(path())).await?.expect_status(&[404, 405])
}

async fn resource_uris_virtual_no_unique_name(cx: Context) -> Checked {
    review(&cx).await?.expect_status(&[201])
}
