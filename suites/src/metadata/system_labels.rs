//! Labels and annotations that the system sets.

use std::collections::BTreeSet;

use crate::prelude::*;

const NAMESPACES: &str = "/api/v1/namespaces";

rows![metadata_system_keys_lowercase_dashed.own_kinds(), metadata_system_keys_prefixed.own_kinds()];

/// Keys from before the convention.
const LEGACY: [&str; 5] =
    ["controller-uid", "job-name", "pod-template-hash", "controller-revision-hash", "run"];

/// The maps of labels and annotations in an object.
const MAPS: [&str; 3] = ["/metadata/labels", "/metadata/annotations", "/spec/template/metadata/labels"];

/// A key that the server has added, and the response that has it.
struct Added {
    key: String,
    response: Arc<Exchange>,
}

/// All labels and annotations that the server adds to objects. Skips where it serves none of the types.
async fn added(cx: &Context) -> Result<Vec<Added>, Halt> {
    let (mut added, mut served) = (Vec::new(), false);
    for (resource, mut body) in examples() {
        if !cx.discovers(&resource).await? {
            continue;
        }
        served = true;
        body["metadata"]["name"] = cx.own_name("tried").into();
        let path = match resource.plural.as_str() {
            "namespaces" => NAMESPACES.to_owned(),
            plural => format!("{}/namespaces/{}/{plural}", resource.root(), cx.namespace().await?),
        };
        let response = cx.send(Request::post(path, &body).query("dryRun", "All")).await?;
        let object = response.written()?;
        let new = added_keys(&body, object.json()).into_iter();
        added.extend(new.map(|key| Added { key, response: response.clone() }));
    }
    if served {
        return Ok(added);
    }
    Err(Halt::skip("the server serves no type to whose objects it adds labels or annotations"))
}

/// The keys of labels and annotations that the sent object lacks.
fn added_keys(sent: &Value, created: &Value) -> BTreeSet<String> {
    let mut added = BTreeSet::new();
    for map in MAPS {
        let sent = sent.pointer(map);
        let keys = created.pointer(map).and_then(Value::as_object).into_iter().flatten();
        let new = keys.filter(|(key, _)| sent.is_none_or(|sent| sent.get(key.as_str()).is_none()));
        added.extend(new.map(|(key, _)| key.clone()));
    }
    added
}

/// The keys that admission of others adds also to a `ConfigMap`, to which the system adds none. No key where nothing may
/// change objects.
async fn added_by_admission(cx: &Context) -> Result<BTreeSet<String>, Halt> {
    if !cx.discovers(&Resource::configmaps()).await? {
        return Ok(BTreeSet::new());
    }
    let configmaps = cx.configmaps().await?;
    let body = configmaps.body(NAME, "first");
    let response = cx.send(Request::post(configmaps.path(), &body).query("dryRun", "All")).await?;
    let created = response.json().filter(|_| response.succeeded()).unwrap_or(&Value::Null);
    let added = added_keys(&body, created);
    if added.is_empty() {
        return Ok(added);
    }
    let Some(by) = cx.mutating_admission().await else { return Ok(BTreeSet::new()) };
    let keys: Vec<&str> = added.iter().map(String::as_str).collect();
    cx.note(format!("not judged: {}, which {by} may add to every object", keys.join(", ")));
    Ok(added)
}

/// Fails for the first key, unless admission of others adds it.
async fn expect_none(cx: &Context, wrong: &[Added], expected: &str) -> Checked {
    if wrong.is_empty() {
        return Ok(());
    }
    let by_admission = added_by_admission(cx).await?;
    wrong.iter().try_for_each(|Added { key, response }| {
        response.expect(by_admission.contains(key), expected, key.as_str())
    })
}

/// Types to whose objects the system adds labels or annotations, and an object of each, without a name.
fn examples() -> [(Resource, Value); 4] {
    let pods =
        json!({ "restartPolicy": "Never", "containers": [{ "name": "a", "image": "kube-assay.dev/none" }] });
    let of = |resource: Resource, spec: Value| {
        let body = json!({ "apiVersion": resource.api_version(), "kind": resource.kind, "spec": spec });
        (resource, body)
    };
    let (job, service) = (json!({ "template": { "spec": pods } }), json!({ "ports": [{ "port": 80 }] }));
    let labels = json!({ "app": "kube-assay" });
    let template = json!({ "metadata": { "labels": labels }, "spec": { "containers": pods["containers"] } });
    let deployment = json!({ "replicas": 0, "selector": { "matchLabels": labels }, "template": template });
    [
        of(Resource::namespaces(), json!({})),
        of(Resource::of("batch", "v1", "jobs", "Job"), job),
        of(Resource::core("services", "Service"), service),
        of(Resource::of("apps", "v1", "deployments", "Deployment"), deployment),
    ]
}

/// The prefix of a key, and the rest.
fn parts(key: &str) -> (Option<&str>, &str) {
    key.split_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name))
}

/// Whether a prefix belongs to Kubernetes.
fn is_of_the_project(prefix: &str) -> bool {
    ["kubernetes.io", "k8s.io"]
        .iter()
        .any(|own| prefix.strip_suffix(own).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

async fn metadata_system_keys_lowercase_dashed(cx: Context) -> Checked {
    let lowercase = |name: &str| {
        name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-'))
    };

    let mut added = added(&cx).await?;
    added.retain(|Added { key, .. }| {
        let (prefix, name) = parts(key);
        // Admission webhooks may add keys of other projects.
        prefix.is_none_or(is_of_the_project) && !lowercase(name)
    });
    expect_none(&cx, &added, "keys of the system in lower case, with dashes").await
}

async fn metadata_system_keys_prefixed(cx: Context) -> Checked {
    let mut added = added(&cx).await?;
    added.retain(|Added { key, .. }| parts(key).0.is_none() && !LEGACY.contains(&key.as_str()));
    expect_none(&cx, &added, "keys of the system with a prefix").await
}
