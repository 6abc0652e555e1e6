//! Deprecated fields and values: they work until their version ends.

use crate::pods::{self, Pods};
use crate::prelude::*;
use crate::verbs::or_note;

rows![
    deprecation_field_lives_until_version_ends.own_kinds(),
    deprecation_enum_value_lives_until_version_ends.own_kinds(),
];

/// A create that stores nothing, in strict field validation; not yet sent.
fn create(path: &str, body: &Value) -> Request {
    Request::post(path, body).query("dryRun", "All").query("fieldValidation", "Strict")
}

/// The response to a create. Skips where the user may not, or a policy of the operator forbids it.
async fn send(cx: &Context, path: &str, body: &Value) -> Result<Arc<Exchange>, Halt> {
    let created = cx.send(create(path, body)).await?;
    Halt::skip_unless(created.status() != 403, created.brief())?;
    created.expect_status(&[201])?;
    Ok(created)
}

async fn deprecation_field_lives_until_version_ends(cx: Context) -> Checked {
    let checks = [or_note(&cx, account(&cx).await)?, or_note(&cx, address(&cx).await)?];
    Halt::skip_unless(checks.iter().any(Option::is_some), "neither Pods nor Services can be created")
}

/// `spec.serviceAccount` of a Pod is `serviceAccountName` by its older name.
async fn account(cx: &Context) -> Checked {
    let Pods(pods) = Pods::arrange(cx).await?;
    let mut pod = pods::idle(NAME);
    pod["spec"]["serviceAccount"] = "default".into();
    let created = send(cx, &pods.path(), &pod).await?;
    created.expect_values(&[
        ("/spec/serviceAccount", "default".into()),
        ("/spec/serviceAccountName", "default".into()),
    ])
}

/// `spec.loadBalancerIP` of a Service is as it was written.
async fn address(cx: &Context) -> Checked {
    let services = cx.collection(Resource::core("services", "Service")).await?;
    let service = json!({
        "apiVersion": "v1", "kind": "Service", "metadata": { "name": NAME },
        "spec": { "type": "LoadBalancer", "loadBalancerIP": "192.0.2.7", "ports": [{ "port": 80 }] },
    });
    let created = send(cx, &services.path(), &service).await?;
    created.expect_value("/spec/loadBalancerIP", &"192.0.2.7".into())
}

async fn deprecation_enum_value_lives_until_version_ends(cx: Context) -> Checked {
    let checks = [or_note(&cx, address_type(&cx).await)?, or_note(&cx, reclaim_policy(&cx).await)?];
    Halt::skip_unless(checks.iter().any(Option::is_some), "neither EndpointSlices nor volumes can be created")
}

async fn address_type(cx: &Context) -> Checked {
    let slices =
        cx.collection(Resource::of("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice")).await?;
    let slice = json!({
        "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "metadata": { "name": NAME },
        "addressType": "FQDN", "endpoints": [{ "addresses": ["a.example.com"] }],
    });
    send(cx, &slices.path(), &slice).await?.expect_value("/addressType", &"FQDN".into())
}

async fn reclaim_policy(cx: &Context) -> Checked {
    let volumes = Resource::core("persistentvolumes", "PersistentVolume");
    cx.require_listed(&volumes).await?;
    let volume = json!({
        "apiVersion": "v1", "kind": "PersistentVolume",
        "metadata": { "name": cx.own_name("recycled"), "labels": cx.own_labels() },
        "spec": {
            "capacity": { "storage": "1Gi" }, "accessModes": ["ReadWriteOnce"],
            "persistentVolumeReclaimPolicy": "Recycle", "hostPath": { "path": "/none" },
        },
    });
    let created = send(cx, "/api/v1/persistentvolumes", &volume).await?;
    created.expect_value("/spec/persistentVolumeReclaimPolicy", &"Recycle".into())
}
