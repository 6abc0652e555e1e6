//! Labels and annotations that the system sets.

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
        for map in MAPS {
            let sent = body.pointer(map);
            let keys = object.json().pointer(map).and_then(Value::as_object).into_iter().flatten();
            let new = keys.filter(|(key, _)| sent.is_none_or(|sent| sent.get(key.as_str()).is_none()));
            added.extend(new.map(|(key, _)| Added { key: key.clone(), response: response.clone() }));
        }
    }
    if served {
        return Ok(added);
    }
    Err(Halt::skip("the server serves no type to whose objects it adds labels or annotations"))
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

    for Added { key, response } in added(&cx).await? {
        let (prefix, name) = parts(&key);
        // Admission webhooks may add keys of other projects.
        if prefix.is_none_or(is_of_the_project) {
            response.expect(
                lowercase(name),
                "keys of the system in lower case, with dashes",
                key.as_str(),
            )?;
        }
    }
    Ok(())
}

async fn metadata_system_keys_prefixed(cx: Context) -> Checked {
    for Added { key, response } in added(&cx).await? {
        let known = parts(&key).0.is_some() || LEGACY.contains(&key.as_str());
        response.expect(known, "keys of the system with a prefix", key.as_str())?;
    }
    Ok(())
}
