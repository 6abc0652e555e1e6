//! delete and deletecollection: at once, or marked until the last finalizer is gone.

use serde_json::{Value, json};

use crate::failure::{Cause, Failure, named};
use crate::metadata::{self, text};
use crate::query::{Query, check_dry_run};
use crate::resource::ResourceType;
use crate::selector::Selector;
use crate::store::{Commit, Decision, Object, Range, StoreFlaw};
use crate::variant::Habit;
use crate::write::Target;

/// What a deletion was told.
#[derive(Default)]
pub(crate) struct DeleteOptions {
    uid: String,
    version: String,
    /// Whether nothing is to be deleted really.
    pub(crate) dry_run: bool,
}

impl DeleteOptions {
    /// Reads the options from body and query; the body wins where both speak.
    pub(crate) fn of(query: &Query, body: &Value) -> Result<Self, Failure> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let in_body = body["dryRun"].as_array().into_iter().flatten();
        let asked: Vec<_> = in_body.map(|value| value.as_str().unwrap_or_default()).collect();
        let dry_run = check_dry_run(&asked, "DeleteOptions")? || query.dry_run("DeleteOptions")?;
        check_policy(body["propagationPolicy"].as_str().unwrap_or_else(|| query.first("propagationPolicy")))?;
        let premises = &body["preconditions"];
        Ok(Self { uid: text(&premises["uid"]), version: text(&premises["resourceVersion"]), dry_run })
    }
}

/// What becomes of dependents is accepted and left to a garbage collector, which this server has not.
fn check_policy(policy: &str) -> Result<(), Failure> {
    if matches!(policy, "" | "Foreground" | "Background" | "Orphan") {
        return Ok(());
    }
    let supported = &["Foreground", "Background", "Orphan", "nil"];
    let cause = Cause::not_supported("propagationPolicy", &format!("{policy:?}"), supported);
    Err(Failure::invalid("meta.k8s.io", "DeleteOptions", "", &[cause]))
}

/// Deletes one object; answers it if it stays for now, or else that it is gone.
pub(crate) fn delete(target: &Target<'_>, options: &DeleteOptions) -> Result<Value, Failure> {
    let last = remove(target, target.name, options)?;
    let habits = &target.cluster.habits;
    let held = metadata::is_held(&last) && !habits.has(Habit::DeletionShowsStatus);
    if held || habits.has(Habit::DeletionShowsObject) {
        return Ok(target.ty.in_version(&last));
    }
    let mut details = named(target.name, target.ty, &target.ty.plural);
    details["uid"] = text(&last, "uid").into();
    Ok(json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details}))
}

/// Deletes the selected objects; answers them as they were.
pub(crate) fn delete_collection(
    target: &Target<'_>,
    options: &DeleteOptions,
    selector: &Selector,
) -> Result<Vec<Object>, Failure> {
    let collection = target.ty.group_resource();
    let prefix = target.ty.prefix(target.namespace);
    let selected = target
        .cluster
        .store
        .page(&collection, &Range::all(&prefix), None, |object| selector.matches(object))
        .map_err(|why| crate::list::unavailable(&why))?;
    for object in &selected.items {
        let namespace = text(object, "namespace");
        let one = Target { namespace, ..*target };
        match remove(&one, text(object, "name"), options) {
            Err(failure) if !failure.is_not_found() => return Err(failure),
            _ => {}
        }
    }
    Ok(selected.items)
}

fn remove(target: &Target<'_>, name: &str, options: &DeleteOptions) -> Result<Object, Failure> {
    let flaws = target.cluster.store.flaws();
    let deleted = target.write(name, |_, current| {
        let stored = current.ok_or_else(|| Failure::not_found(target.ty, name))?;
        if !flaws.has(StoreFlaw::IgnoresPreconditions) {
            metadata::check_premise(target.ty, stored, &options.version, &options.uid)?;
        }
        let mut object = Value::clone(stored);
        if !metadata::is_held(&object) || flaws.has(StoreFlaw::IgnoresFinalizers) {
            return Ok(Decision::Remove(object));
        }
        mark(target.ty, &mut object);
        Ok(Decision::Put(object))
    })?;
    if target.commit == Commit::Real {
        target.cluster.sweep.notify_one();
    }
    Ok(deleted)
}

/// Marks what cannot go yet.
fn mark(ty: &ResourceType, object: &mut Value) {
    let built_in = |plural| ty.custom.is_none() && ty.plural == plural;
    metadata::mark_deleted(object, !built_in("namespaces"));
    if built_in("namespaces") {
        object["status"]["phase"] = "Terminating".into();
    }
    if built_in("customresourcedefinitions") {
        crate::definition::terminate(object);
    }
}
