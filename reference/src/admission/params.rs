//! The parameters of a binding.

use std::sync::Arc;

use serde_json::Value;

use crate::cel::deviation::Check;
use crate::cluster::Cluster;
use crate::lifecycle;
use crate::metadata::text;
use crate::resource_type::ResourceType;
use crate::store::Object;
use crate::strategy::selector;
use crate::write::Target;

/// The values of `params` for which a policy is evaluated. `Err` is the reason why there are none: the failure policy decides.
pub(super) fn of_binding(
    policy: &Value,
    binding: &Value,
    target: &Target<'_>,
) -> Result<Vec<Object>, String> {
    let (kind, reference) = (&policy["spec"]["paramKind"], &binding["spec"]["paramRef"]);
    if !kind.is_object() || !reference.is_object() {
        return Ok(vec![Arc::new(Value::Null)]);
    }
    let ty = type_of(target.cluster, kind).ok_or("failed to find resource referenced by paramKind")?;
    let namespace = reference["namespace"].as_str().unwrap_or_default();
    let namespace = if namespace.is_empty() { target.namespace } else { namespace };
    let any_namespace = target.cluster.expressions.checks_skipped(Check::ParamNamespace);
    let is_found = |object: &Object| {
        let in_namespace = any_namespace || !ty.namespaced || text(object, "namespace") == namespace;
        in_namespace
            && match reference["name"].as_str() {
                Some(name) => text(object, "name") == name,
                None => selector::matches(&reference["selector"], &object["metadata"]["labels"]),
            }
    };
    let mut found = lifecycle::all(target.cluster, &ty.collection());
    found.retain(is_found);
    if any_namespace || target.cluster.expressions.checks_skipped(Check::EveryParam) {
        found.truncate(1);
    }
    if found.is_empty() && reference["parameterNotFoundAction"] != "Allow" {
        return Err("no params found for policy binding with `Deny` parameterNotFoundAction".to_owned());
    }
    Ok(found)
}

fn type_of(cluster: &Cluster, kind: &Value) -> Option<Arc<ResourceType>> {
    let types = cluster.registry.all();
    types
        .into_iter()
        .find(|ty| kind["apiVersion"] == ty.api_version().as_str() && kind["kind"] == ty.kind.as_str())
}
