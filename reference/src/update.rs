//! update and patch: a new state for an object that is there.

use serde_json::Value;

use crate::failure::{Cause, Failure};
use crate::metadata::{self, text};
use crate::store::{Decision, Object, StoreFlaw};
use crate::strategy::{self, Part};
use crate::write::{self, Target, store_in_storage_version};

/// How often an update that would create is tried again when somebody else was faster.
const TRIES: usize = 5;

/// What became of an update.
pub(crate) enum Updated {
    /// The object has this state now.
    Changed(Object),
    /// There was no such object, now there is.
    Created(Object),
}

/// Replaces a part of an object. Objects of some types are created if they are not there.
pub(crate) fn update(target: &Target<'_>, part: Part, object: &Value) -> Result<Updated, Failure> {
    target.check_place(object)?;
    let mut result = replace(target, part, object);
    for _ in 0..TRIES {
        let creates = part == Part::Main && target.ty.creates_on_update();
        match result {
            Err(failure) if creates && failure.is_not_found() => {}
            result => return result.map(Updated::Changed),
        }
        match create(target, object) {
            Err(failure) if failure.is_already_exists() => result = replace(target, part, object),
            result => return result.map(Updated::Created),
        }
    }
    result.map(Updated::Changed)
}

fn replace(target: &Target<'_>, part: Part, object: &Value) -> Result<Object, Failure> {
    write(target, part, |_| {
        check_unconditional(target, object)?;
        Ok(object.clone())
    })
}

/// Creates what was to be updated. A version does not prevent it, an identity does.
fn create(target: &Target<'_>, object: &Value) -> Result<Object, Failure> {
    let uid = text(object, "uid");
    if !uid.is_empty() {
        return Err(metadata::other_uid(target.ty, target.namespace, target.name, uid, ""));
    }
    let mut object = object.clone();
    if let Some(fields) = object["metadata"].as_object_mut() {
        fields.shift_remove("resourceVersion");
    }
    write::create(target, &object)
}

/// Changes a part of an object by a function of its current state.
pub(crate) fn patch(
    target: &Target<'_>,
    part: Part,
    change: impl FnOnce(&Value) -> Result<Value, Failure>,
) -> Result<Object, Failure> {
    write(target, part, |current| {
        let object = change(current)?;
        target.check_place(&object)?;
        check_uid(target, current, &object)?;
        Ok(object)
    })
}

/// Writes what becomes of the object. Where that ends it, the answer shows it at the version that it had.
fn write(
    target: &Target<'_>,
    part: Part,
    change: impl FnOnce(&Value) -> Result<Value, Failure>,
) -> Result<Object, Failure> {
    let mut last = None;
    let written = target.write(target.name, |_, current| {
        let current = target.found(current)?;
        let object = change(&current)?;
        let decision = next(target, part, &current, object)?;
        last =
            matches!(decision, Decision::Remove(_)).then(|| current["metadata"]["resourceVersion"].clone());
        Ok(decision)
    })?;
    let Some(version) = last else { return Ok(written) };
    let mut shown = Value::clone(&written);
    shown["metadata"]["resourceVersion"] = version;
    Ok(shown.into())
}

/// A patch is no premise: one that changes the identity is refused as a change, not as a conflict.
fn check_uid(target: &Target<'_>, current: &Value, object: &Value) -> Result<(), Failure> {
    let uid = text(object, "uid");
    if uid.is_empty() || uid == text(current, "uid") {
        return Ok(());
    }
    let cause = Cause::immutable("metadata.uid", &uid.into());
    Err(Failure::invalid(&target.ty.group, &target.ty.kind, target.name, &[cause]))
}

fn next(target: &Target<'_>, part: Part, current: &Value, mut object: Value) -> Result<Decision, Failure> {
    let flaws = target.cluster.store.flaws();
    let given = text(&object, "resourceVersion").to_owned();
    if !flaws.has(StoreFlaw::IgnoresPreconditions) && !flaws.has(StoreFlaw::TakesVersions) {
        let (version, uid) = (given.as_str(), text(&object, "uid"));
        check_version(version)?;
        metadata::check_premise(target.ty, current, version, uid)?;
    }
    strategy::update(target.ty, part, current, &mut object)?;
    if flaws.has(StoreFlaw::TakesVersions) && !given.is_empty() {
        object["metadata"]["resourceVersion"] = given.into();
    }
    let held = metadata::is_held(&object);
    store_in_storage_version(target.ty, &mut object);
    Ok(if metadata::is_deleted(&object) && !held { Decision::Remove(object) } else { Decision::Put(object) })
}

/// A version that is no number is no conflict but an error.
fn check_version(version: &str) -> Result<(), Failure> {
    if version.is_empty() || version.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(());
    }
    Err(Failure::untranslated(format!("strconv.ParseUint: parsing {version:?}: invalid syntax")))
}

/// Updates of some types must say which version they replace. The refusal names the resource, not the kind.
fn check_unconditional(target: &Target<'_>, object: &Value) -> Result<(), Failure> {
    let ty = target.ty;
    if !ty.needs_version() || !matches!(text(object, "resourceVersion"), "" | "0") {
        return Ok(());
    }
    let cause = Cause::invalid("metadata.resourceVersion", &0.into(), "must be specified for an update");
    Err(Failure::invalid(&ty.group, &ty.plural, target.name, &[cause]))
}
