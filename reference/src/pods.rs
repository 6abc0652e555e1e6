//! The subresources of Pods that are asked for or posted to: what a Pod that runs nowhere has logged, which node it
//! gets, and whether it may be evicted.

use axum::body::Body;
use axum::response::Response;
use http::StatusCode;
use serde_json::{Value, json};

use crate::api::{Answer, Call, json, target};
use crate::delete::{self, DeleteOptions};
use crate::failure::Failure;
use crate::field_validation::{FieldCheck, Level};
use crate::metadata::text;
use crate::options::WriteOptions;
use crate::resource::ResourceType;
use crate::route::{ResourcePath, Verb};
use crate::store::{Decision, Object};
use crate::write::Target;
use crate::{body, lifecycle, metadata};

/// Answers a request for one of these subresources; nothing if it is about something else.
pub(crate) fn answer(call: &Call, verb: Verb, path: &ResourcePath, ty: &ResourceType) -> Option<Answer> {
    if !ty.is_built_in("pods") || path.name.is_empty() {
        return None;
    }
    match (path.subresource.as_str(), verb) {
        ("log", Verb::Get) => Some(log(call, path, ty)),
        ("binding", Verb::Create) => Some(bind(call, path, ty)),
        ("eviction", Verb::Create) => Some(evict(call, path, ty)),
        ("log" | "binding" | "eviction", verb) => Some(Err(Failure::method_not_allowed(ty, verb.name()))),
        _ => None,
    }
}

/// A Pod on no node has logged nothing; that of another is with its node, and there are none.
fn log(call: &Call, path: &ResourcePath, ty: &ResourceType) -> Answer {
    let pod = found(&target(call, path, ty, false))?;
    if let Some(node) = pod["spec"]["nodeName"].as_str() {
        return Err(Failure::not_found(ty, node));
    }
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    Ok(response)
}

fn bind(call: &Call, path: &ResourcePath, ty: &ResourceType) -> Answer {
    let options = WriteOptions::of(&call.query, Verb::Create)?;
    let binding = posted(call, "", "Binding", options.fields)?;
    let target = target(call, path, ty, options.dry_run);
    target.write(target.name, |_, current| {
        let mut pod = target.found(current)?;
        if let Some(node) = pod["spec"]["nodeName"].as_str() {
            let pods = ResourceType { plural: "pods/binding".to_owned(), ..ty.clone() };
            let why = format!("pod {} is already assigned to node {node:?}", target.name);
            return Err(Failure::conflict(&pods, target.name, &why));
        }
        pod["spec"]["nodeName"] = binding["target"]["name"].clone();
        let condition = json!({
            "type": "PodScheduled", "status": "True", "lastProbeTime": null, "lastTransitionTime": metadata::now(),
        });
        pod["status"]["conditions"] = json!([condition]);
        Ok(Decision::Put(pod))
    })?;
    Ok(success())
}

fn evict(call: &Call, path: &ResourcePath, ty: &ResourceType) -> Answer {
    let options = WriteOptions::of(&call.query, Verb::Create)?;
    let eviction = posted(call, "policy", "Eviction", options.fields)?;
    let target = target(call, path, ty, options.dry_run);
    let pod = found(&target)?;
    // A Pod that does not run yet, or not any more, is nobody's loss.
    if !matches!(pod["status"]["phase"].as_str(), Some("Pending" | "Succeeded" | "Failed")) {
        check_budgets(call, &pod)?;
    }
    let asked = eviction.get("deleteOptions").filter(|options| options.is_object());
    delete::delete(&target, &DeleteOptions::of(&call.query, asked)?)?;
    Ok(success())
}

/// The budget of a Pod must let it go. Whoever looks after budgets must have looked at it first.
fn check_budgets(call: &Call, pod: &Value) -> Result<(), Failure> {
    let namespace = text(pod, "namespace");
    let all = lifecycle::all(&call.cluster, "poddisruptionbudgets.policy");
    let covers = |budget: &&Object| {
        text(budget, "namespace") == namespace
            && is_selected(&budget["spec"]["selector"], &pod["metadata"]["labels"])
    };
    let budgets: Vec<&Object> = all.iter().filter(covers).collect();
    let [budget] = budgets.as_slice() else {
        let several = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
        return if budgets.is_empty() { Ok(()) } else { Err(Failure::internal(several)) };
    };
    let name = text(budget, "name");
    let count = |field: &str| budget["status"][field].as_i64().unwrap_or(0);
    if count("observedGeneration") < budget["metadata"]["generation"].as_i64().unwrap_or(0) {
        let why = format!("The disruption budget {name} is still being processed by the server.");
        return Err(Failure::beyond_budget(&why, Some(10)));
    }
    if count("disruptionsAllowed") <= 0 {
        let (wanted, healthy) = (count("desiredHealthy"), count("currentHealthy"));
        let why =
            format!("The disruption budget {name} needs {wanted} healthy pods and has {healthy} currently");
        return Err(Failure::beyond_budget(&why, None));
    }
    Ok(())
}

/// Selectors are heeded as far as they are `matchLabels`.
fn is_selected(selector: &Value, labels: &Value) -> bool {
    let wanted = selector["matchLabels"].as_object().into_iter().flatten();
    wanted.clone().all(|(label, value)| labels.get(label) == Some(value))
}

fn posted(call: &Call, group: &str, kind: &str, level: Level) -> Result<Value, Failure> {
    let ty = ResourceType {
        group: group.to_owned(),
        version: "v1".to_owned(),
        kind: kind.to_owned(),
        ..ResourceType::default()
    };
    body::decoded(&call.headers, &call.body, &ty, &mut FieldCheck::new(level))
}

fn found(target: &Target<'_>) -> Result<Value, Failure> {
    let key = target.ty.key(target.namespace, target.name);
    target.found(target.cluster.store.get(&target.ty.group_resource(), &key, None).as_ref())
}

fn success() -> Response {
    let status =
        json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201});
    json(StatusCode::CREATED, &status)
}
