//! Unsafe delete: validation and refusal of ignoreStoreReadErrorWithClusterBreakingPotential.

use http::Method;
use serde_json::Value;

use super::Call;
use crate::auth::User;
use crate::failure::{Cause, Failure};
use crate::resource_type::ResourceType;
use crate::route::ResourcePath;

const OPTION: &str = "ignoreStoreReadErrorWithClusterBreakingPotential";

/// The verb that the user needs besides `delete`. No role grants it.
const VERB: &str = "unsafe-delete-ignore-read-errors";

/// The incompatible options.
const OTHERS: &[&str] =
    &["gracePeriodSeconds", "orphanDependents", "preconditions", "propagationPolicy", "dryRun"];

/// Rejects a forced deletion of a readable object, or of a collection.
pub(super) fn check(call: &Call, path: &ResourcePath, ty: &ResourceType) -> Result<(), Failure> {
    if call.method != Method::DELETE
        || !option_value(call, OPTION).is_some_and(|value| value == true || value == "true")
    {
        return Ok(());
    }
    let conflicting = OTHERS.iter().filter(|other| option_value(call, other).is_some());
    let causes: Vec<_> =
        conflicting.map(|other| cause(&format!("cannot be set together with .{other}"))).collect();
    refuse_options(&causes)?;
    if path.name.is_empty() {
        let detail = "is not allowed with DELETECOLLECTION, try again after removing the option";
        return refuse_options(&[cause(detail)]);
    }
    if call.user != User::Admin {
        let detail = format!("not permitted to do {VERB:?}, reason: ");
        return Err(Failure::forbidden(ty, &path.name, &detail));
    }
    let key = ty.key(&path.namespace, &path.name);
    if call.cluster.store.current(&ty.collection(), &key).is_none() {
        return Ok(());
    }
    let detail = "is exclusively used to delete corrupt object(s), try again by removing this option";
    Err(Failure::invalid(&ty.group, &ty.plural, &path.name, &[cause(detail)]))
}

/// The value of an option in the body, or in the query if there is no body.
fn option_value(call: &Call, option: &str) -> Option<Value> {
    if call.body.is_empty() {
        return call.query.has(option).then(|| call.query.first(option).into());
    }
    let body: Value = serde_json::from_slice(&call.body).ok()?;
    body.get(option).cloned()
}

fn cause(detail: &str) -> Cause {
    Cause::invalid(OPTION, &true.into(), detail)
}

fn refuse_options(causes: &[Cause]) -> Result<(), Failure> {
    match causes {
        [] => Ok(()),
        causes => Err(Failure::invalid("meta.k8s.io", "DeleteOptions", "", causes)),
    }
}
