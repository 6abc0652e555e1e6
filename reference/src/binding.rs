//! Bindings: the pods/binding subresource, which sets a Pod's node.

use serde_json::{Value, json};

use crate::api::Call;
use crate::failure::Failure;
use crate::field_validation::FieldCheck;
use crate::resource_type::ResourceType;
use crate::store::Decision;
use crate::write::Target;
use crate::{body, metadata};

pub(crate) const NAME: &str = "binding";

/// Binds a pod to a node once; the node need not exist. No manager owns the fields, and the generation stays.
pub(crate) fn bind(call: &Call, target: &Target<'_>, check: &mut FieldCheck) -> Result<(), Failure> {
    let binding = body::decoded(&call.headers, &call.body, &kind(), check)?;
    target.check_place(&binding)?;
    let node = binding["target"]["name"].as_str().unwrap_or_default();
    if node.is_empty() {
        return Err(Failure::untranslated("target.name: Required value"));
    }
    target.write(target.name, |_, current| {
        let mut pod = target.found(current)?;
        bind_to(&mut pod, node).map_err(|detail| Failure::conflict(&resource(), target.name, &detail))?;
        Ok(Decision::Put(pod))
    })?;
    Ok(())
}

fn bind_to(pod: &mut Value, node: &str) -> Result<(), String> {
    let name = metadata::text(pod, "name").to_owned();
    if metadata::is_deleted(pod) {
        return Err(format!("pod {name} is being deleted, cannot be assigned to a host"));
    }
    if let Some(assigned) = pod["spec"]["nodeName"].as_str().filter(|assigned| !assigned.is_empty()) {
        return Err(format!("pod {name} is already assigned to node {assigned:?}"));
    }
    pod["spec"]["nodeName"] = node.into();
    pod["status"]["conditions"] = json!([{
        "type": "PodScheduled", "status": "True", "lastProbeTime": null, "lastTransitionTime": metadata::now(),
    }]);
    Ok(())
}

fn kind() -> ResourceType {
    ResourceType { version: "v1".to_owned(), kind: "Binding".to_owned(), ..ResourceType::default() }
}

/// The resource in conflict messages.
fn resource() -> ResourceType {
    ResourceType { plural: "pods/binding".to_owned(), ..ResourceType::default() }
}
