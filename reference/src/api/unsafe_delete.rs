//! Unsafe delete: validation and refusal of ignoreStoreReadErrorWithClusterBreakingPotential.

use http::Method;
use serde_json::Value;

use super::Call;
use crate::auth::User;
use crate::failure::{Cause, Failure};
use crate::resource_type::ResourceType;
use crate::route::ResourcePath;

const OPTION: &str = "ignoreStoreReadErrorWithClusterBreakingPotential";

/// The verb that a user needs for it besides `delete`. No role gives it to anybody here.
const VERB: &str = "unsafe-delete-ignore-read-errors";

/// The options that it does not go with.
const OTHERS: &[&str] =
    &["gracePeriodSeconds", "orphanDependents", "preconditions", "propagationPolicy", "dryRun"];

/// Refuses a deletion by force of an object that is there, or of a collection.
pub(super) fn check(call: &Call, path: &ResourcePath, ty: &ResourceType) -> Result<(), Failure> {
    if call.method != Method::DELETE || !said(call, OPTION).is_some_and(|said| said == true || said == "true")
    {
        return Ok(());
    }
    let with = OTHERS.iter().filter(|other| said(call, other).is_some());
    let causes: Vec<_> = with.map(|other| cause(&format!("cannot be set together with .{other}"))).collect();
    refuse_options(&causes)?;
    if path.name.is_empty() {
        let why = "is not allowed with DELETECOLLECTION, try again after removing the option";
        return refuse_options(&[cause(why)]);
    }
    if call.user != User::Admin {
        let why = format!("not permitted to do {VERB:?}, reason: ");
        return Err(Failure::forbidden(ty, &path.name, &why));
    }
    let key = ty.key(&path.namespace, &path.name);
    if call.cluster.store.current(&ty.group_resource(), &key).is_none() {
        return Ok(());
    }
    let why = "is exclusively used to delete corrupt object(s), try again by removing this option";
    Err(Failure::invalid(&ty.group, &ty.plural, &path.name, &[cause(why)]))
}

/// The value of an option, in the body if there is one, or else in the query.
fn said(call: &Call, option: &str) -> Option<Value> {
    if call.body.is_empty() {
        return call.query.has(option).then(|| call.query.first(option).into());
    }
    let body: Value = serde_json::from_slice(&call.body).ok()?;
    body.get(option).cloned()
}

fn cause(why: &str) -> Cause {
    Cause::invalid(OPTION, &true.into(), why)
}

fn refuse_options(causes: &[Cause]) -> Result<(), Failure> {
    match causes {
        [] => Ok(()),
        causes => Err(Failure::invalid("meta.k8s.io", "DeleteOptions", "", causes)),
    }
}
