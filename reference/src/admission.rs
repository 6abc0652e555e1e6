//! Admission: mutating and validating plugins, policies and webhooks for creates.
//!
//! Webhooks and policies apply to creates of whole objects only; their selectors support `matchLabels` only.

mod cel;
mod pod;
mod policy;
mod quota;
mod service;
mod webhook;

use serde_json::{Value, json};

use crate::failure::Failure;
use crate::lifecycle;
use crate::store::{Commit, Object};
use crate::write::Target;

/// Completes an object that is to be created, and asks all who may refuse it.
pub(crate) fn admit(target: &Target<'_>, object: &mut Value) -> Result<(), Failure> {
    if target.ty.custom.is_none() {
        match target.ty.plural.as_str() {
            "services" => service::complete(target, object)?,
            "persistentvolumeclaims" => protect(object),
            "pods" => pod::tolerate(object),
            "validatingwebhookconfigurations" => webhook::check(target, object)?,
            _ => {}
        }
    }
    webhook::admit(target, object)?;
    policy::admit(target, object)?;
    quota::admit(target, object)
}

/// What holds a claim of storage back that somebody uses.
pub(crate) const PROTECTION: &str = "kubernetes.io/pvc-protection";

/// A claim of storage stays as long as somebody uses it.
fn protect(claim: &mut Value) {
    let finalizers = &mut claim["metadata"]["finalizers"];
    match finalizers.as_array_mut() {
        Some(finalizers) if finalizers.iter().any(|known| known == PROTECTION) => {}
        Some(finalizers) => finalizers.push(PROTECTION.into()),
        None => *finalizers = json!([PROTECTION]),
    }
}

/// What is registered of a type.
fn registered(target: &Target<'_>, plural: &str) -> Vec<Object> {
    lifecycle::all(target.cluster, &format!("{plural}.admissionregistration.k8s.io"))
}

/// Whether one of several rules is about creates of a type.
fn is_about(rules: &Value, target: &Target<'_>) -> bool {
    let one = |rule: &Value| {
        let names = |field: &str, name: &str| {
            let listed = rule[field].as_array().into_iter().flatten();
            listed.clone().any(|known| known == name || known == "*")
        };
        let ty = target.ty;
        names("operations", "CREATE")
            && names("apiGroups", &ty.group)
            && names("apiVersions", &ty.version)
            && names("resources", &ty.plural)
    };
    rules.as_array().is_some_and(|rules| rules.iter().any(one))
}

/// Whether selectors of namespaces and objects mean this one.
fn selects(by: &Value, target: &Target<'_>, object: &Value) -> bool {
    let labelled = |selector: &Value, of: &Value| {
        let wanted = selector["matchLabels"].as_object().into_iter().flatten();
        wanted.clone().all(|(label, value)| of["metadata"]["labels"].get(label) == Some(value))
    };
    let namespace = lifecycle::all(target.cluster, "namespaces")
        .into_iter()
        .find(|namespace| namespace["metadata"]["name"] == target.namespace);
    let namespace = namespace.as_deref().unwrap_or(&Value::Null);
    labelled(&by["objectSelector"], object) && labelled(&by["namespaceSelector"], namespace)
}

/// What an expression can speak of.
fn subject(target: &Target<'_>, object: &Value) -> Value {
    json!({ "object": object, "request": { "dryRun": target.commit == Commit::Dry } })
}
