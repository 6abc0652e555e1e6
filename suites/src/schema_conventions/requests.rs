//! Conventions that requests and discovery show.

use super::known_fields::of_kinds;
use crate::api_resources;
use crate::error_response::causes;
use crate::known_validation::WRONG_CASE;
use crate::openapi::Published;
use crate::pods::{self, Pods};
use crate::prelude::*;
use crate::validation::expect_cause;

rows![
    schema_conventions_constants_case_sensitive.with_status(),
    schema_conventions_union_at_most_one.own_kinds(),
    schema_conventions_ownerreferences_same_namespace.own_kinds(),
    schema_conventions_no_controller_kinds.own_kinds().read_only(),
];

async fn schema_conventions_constants_case_sensitive(cx: Context, collection: Collection) -> Checked {
    let (body, invalid) = WRONG_CASE.of(&collection)?;

    let response = cx.send(Request::post(collection.path(), &body)).await?;

    expect_cause(&response, invalid.field, "FieldValueNotSupported").map(drop)
}

async fn schema_conventions_union_at_most_one(cx: Context, Pods(pods): Pods) -> Checked {
    let mut pod = pods::idle(NAME);
    pod["spec"]["volumes"] = json!([{ "name": "both", "emptyDir": {}, "hostPath": { "path": "/none" } }]);

    let response = cx.send(Request::post(pods.path(), &pod)).await?;

    response.expect_error(&[422], &["Invalid"])?;
    let of_volume =
        |cause: &&Value| cause["field"].as_str().is_some_and(|field| field.starts_with("spec.volumes[0]"));
    let found = causes(&response).is_some_and(|causes| causes.iter().any(of_volume));
    response.expect(found, "a cause about spec.volumes[0]", response.text())?;
    expect_absent(&pods, NAME).await
}

const OF_OWNER: [&str; 2] = ["metadata.ownerReferences.uid", "metadata.ownerReferences[0].uid"];

async fn schema_conventions_ownerreferences_same_namespace(cx: Context, published: Published) -> Checked {
    for reference in of_kinds(&published, &["OwnerReference"])? {
        let namespace = reference.property("namespace").is_none();
        reference.expect(namespace, "no field namespace", &format!("{:?}", reference.properties()))?;
        let required = ["apiVersion", "kind", "name", "uid"].iter().all(|field| reference.requires(field));
        let actual = reference.schema["required"].to_string();
        reference.expect(required, "apiVersion, kind, name and uid among the required fields", &actual)?;
    }
    let ConfigMaps(maps) = ConfigMaps::arrange(&cx).await?;
    let mut body = maps.body(NAME, "first");
    body["metadata"]["ownerReferences"] =
        json!([{ "apiVersion": "v1", "kind": "ConfigMap", "name": "none" }]);
    let response = cx.send(Request::post(maps.path(), &body)).await?;

    response.expect_error(&[422], &["Invalid"])?;
    let of_owner = |cause: &&Value| cause["field"].as_str().is_some_and(|field| OF_OWNER.contains(&field));
    let found = causes(&response).is_some_and(|causes| causes.iter().any(of_owner));
    response.expect(found, "a cause about the uid of the owner", response.text())
}

async fn schema_conventions_no_controller_kinds(cx: Context) -> Checked {
    for (root, found) in api_resources::discovered(&cx).await? {
        for resource in api_resources::resources(&found).filter(|_| api_resources::is_of_the_project(&root)) {
            let kind = resource["kind"].as_str().unwrap_or_default();
            let right = !kind.ends_with("Controller") || kind == "ReplicationController";
            found.expect(right, "no kind that ends in Controller", kind)?;
        }
    }
    Ok(())
}
