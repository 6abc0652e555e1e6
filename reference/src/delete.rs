//! DELETE and deletecollection: immediate removal, finalizers and grace periods.

mod options;

use http::StatusCode;
use serde_json::{Value, json};

use crate::failure::{Failure, named};
use crate::metadata::{self, text};
use crate::resource_type::ResourceType;
use crate::store::{Commit, Decision, Object};
use crate::variant::Behaviour;
use crate::write::Target;

pub(crate) use options::DeleteOptions;

/// The namespaces that stay.
const IMMORTAL: &[&str] = &["default", "kube-public", "kube-system"];

/// Deletes one object; answers it if it stays for now (or is of a type that is always shown), or else that it is gone.
pub(crate) fn delete(target: &Target<'_>, options: &DeleteOptions) -> Result<(StatusCode, Value), Failure> {
    let last = remove(target, target.name, options)?;
    let behaviours = &target.cluster.behaviours;
    let held = metadata::is_held(&last);
    // Only who asks in the old way is told that it may take a while.
    let status = if held && options.orphans == Some(false) { StatusCode::ACCEPTED } else { StatusCode::OK };
    let shown = held || (shows_object(target.ty) && !behaviours.has(Behaviour::DeletionShowsStatus));
    if shown || behaviours.has(Behaviour::DeletionShowsObject) {
        return Ok((status, target.ty.in_version(&last)));
    }
    let mut details = named(target.name, target.ty, &target.ty.plural);
    details["uid"] = text(&last, "uid").into();
    let answer = json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details});
    Ok((status, answer))
}

/// Deletes objects of a collection, as they were listed. One that its premise does not hold for does not keep the others.
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
    // A pod that goes at once is marked all the same, by a change of its own.
    let marks = target.ty.is_built_in("pods") && target.commit == Commit::Real;
    let mut marked_only = false;
    let deleted = target.write(name, |_, current| {
        let stored = current.ok_or_else(|| Failure::not_found(target.ty, name))?;
        target.cluster.semantics.delete_preconditions(check_preconditions(target.ty, stored, options))?;
        let mut object = Value::clone(stored);
        options.choose_finalizers(target.ty, &mut object);
        let period = grace(target.ty, &object, options);
        let over = period.map_or(!target.ty.is_built_in("pods"), |period| period <= 0);
        if over && !metadata::has_finalizers(&object) {
            marked_only = marks && !metadata::is_deleted(&object);
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
        // The sweep may have been here before.
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

/// Unlike in an update, an empty precondition is compared, too.
fn check_preconditions(ty: &ResourceType, stored: &Value, options: &DeleteOptions) -> Result<(), Failure> {
    let (name, uid, version) = (text(stored, "name"), text(stored, "uid"), text(stored, "resourceVersion"));
    if let Some(given) = options.uid.as_deref().filter(|given| *given != uid) {
        let why = format!(
            "the UID in the precondition ({given}) does not match the UID in record ({uid}). The object might have \
             been deleted and then recreated"
        );
        return Err(Failure::broken_premise(ty, name, &why));
    }
    if let Some(given) = options.version.as_deref().filter(|given| *given != version) {
        let why = format!(
            "the ResourceVersion in the precondition ({given}) does not match the ResourceVersion in record \
             ({version}). The object might have been modified"
        );
        return Err(Failure::broken_premise(ty, name, &why));
    }
    Ok(())
}

/// How long an object is given to end: only a pod that runs somewhere is given any time. None leaves it at what it has.
fn grace(ty: &ResourceType, object: &Value, options: &DeleteOptions) -> Option<i64> {
    if !ty.is_built_in("pods") {
        return (!ty.is_built_in("namespaces")).then_some(0);
    }
    if metadata::is_deleted(object) && options.grace.is_none() {
        return None;
    }
    let nowhere = object["spec"]["nodeName"].as_str().unwrap_or_default().is_empty();
    let over = matches!(object["status"]["phase"].as_str(), Some("Succeeded" | "Failed"));
    if nowhere || over {
        return Some(0);
    }
    let wanted = options.grace.or_else(|| object["spec"]["terminationGracePeriodSeconds"].as_i64());
    // A negative period is the shortest.
    Some(wanted.map_or(0, |seconds| if seconds < 0 { 1 } else { seconds }))
}

/// Marks what cannot go yet.
fn mark(ty: &ResourceType, object: &mut Value, period: Option<i64>) {
    metadata::mark_deleted(object, period);
    if ty.is_built_in("namespaces") {
        object["status"]["phase"] = "Terminating".into();
    }
    if ty.is_built_in("customresourcedefinitions") {
        crate::definition::terminate(object);
    }
}

/// Whether a deletion of a type answers the object even when it is gone.
fn shows_object(ty: &ResourceType) -> bool {
    let types = ["persistentvolumeclaims", "pods", "resourcequotas", "serviceaccounts", "services"];
    types.iter().any(|plural| ty.is_built_in(plural))
}
