//! Admission: mutating and validating plugins, policies and webhooks for creates.
//!
//! Webhooks and policies apply to creates of whole objects only; their selectors support `matchLabels` only.

pub(crate) mod expressions;
mod pod;
mod policy;
mod quota;
mod service;
mod webhook;

use serde_json::{Value, json};

use crate::failure::Failure;
use crate::lifecycle;
use crate::store::Object;
use crate::write::Target;

/// Completes a new object, and rejects it if a plugin, webhook or policy denies it.
pub(crate) fn admit(target: &Target<'_>, object: &mut Value) -> Result<(), Failure> {
    if target.ty.custom.is_none() {
        match target.ty.plural.as_str() {
            "services" => service::complete(target, object)?,
            "persistentvolumeclaims" => protect(object),
            "pods" => pod::tolerate(object),
            _ => {}
        }
    }
    webhook::admit(target, object)?;
    policy::admit(target, object)?;
    quota::admit(target, object)
}

/// The finalizer of claims in use.
pub(crate) const PROTECTION: &str = "kubernetes.io/pvc-protection";

/// Protects a claim while a pod uses it.
fn protect(claim: &mut Value) {
    let finalizers = &mut claim["metadata"]["finalizers"];
    match finalizers.as_array_mut() {
        Some(finalizers) if finalizers.iter().any(|finalizer| finalizer == PROTECTION) => {}
        Some(finalizers) => finalizers.push(PROTECTION.into()),
        None => *finalizers = json!([PROTECTION]),
    }
}

/// The admission objects of a resource.
fn registered(target: &Target<'_>, plural: &str) -> Vec<Object> {
    lifecycle::all(target.cluster, &format!("{plural}.admissionregistration.k8s.io"))
}

/// Whether a rule matches creates of a type.
fn matches_rules(rules: &Value, target: &Target<'_>) -> bool {
    let matches = |rule: &Value| {
        let names = |field: &str, name: &str| {
            let listed = rule[field].as_array().into_iter().flatten();
            listed.clone().any(|value| value == name || value == "*")
        };
        let ty = target.ty;
        names("operations", "CREATE")
            && names("apiGroups", &ty.group)
            && names("apiVersions", &ty.version)
            && names("resources", &ty.plural)
    };
    rules.as_array().is_some_and(|rules| rules.iter().any(matches))
}

/// Whether the selectors match the object and its namespace.
fn selects(selectors: &Value, target: &Target<'_>, object: &Value) -> bool {
    let matches_labels = |selector: &Value, of: &Value| {
        let labels = selector["matchLabels"].as_object().into_iter().flatten();
        labels.clone().all(|(label, value)| of["metadata"]["labels"].get(label) == Some(value))
    };
    let namespace = target.cluster.store.current("namespaces", target.namespace);
    let namespace = namespace.as_deref().unwrap_or(&Value::Null);
    matches_labels(&selectors["objectSelector"], object)
        && matches_labels(&selectors["namespaceSelector"], namespace)
}
