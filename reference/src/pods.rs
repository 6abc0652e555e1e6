//! Pod subresources: binding and eviction.

use http::StatusCode;
use serde_json::{Value, json};

use crate::api::{ApiResult, Call, json};
use crate::delete::{self, DeleteOptions};
use crate::failure::Failure;
use crate::field_validation::FieldCheck;
use crate::metadata::text;
use crate::resource_type::ResourceType;
use crate::store::{Commit, Object};
use crate::write::Target;
use crate::{binding, body, lifecycle};

pub(crate) const LOG: &str = "log";

const EVICTION: &str = "eviction";

/// Whether a subresource supports POST only.
pub(crate) fn is_posted(subresource: &str) -> bool {
    [binding::NAME, EVICTION].contains(&subresource)
}

/// Handles POST to a binding or eviction.
pub(crate) fn post(call: &Call, subresource: &str, target: &Target<'_>, check: &mut FieldCheck) -> ApiResult {
    if subresource == EVICTION {
        evict(call, target, check)?;
    } else {
        binding::bind(call, target, check)?;
    }
    let status =
        json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201});
    Ok(json(StatusCode::CREATED, &status))
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
    // Pods that do not run do not count for budgets.
    if !matches!(pod["status"]["phase"].as_str(), Some("Pending" | "Succeeded" | "Failed")) {
        check_budgets(call, &pod)?;
    }
    let options = eviction.get("deleteOptions").filter(|options| options.is_object());
    let options = DeleteOptions::of(&call.query, options)?;
    // Query and options alike make a dry run of it.
    let commit = if options.dry_run { Commit::Dry } else { target.commit };
    delete::delete(&Target { commit, ..*target }, &options).map(drop)
}

/// Checks the disruption budget of a pod. The budget's status must be up to date.
fn check_budgets(call: &Call, pod: &Value) -> Result<(), Failure> {
    let namespace = text(pod, "namespace");
    let all = lifecycle::all(&call.cluster, "poddisruptionbudgets.policy");
    let covers = |budget: &&Object| {
        text(budget, "namespace") == namespace
            && matches_labels(&budget["spec"]["selector"], &pod["metadata"]["labels"])
    };
    let budgets: Vec<&Object> = all.iter().filter(covers).collect();
    let [budget] = budgets.as_slice() else {
        let message = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
        return if budgets.is_empty() { Ok(()) } else { Err(Failure::internal(message)) };
    };
    let name = text(budget, "name");
    let count = |field: &str| budget["status"][field].as_i64().unwrap_or(0);
    if count("observedGeneration") < budget["metadata"]["generation"].as_i64().unwrap_or(0) {
        let detail = format!("The disruption budget {name} is still being processed by the server.");
        return Err(Failure::beyond_budget(&detail, Some(10)));
    }
    if count("disruptionsAllowed") <= 0 {
        let (desired, healthy) = (count("desiredHealthy"), count("currentHealthy"));
        let detail =
            format!("The disruption budget {name} needs {desired} healthy pods and has {healthy} currently");
        return Err(Failure::beyond_budget(&detail, None));
    }
    Ok(())
}

/// Matches the `matchLabels` of a selector; expressions are not supported. An empty selector matches all Pods, an absent
/// one matches none.
fn matches_labels(selector: &Value, labels: &Value) -> bool {
    let labels_to_match = selector["matchLabels"].as_object().into_iter().flatten();
    !selector.is_null() && labels_to_match.clone().all(|(label, value)| labels.get(label) == Some(value))
}
