//! Finalizer names: domain required for built-in types, a warning for custom types.

use serde_json::Value;

use crate::failure::Cause;
use crate::resource_type::ResourceType;

/// The built-in types with any finalizer names.
const LAX: &[&str] = &[
    "customresourcedefinitions",
    "events",
    "leases",
    "validatingadmissionpolicies",
    "validatingwebhookconfigurations",
];

/// The errors in finalizers beyond syntax.
pub(super) fn errors(ty: &ResourceType, finalizers: &Value) -> Vec<Cause> {
    let names = || finalizers.as_array().into_iter().flatten();
    let mut causes = Vec::new();
    if ty.custom.is_none() && !LAX.contains(&ty.plural.as_str()) {
        for (index, name) in names().enumerate().filter(|(_, name)| !is_qualified(name)) {
            let detail = "name is neither a standard finalizer name nor is it fully qualified";
            causes.push(Cause::invalid(format!("metadata.finalizers[{index}]"), name, detail));
        }
    }
    if names().any(|name| name == "orphan") && names().any(|name| name == "foregroundDeletion") {
        let detail = "finalizer orphan and foregroundDeletion cannot be both set";
        causes.push(Cause::invalid("metadata.finalizers", finalizers, detail));
    }
    causes
}

/// The warnings for finalizer names without a domain.
pub(crate) fn unqualified(object: &Value) -> Vec<String> {
    let names = object["metadata"]["finalizers"].as_array().into_iter().flatten();
    let names = names.filter(|name| !is_qualified(name)).filter_map(Value::as_str);
    let warning = |name: &str| {
        format!(
            "metadata.finalizers: {name:?}: prefer a domain-qualified finalizer name to avoid accidental conflicts \
             with other finalizer writers"
        )
    };
    names.map(warning).collect()
}

fn is_qualified(name: &Value) -> bool {
    let standard = ["orphan", "foregroundDeletion", "kubernetes"];
    name.as_str().is_some_and(|name| name.contains('/') || standard.contains(&name))
}
