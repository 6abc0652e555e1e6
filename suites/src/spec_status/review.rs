//! Review kinds, such as `SelfSubjectAccessReview`.

use crate::access_review;
use crate::prelude::*;

rows![spec_status_rpc_kinds_spec_in_status_out.own_kinds(), spec_status_rpc_kinds_create_only.own_kinds()];

async fn spec_status_rpc_kinds_spec_in_status_out(cx: Context) -> Checked {
    let attributes = json!({ "verb": "get", "resource": "configmaps", "namespace": "default" });
    let review = json!({
        "apiVersion": access_review::resource().api_version(),
        "kind": access_review::resource().kind,
        "spec": { "resourceAttributes": attributes },
    });

    let response = cx.send(Request::post(access_review::path(&cx).await?, &review)).await?;

    response.expect_status(&[200, 201])?;
    let returned = response.json().unwrap_or(&Value::Null);
    for field in ["kind", "apiVersion"] {
        let (expected, actual) = (&review[field], &returned[field]);
        response.expect(actual == expected, format!("{field} {expected}"), actual.to_string())?;
    }
    let actual = &returned["spec"]["resourceAttributes"];
    let expected = format!("the resourceAttributes {attributes} of the request");
    response.expect(*actual == attributes, expected, actual.to_string())?;
    let allowed = &returned["status"]["allowed"];
    response.expect(allowed.is_boolean(), "status.allowed true or false", allowed.to_string())
}

async fn spec_status_rpc_kinds_create_only(cx: Context) -> Checked {
    let (path, reviews) = (access_review::path(&cx).await?, access_review::resource());

    let listed = cx.send(Request::get(path)).await?;
    let discovered = cx.send(Request::get(reviews.root())).await?;

    listed.expect_rejection(&[404, 405])?;
    let resources = discovered.json().and_then(|json| json["resources"].as_array());
    let entry = resources.into_iter().flatten().find(|resource| resource["name"] == reviews.plural);
    let verbs = entry.map(|entry| entry["verbs"].clone()).unwrap_or_default();
    let expected = format!("the verb create of {}", reviews.plural);
    discovered.expect(verbs == json!(["create"]), expected, verbs.to_string())
}
