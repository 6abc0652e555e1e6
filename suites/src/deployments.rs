//! The fixture of Deployments, which no controller acts on.

use crate::prelude::*;

/// The type.
fn resource() -> Resource {
    Resource::of("apps", "v1", "deployments", "Deployment")
}

/// Those of the scenario's namespace. Skips where the server has none.
pub(crate) async fn collection(cx: &Context) -> Result<Collection, Halt> {
    cx.collection(resource()).await
}

/// A Deployment of no replicas with one container, `a`; not yet sent.
pub(crate) fn body(name: &str) -> Value {
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": { "name": name },
        "spec": {
            "replicas": 0,
            "paused": true,
            "selector": { "matchLabels": { "assay": name } },
            "template": {
                "metadata": { "labels": { "assay": name } },
                "spec": { "containers": [{ "name": "a", "image": "kube-assay.invalid/a:1" }] },
            },
        },
    })
}
