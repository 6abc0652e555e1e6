//! Admission: mutating and validating plugins, policies and webhooks.
//!
//! Webhooks apply to creates of whole objects only.

mod attributes;
pub(crate) mod expressions;
mod matching;
mod params;
mod pod;
mod policy;
mod quota;
mod service;
mod webhook;

use serde_json::{Value, json};

use crate::failure::Failure;
use crate::lifecycle;
use crate::store::Object;
use crate::write::{self, Target};

pub(crate) use attributes::{Attributes, Operation};

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
    policy::admit(target, &Attributes::create(object))?;
    quota::admit(target, object)
}

/// Whether a policy may be about such requests of a user. The server's own writes are no requests.
pub(crate) fn has_policies(target: &Target<'_>, operation: Operation, subresource: &str) -> bool {
    target.manager != write::ITSELF && policy::may_apply(target, operation, subresource)
}

/// Rejects an update or a deletion if a policy denies it.
pub(crate) fn admit_change(target: &Target<'_>, attributes: &Attributes<'_>) -> Result<(), Failure> {
    policy::admit(target, attributes)
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
