//! managedFields after a create, update or patch.

use std::collections::BTreeMap;

use serde_json::Value;

use super::entries::{Managed, Manager, is_reset};
use super::manager_limit::cap;
use super::required_fields::with_required_fields;
use super::{Versions, entries, without_entries};
use crate::apply::{self, FieldSet, Owners, Path, Types, same};
use crate::metadata::{now, text};
use crate::resource_type::ResourceType;
use crate::strategy::Part;

/// The manager of a writer without a name.
const UNKNOWN: &str = "unknown";

/// The fields without a manager.
const STRIPPED: &[&[&str]] = &[
    &["apiVersion"],
    &["kind"],
    &["metadata"],
    &["metadata", "name"],
    &["metadata", "namespace"],
    &["metadata", "creationTimestamp"],
    &["metadata", "selfLink"],
    &["metadata", "uid"],
    &["metadata", "clusterName"],
    &["metadata", "generation"],
    &["metadata", "managedFields"],
    &["metadata", "resourceVersion"],
];

/// A write: its manager, type and subresource.
pub(crate) struct Writer<'a> {
    /// The name of the manager.
    pub(crate) name: &'a str,
    pub(crate) ty: &'a ResourceType,
    /// The subresource of the request; empty for the object itself.
    pub(crate) subresource: &'a str,
    /// The versions of the type.
    pub(crate) versions: Versions<'a>,
}

impl<'a> Writer<'a> {
    /// The writer of a part of an object.
    pub(crate) fn new(name: &'a str, ty: &'a ResourceType, part: Part) -> Self {
        let name = if name.is_empty() { UNKNOWN } else { name };
        Self { name, ty, subresource: part.subresource(), versions: Versions::new(ty, part) }
    }

    /// The writer of a scale subresource. `ty` is the type of scales.
    pub(crate) fn of_scale(name: &'a str, ty: &'a ResourceType) -> Self {
        Self { subresource: "scale", ..Self::new(name, ty, Part::Main) }
    }

    pub(super) fn updater(&self) -> Manager {
        self.updater_named(self.name)
    }

    pub(super) fn updater_named(&self, name: &str) -> Manager {
        Manager::updater(name, self.versions.version(), self.subresource)
    }

    pub(super) fn applier(&self) -> Manager {
        Manager::applier(self.name, self.subresource)
    }

    /// An object with only its type.
    pub(super) fn empty(&self) -> Value {
        serde_json::json!({"apiVersion": self.ty.api_version(), "kind": self.ty.kind})
    }

    /// An object in the form for comparisons.
    pub(super) fn comparable(&self, object: &Value) -> Value {
        let object = without_entries(object);
        let mut object =
            if self.ty.custom.is_some() { object } else { with_required_fields(self.ty, &object) };
        super::set_entries(&mut object, Value::Null);
        object
    }
}

/// The managers after a write with defaults. Without a live object, the write is a create.
pub(crate) fn track(writer: &Writer<'_>, live: Option<&Value>, new: &Value) -> Value {
    let empty = writer.empty();
    let managed = managers_before(writer, live.unwrap_or(&empty), new);
    // An unmanaged object stays unmanaged until the first apply.
    if managed.owners.is_empty() && live.is_some() {
        return Value::Null;
    }
    let tracked = take(writer, live.unwrap_or(&empty), new, managed, &writer.updater());
    tracked
        .map(|mut managed| {
            cap(&mut managed);
            managed.encode()
        })
        // A write never fails because of its managers: unknown ones are dropped.
        .unwrap_or_default()
}

/// The managers before the write: those of the request if allowed and present, else those of the live object.
fn managers_before(writer: &Writer<'_>, live: &Value, new: &Value) -> Managed {
    let live_managers = || Managed::decode(entries(live)).unwrap_or_default();
    if !writer.subresource.is_empty() {
        return live_managers();
    }
    if is_reset(entries(new)) {
        return Managed::default();
    }
    Managed::decode(entries(new)).filter(|managed| !managed.owners.is_empty()).unwrap_or_else(live_managers)
}

/// Gives a manager the fields that a write changes.
pub(super) fn take(
    writer: &Writer<'_>,
    live: &Value,
    new: &Value,
    managed: Managed,
    updater: &Manager,
) -> Result<Managed, String> {
    // A temporary manager separates new fields from earlier ones: only new fields change the manager's time.
    let current = Manager::updater("current-operation", "", "");
    let (live, new) = (writer.comparable(live), writer.comparable(new));
    for object in [&live, &new] {
        apply::validate_stored(&writer.versions.known(writer.versions.version())?, object)?;
    }
    let mut owners = apply::update(&writer.versions, &live, &new, &managed.owners, &current)?;
    strip(&mut owners, &current);
    let mut times = managed.times;
    if let Some(mut taken) = owners.remove(&current) {
        if let Some(before) = owners.get(updater) {
            taken.fields = taken.fields.union(&before.fields);
        }
        owners.insert(updater.clone(), taken);
        times.insert(updater.clone(), now());
    }
    Ok(Managed { owners, times })
}

/// Removes unmanageable fields from a manager.
pub(super) fn strip(owners: &mut Owners<Manager>, manager: &Manager) {
    let stripped: Vec<Path> = STRIPPED.iter().map(|path| Path::of(path)).collect();
    if let Some(owned) = owners.get_mut(manager) {
        owned.fields = owned.fields.difference(&FieldSet::of(&stripped));
    }
    owners.retain(|_, owned| !owned.fields.is_empty());
}

/// The entries without their times.
fn timeless(entries: &Value) -> Vec<BTreeMap<&str, &Value>> {
    let entries = entries.as_array().into_iter().flatten();
    let fields = entries.map(|entry| entry.as_object().into_iter().flatten());
    let timeless = fields.map(|fields| fields.filter(|(name, _)| *name != "time"));
    timeless.map(|fields| fields.map(|(name, value)| (name.as_str(), value)).collect()).collect()
}

/// Keeps the old times if the write changes nothing else.
pub(crate) fn keep_times(live: &Value, new: &Value, tracked: Value) -> Value {
    let before = entries(live);
    let unchanged = text(live, "uid") == text(new, "uid")
        && timeless(before) == timeless(&tracked)
        && same(&without_entries(live), &without_entries(new));
    if unchanged { before.clone() } else { tracked }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_write_that_changes_only_times_keeps_the_old_ones() {
        let entries =
            |time: &str, manager: &str| json!([{ "time": time, "manager": manager, "fieldsV1": {} }]);
        let object = |managers: Value, data: Value| -> Value {
            json!({ "metadata": { "uid": "a", "managedFields": managers }, "data": data })
        };
        let live = object(entries("old", "m"), json!({}));
        let kept = |manager: &str, data: Value| {
            keep_times(&live, &object(Value::Null, data), entries("new", manager))
        };
        assert_eq!(kept("m", json!({})), entries("old", "m"));
        assert_eq!(kept("n", json!({})), entries("new", "n"));
        assert_eq!(kept("m", json!({ "a": "b" })), entries("new", "m"));
    }
}
