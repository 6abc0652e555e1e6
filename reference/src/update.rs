//! PUT, PATCH and apply: new state of an object, or its creation.

use serde_json::Value;

use crate::admission::{self, Attributes, Operation};
use crate::failure::{Cause, Failure};
use crate::field_validation::FieldCheck;
use crate::managed_fields::{self, Writer};
use crate::metadata::{self, text};
use crate::object_size;
use crate::patch::Configuration;
use crate::resource_type::ResourceType;
use crate::store::{Commit, Decision, Object};
use crate::strategy::{self, Part};
use crate::write::{self, Target};

/// The maximum number of retries of an update that may create, after concurrent creates.
const MAX_RETRIES: usize = 5;

/// The result of an update.
pub(crate) enum Updated {
    /// The update changed the object.
    Changed(Object),
    /// The update created the object.
    Created(Object),
}

/// Replaces a part of an object, or creates an object of some types.
pub(crate) fn update(target: &Target<'_>, part: Part, object: &Value) -> Result<Updated, Failure> {
    target.check_place(object)?;
    let mut result = replace(target, part, object);
    for _ in 0..MAX_RETRIES {
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

/// Creates the object of an update, with any version but without a UID.
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

/// The next state of an object.
pub(crate) struct Next {
    pub(crate) object: Value,
    /// The `managedFields`, if they are known already.
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
    mut change: impl FnMut(&Value) -> Result<Next, Failure>,
) -> Result<Object, Failure> {
    write(target, part, |current| {
        let next = change(current)?;
        target.check_place(&next.object)?;
        check_uid(target, current, &next.object)?;
        check_unconditional(target, &next.object)?;
        Ok(next)
    })
}

/// Applies to a part of an object, or creates the object if the user may.
pub(crate) fn apply(
    target: &Target<'_>,
    part: Part,
    config: &Configuration,
    check: &mut FieldCheck,
    may_create: impl Fn() -> Result<(), Failure>,
) -> Result<Updated, Failure> {
    let writer = Writer::new(target.manager, target.ty, part);
    for _ in 0..MAX_RETRIES {
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
        let detail = format!(
            "uid mismatch: the provided object specified uid {uid}, and no existing object was found"
        );
        return Err(Failure::conflict(target.ty, target.name, &detail));
    }
    target.check_place(&next.object)?;
    write::create_managed(target, &without_version(&next.object), next.managers.as_ref())
}

/// Writes the next state of an object. If that removes it, the response has the version from before.
fn write(
    target: &Target<'_>,
    part: Part,
    mut change: impl FnMut(&Value) -> Result<Next, Failure>,
) -> Result<Object, Failure> {
    if admission::has_policies(target, Operation::Update, part.subresource()) {
        admit(target, part, &mut change)?;
    }
    let mut last = None;
    let written = target.write(target.name, |_, current| {
        let current = target.found(current)?;
        let decision = decide(target, part, &current, change(&current)?)?;
        last =
            matches!(decision, Decision::Remove(_)).then(|| current["metadata"]["resourceVersion"].clone());
        Ok(decision)
    })?;
    let Some(version) = last else { return Ok(written) };
    let mut response = Value::clone(&written);
    response["metadata"]["resourceVersion"] = version;
    Ok(response.into())
}

/// Shows the policies the next state before the write: they read the store, which a write locks.
fn admit(
    target: &Target<'_>,
    part: Part,
    change: &mut impl FnMut(&Value) -> Result<Next, Failure>,
) -> Result<(), Failure> {
    let rehearsal = Target { commit: Commit::Dry, ..*target };
    let mut old = Value::Null;
    let next = rehearsal.write(target.name, |_, current| {
        old = rehearsal.found(current)?;
        decide(&rehearsal, part, &old, change(&old)?)
    })?;
    let next = target.ty.in_version(&next);
    admission::admit_change(target, &Attributes::update(&next, &old, part.subresource()))
}

/// A patch with another UID is an invalid change, not a conflict.
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
    let Next { mut object, managers: applied } = next;
    let is_apply = applied.is_some();
    let managers = managers(target, part, current, &object, applied)?;
    let client_version = text(&object, "resourceVersion").to_owned();
    semantics.update_preconditions(check_preconditions(target.ty, current, &object))?;
    managed_fields::set_entries(&mut object, managers);
    strategy::update(target.ty, part, current, &mut object, &target.cluster.expressions)?;
    semantics.client_version(&mut object, &client_version);
    let remains = metadata::remains_after_deletion(&object);
    target.ty.convert_to_storage_version(&mut object);
    if metadata::is_deleted(&object) && !remains {
        return Ok(Decision::Remove(object));
    }
    object_size::put(object, is_apply)
}

/// The managers of the next state. They own defaults like explicit values.
fn managers(
    target: &Target<'_>,
    part: Part,
    current: &Value,
    object: &Value,
    applied: Option<Value>,
) -> Result<Value, Failure> {
    let mut complete = object.clone();
    strategy::complete(target.ty, &mut complete)?;
    if applied.is_some() {
        // An apply cannot remove system fields: the server ignores a null.
        metadata::keep_system_fields(current, &mut complete);
    }
    let tracked = applied.unwrap_or_else(|| {
        managed_fields::track(&Writer::new(target.manager, target.ty, part), Some(current), &complete)
    });
    Ok(managed_fields::keep_times(current, &complete, tracked))
}

/// A version that is not a number is an error, not a conflict.
fn check_preconditions(ty: &ResourceType, current: &Value, object: &Value) -> Result<(), Failure> {
    let (version, uid) = (text(object, "resourceVersion"), text(object, "uid"));
    if !version.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Failure::untranslated(format!("strconv.ParseUint: parsing {version:?}: invalid syntax")));
    }
    metadata::check_premise(ty, current, version, uid)
}

/// Updates of some types require a version. The error has the resource instead of the kind.
fn check_unconditional(target: &Target<'_>, object: &Value) -> Result<(), Failure> {
    let ty = target.ty;
    if !ty.needs_version() || !matches!(text(object, "resourceVersion"), "" | "0") {
        return Ok(());
    }
    let cause = Cause::invalid("metadata.resourceVersion", &0.into(), "must be specified for an update");
    Err(Failure::invalid(&ty.group, &ty.plural, target.name, &[cause]))
}
