//! Dry runs and admission policies.

use super::dry;
use crate::prelude::*;

const GROUP: &str = "admissionregistration.k8s.io";

rows![dryrun_validating_admission_after_mutation.own_kinds(), dryrun_builtin_admission_supports.own_kinds()];

/// A claim of storage without a provisioner, to which the server adds a finalizer.
fn claim(name: &str, labels: &Value) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": { "name": name, "labels": labels },
        "spec": {
            "accessModes": ["ReadWriteOnce"], "storageClassName": "", "resources": { "requests": { "storage": "1Gi" } },
        },
    })
}

async fn dryrun_validating_admission_after_mutation(cx: Context) -> Checked {
    let claims = cx.collection(Resource::core("persistentvolumeclaims", "PersistentVolumeClaim")).await?;
    let try_out = |name: &str, labels: Value| dry(Request::post(claims.path(), &claim(name, &labels)));
    if !cx.target_info().serves(GROUP) {
        return Err(cx.lacks("AdmissionPolicy", format!("it does not serve {GROUP}")));
    }
    let before = cx.send(try_out("a", json!({}))).await?;
    let added = before.json().is_some_and(|claim| claim["metadata"]["finalizers"].is_array());
    if !before.succeeded() || !added {
        let reason = format!("the server adds no finalizer to a PersistentVolumeClaim: {}", before.brief());
        return Err(Halt::Skipped(reason));
    }
    reject_finalizers(&cx).await?;
    let in_force = cx.eventually(|| async {
        let marked = cx.send(try_out("b", json!({ "assay-marked": "yes" }))).await?;
        Ok((!marked.succeeded()).then_some(()))
    });
    in_force.await?.ok_or_else(|| Halt::skip("an admission policy does not come into force in time"))?;

    let tried = cx.send(try_out("a", json!({}))).await?;

    let refused = (400..500).contains(&tried.status());
    tried.expect(refused, "HTTP 4xx: the policy rejects the finalizer that the server adds", tried.brief())
}

/// Creates a policy that rejects claims with finalizers or labels in the scenario's namespace.
async fn reject_finalizers(cx: &Context) -> Checked {
    let claims = json!({
        "apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["persistentvolumeclaims"],
    });
    let here = json!({ "matchLabels": { "kubernetes.io/metadata.name": cx.namespace().await? } });
    let policy = json!({
        "failurePolicy": "Fail",
        "matchConstraints": { "namespaceSelector": here, "resourceRules": [claims] },
        "validations": [
            { "expression": "!has(object.metadata.finalizers)", "message": "finalizers are there" },
            { "expression": "!has(object.metadata.labels)", "message": "it is marked" },
        ],
    });
    let binding = json!({ "policyName": cx.own_name("policy"), "validationActions": ["Deny"] });

    register(cx, "validatingadmissionpolicies", "ValidatingAdmissionPolicy", policy).await?;
    register(cx, "validatingadmissionpolicybindings", "ValidatingAdmissionPolicyBinding", binding).await
}

async fn register(cx: &Context, plural: &str, kind: &str, spec: Value) -> Checked {
    let name = cx.own_name("policy");
    let body = json!({
        "apiVersion": format!("{GROUP}/v1"),
        "kind": kind,
        "metadata": { "name": name, "labels": cx.own_labels() },
        "spec": spec,
    });
    let path = format!("/apis/{GROUP}/v1/{plural}");
    cx.remove_in_the_end(&format!("{path}/{name}"));
    let created = cx.send(Request::post(path, &body)).await?;
    cx.require_feature("AdmissionPolicy", created.status() != 404, format!("it does not serve {plural}"))?;
    created.written().map(drop)
}

/// Types with objects that no controller acts on: group, plural, kind and the other fields of an object.
#[rustfmt::skip]
const TYPES: &[(&str, &str, &str, &str)] = &[
    ("",                          "configmaps",             "ConfigMap",             "{}"),
    ("",                          "secrets",                "Secret",                "{}"),
    ("",                          "services",               "Service",               r#"{"spec":{"ports":[{"port":80}]}}"#),
    ("",                          "serviceaccounts",        "ServiceAccount",        "{}"),
    ("",                          "podtemplates",           "PodTemplate",           r#"{"template":{"spec":{"containers":[{"name":"none","image":"kube-assay.dev/none"}]}}}"#),
    ("coordination.k8s.io",       "leases",                 "Lease",                 r#"{"spec":{}}"#),
    ("discovery.k8s.io",          "endpointslices",         "EndpointSlice",         r#"{"addressType":"IPv4","endpoints":[]}"#),
    ("networking.k8s.io",         "networkpolicies",        "NetworkPolicy",         r#"{"spec":{"podSelector":{"matchLabels":{"app":"none"}}}}"#),
    ("policy",                    "poddisruptionbudgets",   "PodDisruptionBudget",   r#"{"spec":{"selector":{"matchLabels":{"app":"none"}}}}"#),
    ("rbac.authorization.k8s.io", "roles",                  "Role",                  r#"{"rules":[]}"#),
    ("apps",                      "deployments",            "Deployment",            WORKLOAD),
    ("apps",                      "replicasets",            "ReplicaSet",            WORKLOAD),
    ("apps",                      "statefulsets",           "StatefulSet",           WORKLOAD),
    ("",                          "limitranges",            "LimitRange",            r#"{"spec":{"limits":[]}}"#),
    ("",                          "resourcequotas",         "ResourceQuota",         r#"{"spec":{"hard":{}}}"#),
];

/// A workload of no pods.
const WORKLOAD: &str = r#"{"spec":{"replicas":0,"selector":{"matchLabels":{"app":"none"}},"template":{"metadata":{"labels":{"app":"none"}},"spec":{"containers":[{"name":"none","image":"kube-assay.dev/none"}]}}}}"#;

async fn dryrun_builtin_admission_supports(cx: Context) -> Checked {
    for (group, plural, kind, rest) in TYPES {
        let resource = Resource::of(group, "v1", plural, kind);
        if let Some(collection) = cx.collection_if_listed(resource).await? {
            expect_dry_run(&cx, &collection, rest).await?;
        }
    }
    Ok(())
}

/// If a create succeeds, so does its dry run.
async fn expect_dry_run(cx: &Context, collection: &Collection, rest: &str) -> Checked {
    let mut body: Value = serde_json::from_str(rest).unwrap_or_default();
    body["apiVersion"] = collection.resource().api_version().into();
    body["kind"] = collection.resource().kind.as_str().into();
    body["metadata"] = json!({ "name": "a" });
    let create = Request::post(collection.path(), &body);

    let tried = cx.send(dry(create.clone())).await?;
    let real = cx.send(create).await?;

    if real.status() == 201 {
        let expected = format!("HTTP 201, as without dryRun: {}", collection.path());
        return tried.expect(tried.status() == 201, expected, tried.brief());
    }
    Ok(())
}
