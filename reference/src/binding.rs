//! Bindings: posted below a pod, they say on which node it is to run.

use http::StatusCode;
use serde_json::json;

use crate::api::{Answer, Call, json};
use crate::body;
use crate::failure::{Cause, Failure};
use crate::field_validation::FieldCheck;
use crate::resource::ResourceType;
use crate::strategy::Part;
use crate::update;
use crate::write::Target;

/// The subresource.
pub(crate) const NAME: &str = "binding";

/// Binds a pod to a node that may be there; once.
pub(crate) fn bind(call: &Call, target: &Target<'_>, check: &mut FieldCheck) -> Answer {
    let binding = body::decoded(&call.headers, &call.body, &kind(), check)?;
    target.check_place(&binding)?;
    let node = binding["target"]["name"].as_str().unwrap_or_default();
    if node.is_empty() {
        return Err(Failure::invalid("", "Binding", target.name, &[Cause::required("target.name", "")]));
    }
    update::patch(target, Part::Main, |pod| {
        let bound = pod["spec"]["nodeName"].as_str().unwrap_or_default();
        if !bound.is_empty() {
            let subresource = ResourceType { plural: "pods/binding".to_owned(), ..ResourceType::default() };
            let why = format!("pod {} is already assigned to node {bound:?}", target.name);
            return Err(Failure::conflict(&subresource, target.name, &why));
        }
        let mut pod = pod.clone();
        pod["spec"]["nodeName"] = node.into();
        Ok(pod.into())
    })?;
    let status =
        json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "code": 201});
    Ok(json(StatusCode::CREATED, &status))
}

fn kind() -> ResourceType {
    ResourceType { version: "v1".to_owned(), kind: "Binding".to_owned(), ..ResourceType::default() }
}
