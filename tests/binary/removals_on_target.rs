//! `kube-assay removals` and a server.

use serde_json::{Value, json};

use crate::support::http::response;
use crate::support::{Program, Proxy, Reference, Reply, kube_assay};

const V1BETA3: &str = "flowcontrol.apiserver.k8s.io/v1beta3";

fn removals(url: &str, token: &str) -> Program {
    kube_assay(&["removals", "--server", url, "--token", token])
}

/// A server that still serves flow schemas in v1beta3, and has this one.
fn serving_v1beta3(reference: &Reference, schema: &Value) -> Proxy {
    let version = json!({ "groupVersion": V1BETA3, "version": "v1beta3" });
    let group =
        json!({ "name": "flowcontrol.apiserver.k8s.io", "versions": [version], "preferredVersion": version });
    let of_type =
        json!({ "name": "flowschemas", "kind": "FlowSchema", "namespaced": false, "verbs": ["list"] });
    let documents = [
        ("/version", json!({ "major": "1", "minor": "30", "gitVersion": "v1.30.0" })),
        ("/apis", json!({ "kind": "APIGroupList", "groups": [group] })),
        (
            "/apis/flowcontrol.apiserver.k8s.io/v1beta3",
            json!({ "groupVersion": V1BETA3, "resources": [of_type] }),
        ),
        (
            "/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas",
            json!({ "kind": "PartialObjectMetadataList", "metadata": {}, "items": [schema] }),
        ),
    ];
    Proxy::before(reference, move |request| {
        let (_, path) = request.target();
        let path = path.split('?').next().unwrap_or_default();
        match documents.iter().find(|(known, _)| *known == path) {
            Some((_, document)) => {
                Reply::Bytes(response("200 OK", "application/json", &document.to_string()))
            }
            None => Reply::Pass,
        }
    })
}

fn schema(managers: &[&str], applied: &str) -> Value {
    let entry = |manager: &&str| json!({ "manager": manager, "apiVersion": V1BETA3, "operation": "Update" });
    json!({ "metadata": {
        "name": "mine",
        "managedFields": managers.iter().map(entry).collect::<Vec<_>>(),
        "annotations": { "kubectl.kubernetes.io/last-applied-configuration": applied },
    } })
}

#[test]
fn objects_show_who_uses_a_removed_version() {
    let reference = Reference::right();
    let applied = json!({ "apiVersion": V1BETA3, "kind": "FlowSchema" }).to_string();
    let proxy = serving_v1beta3(&reference, &schema(&["kubectl", "kube-apiserver", "kubectl"], &applied));
    let ended = removals(&proxy.url(), reference.token()).end();
    insta::assert_snapshot!(ended.shown());
    ended.ended_with(1);
}

#[test]
fn a_version_that_is_only_listed_breaks_nothing() {
    let reference = Reference::right();
    let proxy = serving_v1beta3(&reference, &schema(&["api-priority-and-fairness-config-producer-v1"], "{"));
    let ended = removals(&proxy.url(), reference.token()).with(&["-o", "json"]).end().ended_with(0);
    let found: Value = serde_json::from_str(&ended.out).unwrap();
    let schema = include_str!("../../reports/schema/removals.json");
    jsonschema::validate(&serde_json::from_str(schema).unwrap(), &found).unwrap();
    let of_use = &found["uses"][0];
    assert_eq!((&of_use["source"], &of_use["breaks"]), (&"discovery".into(), &false.into()));
    assert_eq!(found["uses"].as_array().unwrap().len(), 1);
    // The minor of the server is the first of the range.
    assert_eq!(found["from"], "1.30");
}

#[test]
fn the_annotation_of_kubectl_is_read_in_the_objects_of_the_reference() {
    let reference = Reference::right();
    let applied = json!({ "apiVersion": "extensions/v1beta1", "kind": "Deployment" }).to_string();
    let pod = json!({
        "metadata": { "labels": { "a": "b" } },
        "spec": { "containers": [{ "name": "a", "image": "registry.example.com/a:1" }] },
    });
    let deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment",
        "metadata": {
            "name": "old",
            "annotations": { "kubectl.kubernetes.io/last-applied-configuration": applied },
        },
        "spec": { "selector": { "matchLabels": { "a": "b" } }, "template": pod },
    });
    removals(&reference.url(), reference.token()).end().ended_with(0);
    reference.create("/apis/apps/v1/namespaces/default/deployments", &deployment);
    let ended = removals(&reference.url(), reference.token()).end().ended_with(1);
    assert!(ended.out.contains(" last applied by kubectl "), "{}", ended.out);
    assert!(ended.out.contains(" default/old "), "{}", ended.out);
}

#[test]
fn a_type_that_may_not_be_listed_is_named() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", path) if path.starts_with("/apis/apps/v1/deployments") => {
            let forbidden = r#"{"kind":"Status","code":403,"reason":"Forbidden","message":"not for you"}"#;
            Reply::Bytes(response("403 Forbidden", "application/json", forbidden))
        }
        _ => Reply::Pass,
    });
    let ended = removals(&proxy.url(), reference.token()).end().ended_with(3);
    let expected = "error: failed to list /apis/apps/v1/deployments: 403 Forbidden: not for you; hint: ";
    assert!(ended.err.starts_with(expected), "{}", ended.err);
    kube_assay(&["removals", "--server", "http://127.0.0.1:1"]).end().ended_with(3);
    kube_assay(&["removals", "--kubeconfig", "missing"]).end().ended_with(2);
}

#[test]
#[cfg(target_os = "linux")]
fn a_long_list_does_not_fill_our_memory() {
    let reference = Reference::right();
    let list = format!(r#"{{"metadata":{{}},"items":[{}{{}}]}}"#, "{},".repeat(8 << 20));
    let list = response("200 OK", "application/json", &list);
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("GET", path) if path.starts_with("/apis/apps/v1/deployments") => Reply::Bytes(list.clone()),
        _ => Reply::Pass,
    });
    let mut running = removals(&proxy.url(), reference.token()).start();
    let peak = running.peak_memory();
    assert!(peak < 300 << 20, "{} MB", peak >> 20);
    let ended = running.end().ended_with(3);
    assert!(ended.err.contains("failed to list /apis/apps/v1/deployments"), "{}", ended.err);
}
