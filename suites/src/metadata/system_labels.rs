//! Labels and annotations that the system sets.

use crate::prelude::*;

const NAMESPACES: &str = "/api/v1/namespaces";

rows![metadata_system_keys_lowercase_dashed.own_kinds(), metadata_system_keys_prefixed.own_kinds()];

/// Keys that are older than the rule.
const LEGACY: [&str; 5] =
    ["controller-uid", "job-name", "pod-template-hash", "controller-revision-hash", "run"];

/// Where labels and annotations are.
const MAPS: [&str; 3] = ["/metadata/labels", "/metadata/annotations", "/spec/template/metadata/labels"];

/// A key that the server has added, and the answer that shows it.
struct Added {
    key: String,
    answer: Arc<Exchange>,
}

/// All keys that the server adds to objects of types that it completes. Skips where it has none of them.
async fn added(cx: &Context) -> Result<Vec<Added>, Halt> {
    let (mut added, mut asked) = (Vec::new(), 0);
    for (resource, mut body) in examples() {
        if !cx.discovers(&resource).await? {
            continue;
        }
        asked += 1;
        body["metadata"]["name"] = cx.own_name("tried").into();
        let path = match resource.plural.as_str() {
            "namespaces" => NAMESPACES.to_owned(),
            plural => format!("{}/namespaces/{}/{plural}", resource.root(), cx.namespace().await?),
        };
        let answer = cx.send(Request::post(path, &body).query("dryRun", "All")).await?;
        let shown = answer.written()?;
        for map in MAPS {
            let sent = body.pointer(map);
            let keys = shown.json().pointer(map).and_then(Value::as_object).into_iter().flatten();
            let new = keys.filter(|(key, _)| sent.is_none_or(|sent| sent.get(key.as_str()).is_none()));
            added.extend(new.map(|(key, _)| Added { key: key.clone(), answer: answer.clone() }));
        }
    }
    if asked == 0 {
        Err(Halt::Skipped("the server has none of the types that it completes".to_owned()))
    } else {
        Ok(added)
    }
}

/// Types that the system completes, and an object of each, without a name.
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

/// Whether a prefix is one of Kubernetes' own.
fn is_of_the_project(prefix: &str) -> bool {
    ["kubernetes.io", "k8s.io"]
        .iter()
        .any(|own| prefix.strip_suffix(own).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

async fn metadata_system_keys_lowercase_dashed(cx: Context) -> Checked {
    let lowercase = |name: &str| {
        name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '.' | '-'))
    };

    for Added { key, answer } in added(&cx).await? {
        let (prefix, name) = parts(&key);
        // Whoever else completes objects here has rules of its own.
        if prefix.is_none_or(is_of_the_project) {
            answer.expect(lowercase(name), "keys of the system in lower case, with dashes", key.as_str())?;
        }
    }
    Ok(())
}

async fn metadata_system_keys_prefixed(cx: Context) -> Checked {
    for Added { key, answer } in added(&cx).await? {
        let known = parts(&key).0.is_some() || LEGACY.contains(&key.as_str());
        answer.expect(known, "keys of the system with a prefix", key.as_str())?;
    }
    Ok(())
}
