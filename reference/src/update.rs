//! PUT, PATCH and apply: new state of an object, or its creation.

use serde_json::Value;

use crate::failure::{Cause, Failure};
use crate::field_validation::FieldCheck;
use crate::managed_fields::{self, Writer};
use crate::metadata::{self, text};
use crate::patch::Configuration;
use crate::resource_type::ResourceType;
use crate::store::{Decision, Object};
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
        Ok(object.clone().into())
    })
}

/// Creates what was to be updated. A version does not prevent it, an identity does.
fn create(target: &Target<'_>, object: &Value) -> Result<Object, Failure> {
    let uid = text(object, "uid");
    if !uid.is_empty() {
        return Err(metadata::other_uid(target.ty, target.namespace, target.name, uid, ""));
    }
    write::create(target, &without_version(object))
}

fn without_version(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(fields) = object["metadata"].as_object_mut() {
        fields.shift_remove("resourceVersion");
    }
    object
}

/// What an object is to become.
pub(crate) struct Next {
    /// Its new state.
    pub(crate) object: Value,
    /// Its managers, if they are known already.
    pub(crate) managers: Option<Value>,
}

impl From<Value> for Next {
    fn from(object: Value) -> Self {
        Self { object, managers: None }
    }
}

/// Changes a part of an object by a function of its current state.
pub(crate) fn patch(
    target: &Target<'_>,
    part: Part,
    change: impl FnOnce(&Value) -> Result<Next, Failure>,
) -> Result<Object, Failure> {
    write(target, part, |current| {
        let next = change(current)?;
        target.check_place(&next.object)?;
        check_uid(target, current, &next.object)?;
        check_unconditional(target, &next.object)?;
        Ok(next)
    })
}

/// Applies to a part of an object. An object that is not there is created, if whoever asks may.
pub(crate) fn apply(
    target: &Target<'_>,
    part: Part,
    config: &Configuration,
    check: &mut FieldCheck,
    may_create: impl Fn() -> Result<(), Failure>,
) -> Result<Updated, Failure> {
    let writer = Writer::new(target.manager, target.ty, part);
    for _ in 0..TRIES {
        match patch(target, part, |current| config.next(&writer, Some(current), check)) {
            Err(failure) if part == Part::Main && failure.is_not_found() => {}
            result => return result.map(Updated::Changed),
        }
        may_create()?;
        match create_applied(target, &config.next(&writer, None, check)?) {
            Err(failure) if failure.is_already_exists() => {}
            result => return result.map(Updated::Created),
        }
    }
    Err(Failure::already_exists(target.ty, target.name))
}

fn create_applied(target: &Target<'_>, next: &Next) -> Result<Object, Failure> {
    let uid = text(&next.object, "uid");
    if !uid.is_empty() {
        let why = format!(
            "uid mismatch: the provided object specified uid {uid}, and no existing object was found"
        );
        return Err(Failure::conflict(target.ty, target.name, &why));
    }
    target.check_place(&next.object)?;
    write::create_managed(target, &without_version(&next.object), next.managers.as_ref())
}

/// Writes what becomes of the object. Where that ends it, the response shows it at the version that it had.
fn write(
    target: &Target<'_>,
    part: Part,
    change: impl FnOnce(&Value) -> Result<Next, Failure>,
) -> Result<Object, Failure> {
    let mut last = None;
    let written = target.write(target.name, |_, current| {
        let current = target.found(current)?;
        let decision = decide(target, part, &current, change(&current)?)?;
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

fn decide(target: &Target<'_>, part: Part, current: &Value, next: Next) -> Result<Decision, Failure> {
    let semantics = &target.cluster.semantics;
    let managers = managers(target, part, current, &next);
    let mut object = next.object;
    let given = text(&object, "resourceVersion").to_owned();
    semantics.update_preconditions(check_preconditions(target.ty, current, &object))?;
    managed_fields::set_entries(&mut object, managers);
    strategy::update(target.ty, part, current, &mut object)?;
    semantics.client_version(&mut object, &given);
    let held = metadata::is_held(&object);
    store_in_storage_version(target.ty, &mut object);
    Ok(if metadata::is_deleted(&object) && !held { Decision::Remove(object) } else { Decision::Put(object) })
}

/// Who manages the object when it has become another. What is only filled in is managed as if it had been said.
fn managers(target: &Target<'_>, part: Part, current: &Value, next: &Next) -> Value {
    let mut complete = next.object.clone();
    strategy::complete(target.ty, &mut complete);
    if next.managers.is_some() {
        // An apply cannot take away what is the server's: a null there says nothing.
        metadata::keep_system_fields(current, &mut complete);
    }
    let tracked = next.managers.clone().unwrap_or_else(|| {
        managed_fields::track(&Writer::new(target.manager, target.ty, part), Some(current), &complete)
    });
    managed_fields::keep_times(current, &complete, tracked)
}

/// A version that is not a number is an error, and no conflict.
fn check_preconditions(ty: &ResourceType, current: &Value, object: &Value) -> Result<(), Failure> {
    let (version, uid) = (text(object, "resourceVersion"), text(object, "uid"));
    if !version.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Failure::untranslated(format!("strconv.ParseUint: parsing {version:?}: invalid syntax")));
    }
    metadata::check_premise(ty, current, version, uid)
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
