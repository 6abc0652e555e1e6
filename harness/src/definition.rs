//! The custom resources that a run defines for itself.

mod open;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::collection::Resource;
use crate::context::Context;
use crate::fixture::RUN_LABEL;
use crate::outcome::Halt;
use crate::request::Request;

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// Defines a custom resource of ours and waits until it is served.
pub(crate) async fn define(cx: &Context, plural: &str) -> Result<Resource, Halt> {
    if !cx.survey().serves("apiextensions.k8s.io") {
        return Err(cx.lacks("CustomResources", "it does not serve apiextensions.k8s.io"));
    }
    let resource = create_definition(cx, plural).await?;
    served(cx, resource).await
}

/// Defines the custom resource that keeps what its schema does not know, and waits until it is served.
///
/// In its `spec`, `size` is a number that must be there, and `template` is an object with metadata of its own.
pub(crate) async fn define_open(cx: &Context) -> Result<Resource, Halt> {
    if !cx.survey().serves("apiextensions.k8s.io") {
        return Err(cx.lacks("CustomResources", "it does not serve apiextensions.k8s.io"));
    }
    let resource = create_with(cx, "vessels", Some(open::schema())).await?;
    served(cx, resource).await
}

/// Waits until a type is served.
async fn served(cx: &Context, resource: Resource) -> Result<Resource, Halt> {
    let served = format!("{}/{}", resource.root(), resource.plural);
    let deadline = Instant::now() + cx.patience();
    let listed = cx
        .poll(deadline, || async { Ok(cx.send(Request::get(&served)).await?.succeeded().then_some(())) })
        .await?;
    match listed {
        Some(()) => Ok(resource),
        None => {
            Err(cx.obstacle(format!("use the custom resource {served}"), "it was not served in time").into())
        }
    }
}

/// Defines a custom resource of ours; it may not be served yet.
pub(crate) async fn create_definition(cx: &Context, plural: &str) -> Result<Resource, Halt> {
    create_with(cx, plural, None).await
}

/// The same with another schema, and with a status for its only subresource.
async fn create_with(cx: &Context, plural: &str, schema: Option<Value>) -> Result<Resource, Halt> {
    let shared = cx.shared();
    let resource = Resource {
        group: format!("{}.kube-assay.dev", shared.id),
        version: "v1".to_owned(),
        plural: plural.to_owned(),
        kind: format!("{}{}", plural[..1].to_uppercase(), &plural[1..]),
    };
    let name = format!("{plural}.{}", resource.group);
    shared.fixtures.register_object(&format!("{DEFINITIONS}/{name}"));
    let mut body = definition(&name, &resource, &shared.id);
    if let Some(schema) = schema {
        let version = &mut body["spec"]["versions"][0];
        version["schema"]["openAPIV3Schema"] = schema;
        version["subresources"] = json!({ "status": {} });
    }
    let created = cx.send(Request::post(DEFINITIONS, &body)).await?;
    match created.status() {
        201 => Ok(resource),
        _ => Err(cx.obstacle(format!("define the custom resource {name}"), created.brief()).into()),
    }
}

fn definition(name: &str, resource: &Resource, run: &str) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": { "name": name, "labels": { "app.kubernetes.io/managed-by": "kube-assay", RUN_LABEL: run } },
        "spec": {
            "group": resource.group,
            "scope": "Namespaced",
            "names": { "plural": resource.plural, "singular": resource.kind.to_lowercase() + "-one", "kind": resource.kind, "listKind": format!("{}List", resource.kind) },
            "versions": [{
                "name": resource.version,
                "served": true,
                "storage": true,
                "schema": { "openAPIV3Schema": {
                    "type": "object",
                    "properties": {
                        "spec": { "type": "object", "properties": { "value": { "type": "string" } } },
                        "status": { "type": "object", "x-kubernetes-preserve-unknown-fields": true },
                    },
                } },
                "subresources": { "status": {} },
            }],
        },
    })
}
