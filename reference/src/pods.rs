//! Pod subresources: log, binding and eviction.

use axum::body::Body;
use axum::response::Response;
use http::StatusCode;
use serde_json::{Value, json};

use crate::api::{Answer, Call, json};
use crate::delete::{self, DeleteOptions};
use crate::failure::Failure;
use crate::field_validation::FieldCheck;
use crate::metadata::text;
use crate::resource_type::ResourceType;
use crate::store::Object;
use crate::write::Target;
use crate::{binding, body, lifecycle};

/// The subresource that is read, and is no object.
pub(crate) const LOG: &str = "log";

const EVICTION: &str = "eviction";

/// Whether a subresource is posted to, and can do nothing else.
pub(crate) fn is_posted(subresource: &str) -> bool {
    [binding::NAME, EVICTION].contains(&subresource)
}

/// Posts to such a subresource.
pub(crate) fn post(call: &Call, subresource: &str, target: &Target<'_>, check: &mut FieldCheck) -> Answer {
    if subresource == EVICTION {
        evict(call, target, check)?;
    } else {
        binding::bind(call, target, check)?;
    }
    let done =
        json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201});
    Ok(json(StatusCode::CREATED, &done))
}

/// A Pod on no node has logged nothing; that of another is with its node, and there are none.
pub(crate) fn log(ty: &ResourceType, pod: &Value) -> Answer {
    if let Some(node) = pod["spec"]["nodeName"].as_str() {
        return Err(Failure::not_found(ty, node));
    }
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    Ok(response)
}

fn evict(call: &Call, target: &Target<'_>, check: &mut FieldCheck) -> Result<(), Failure> {
    let kind = ResourceType {
        group: "policy".to_owned(),
        version: "v1".to_owned(),
        kind: "Eviction".to_owned(),
        ..ResourceType::default()
    };
    let eviction = body::decoded(&call.headers, &call.body, &kind, check)?;
    target.check_place(&eviction)?;
    let key = target.ty.key(target.namespace, target.name);
    let pod = target.found(target.cluster.store.current(&target.ty.collection(), &key).as_ref())?;
    // A Pod that does not run yet, or not any more, is nobody's loss.
    if !matches!(pod["status"]["phase"].as_str(), Some("Pending" | "Succeeded" | "Failed")) {
        check_budgets(call, &pod)?;
    }
    let asked = eviction.get("deleteOptions").filter(|options| options.is_object());
    delete::delete(target, &DeleteOptions::of(&call.query, asked)?).map(drop)
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
