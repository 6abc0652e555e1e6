//! DELETE and deletecollection: immediate removal, finalizers and grace periods.

mod options;

use http::StatusCode;
use serde_json::{Value, json};

use crate::admission::{self, Attributes, Operation};
use crate::failure::{Failure, named};
use crate::metadata::{self, text};
use crate::resource_type::ResourceType;
use crate::store::{Commit, Decision, Object};
use crate::variant::Behaviour;
use crate::write::Target;

pub(crate) use options::DeleteOptions;

/// The namespaces that cannot be deleted.
const IMMORTAL: &[&str] = &["default", "kube-public", "kube-system"];

/// Deletes one object. The response has the object if it remains or its type requires it, else a `Status`.
pub(crate) fn delete(target: &Target<'_>, options: &DeleteOptions) -> Result<(StatusCode, Value), Failure> {
    let last = remove(target, target.name, options)?;
    let behaviours = &target.cluster.behaviours;
    let remains = metadata::remains_after_deletion(&last);
    // Only requests with `orphanDependents=false` get 202.
    let status =
        if remains && options.orphans == Some(false) { StatusCode::ACCEPTED } else { StatusCode::OK };
    let returns_object =
        remains || (always_returns_object(target.ty) && !behaviours.has(Behaviour::DeletionShowsStatus));
    if returns_object || behaviours.has(Behaviour::DeletionShowsObject) {
        return Ok((status, target.ty.in_version(&last)));
    }
    let mut details = named(target.name, target.ty, &target.ty.plural);
    details["uid"] = text(&last, "uid").into();
    let status_object = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details});
    Ok((status, status_object))
}

/// Deletes the listed objects of a collection. A failed precondition does not stop the deletion of the others.
pub(crate) fn delete_all(
    target: &Target<'_>,
    options: &DeleteOptions,
    objects: &[Object],
) -> Result<(), Failure> {
    let mut result = Ok(());
    for object in objects {
        let namespace = text(object, "namespace");
        let one = Target { namespace, ..*target };
        match remove(&one, text(object, "name"), options) {
            Err(failure) if !failure.is_not_found() && result.is_ok() => result = Err(failure),
            _ => {}
        }
    }
    result
}

fn remove(target: &Target<'_>, name: &str, options: &DeleteOptions) -> Result<Object, Failure> {
    if target.ty.is_built_in("namespaces") && IMMORTAL.contains(&name) {
        return Err(Failure::forbidden(target.ty, name, "this namespace may not be deleted"));
    }
    admit(target, name)?;
    // A pod without a grace period still gets a deletion timestamp by a separate write.
    let marks_first = target.ty.is_built_in("pods") && target.commit == Commit::Real;
    let mut marked_only = false;
    let deleted = target.write(name, |_, current| {
        let stored = current.ok_or_else(|| Failure::not_found(target.ty, name))?;
        target.cluster.semantics.delete_preconditions(check_preconditions(target.ty, stored, options))?;
        let mut object = Value::clone(stored);
        options.choose_finalizers(target.ty, &mut object);
        let period = grace(target.ty, &object, options);
        let expired = period.map_or(!target.ty.is_built_in("pods"), |period| period <= 0);
        if expired && !metadata::has_finalizers(&object) {
            marked_only = marks_first && !metadata::is_deleted(&object);
            if target.ty.is_built_in("pods") {
                metadata::mark_deleted(&mut object, Some(0));
            }
            metadata::tidy(&mut object);
            return Ok(if marked_only { Decision::Put(object) } else { Decision::Remove(object) });
        }
        mark(target.ty, &mut object, period);
        metadata::tidy(&mut object);
        Ok(Decision::Put(object))
    })?;
    if marked_only {
        // The background sweep may already have removed the object.
        return match remove(target, name, &DeleteOptions::at_once()) {
            Err(failure) if failure.is_not_found() => Ok(deleted),
            removed => removed,
        };
    }
    if target.commit == Commit::Real {
        target.cluster.sweep.notify_one();
    }
    Ok(deleted)
}

/// Shows the policies the object before the write: they read the store, which a write locks.
fn admit(target: &Target<'_>, name: &str) -> Result<(), Failure> {
    if !admission::has_policies(target, Operation::Delete, "") {
        return Ok(());
    }
    let key = target.ty.key(target.namespace, name);
    let current = target.cluster.store.current(&target.ty.collection(), &key);
    current.map_or(Ok(()), |object| {
        admission::admit_change(target, &Attributes::delete(&target.ty.in_version(&object)))
    })
}

/// Unlike an update, a deletion compares empty preconditions as well.
fn check_preconditions(ty: &ResourceType, stored: &Value, options: &DeleteOptions) -> Result<(), Failure> {
    let (name, uid, version) = (text(stored, "name"), text(stored, "uid"), text(stored, "resourceVersion"));
    if let Some(uid_precondition) = options.uid.as_deref().filter(|uid_precondition| *uid_precondition != uid)
    {
        let detail = format!(
            "the UID in the precondition ({uid_precondition}) does not match the UID in record ({uid}). The object might have \
             been deleted and then recreated"
        );
        return Err(Failure::broken_premise(ty, name, &detail));
    }
    if let Some(version_precondition) =
        options.version.as_deref().filter(|version_precondition| *version_precondition != version)
    {
        let detail = format!(
            "the ResourceVersion in the precondition ({version_precondition}) does not match the ResourceVersion in record \
             ({version}). The object might have been modified"
        );
        return Err(Failure::broken_premise(ty, name, &detail));
    }
    Ok(())
}

/// The grace period in seconds, above 0 only for scheduled pods. `None` keeps the current period.
fn grace(ty: &ResourceType, object: &Value, options: &DeleteOptions) -> Option<i64> {
    if !ty.is_built_in("pods") {
        return (!ty.is_built_in("namespaces")).then_some(0);
    }
    if metadata::is_deleted(object) && options.grace.is_none() {
        return None;
    }
    let unscheduled = object["spec"]["nodeName"].as_str().unwrap_or_default().is_empty();
    let terminated = matches!(object["status"]["phase"].as_str(), Some("Succeeded" | "Failed"));
    if unscheduled || terminated {
        return Some(0);
    }
    let requested = options.grace.or_else(|| object["spec"]["terminationGracePeriodSeconds"].as_i64());
    // A negative period means one second.
    Some(requested.map_or(0, |seconds| if seconds < 0 { 1 } else { seconds }))
}

/// Sets the deletion timestamp of an object that remains.
fn mark(ty: &ResourceType, object: &mut Value, period: Option<i64>) {
    metadata::mark_deleted(object, period);
    if ty.is_built_in("namespaces") {
        object["status"]["phase"] = "Terminating".into();
    }
    if ty.is_built_in("customresourcedefinitions") {
        crate::definition::terminate(object);
    }
}

/// Whether a deletion of this type returns the object even if it is gone.
fn always_returns_object(ty: &ResourceType) -> bool {
    let types = ["persistentvolumeclaims", "pods", "resourcequotas", "serviceaccounts", "services"];
    types.iter().any(|plural| ty.is_built_in(plural))
}
