//! managedFields after a create, update or patch.

use serde_json::Value;

use super::entries::{Managed, Manager, is_reset};
use super::manager_limit::cap;
use super::required_fields::filled;
use super::{Versions, entries};
use crate::apply::{self, FieldSet, Owners, Path, Types, same};
use crate::metadata::{now, text};
use crate::resource_type::ResourceType;
use crate::strategy::Part;

/// The name of a manager that has none.
const UNKNOWN: &str = "unknown";

/// What nobody manages.
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

/// Who writes what.
pub(crate) struct Writer<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// The type of what is written.
    pub(crate) ty: &'a ResourceType,
    /// The subresource that it is written through.
    pub(crate) subresource: &'a str,
    /// The versions of the type.
    pub(crate) versions: Versions<'a>,
}

impl<'a> Writer<'a> {
    /// Who writes a part of an object.
    pub(crate) fn new(name: &'a str, ty: &'a ResourceType, part: Part) -> Self {
        let name = if name.is_empty() { UNKNOWN } else { name };
        Self { name, ty, subresource: part.subresource(), versions: Versions::new(ty, part) }
    }

    /// Who writes through the scale of something. `ty` is the type of scales.
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

    /// An object without anything said in it.
    pub(super) fn empty(&self) -> Value {
        serde_json::json!({"apiVersion": self.ty.api_version(), "kind": self.ty.kind})
    }

    /// An object as it is compared.
    pub(super) fn comparable(&self, object: &Value) -> Value {
        let mut object =
            if self.ty.custom.is_some() { object.clone() } else { filled(&self.ty.kind, object) };
        super::set_entries(&mut object, Value::Null);
        object
    }
}

/// The managers of an object that is written, after the defaults are filled in. Without a live object, it is created.
pub(crate) fn track(writer: &Writer<'_>, live: Option<&Value>, new: &Value) -> Value {
    let empty = writer.empty();
    let managed = known(writer, live.unwrap_or(&empty), new);
    // What nobody has managed so far is left at that, until it is applied.
    if managed.owners.is_empty() && live.is_some() {
        return Value::Null;
    }
    let tracked = take(writer, live.unwrap_or(&empty), new, managed, &writer.updater());
    tracked
        .map(|mut managed| {
            cap(&mut managed);
            managed.encode()
        })
        // A write never fails for its managers: those that cannot be found out are forgotten.
        .unwrap_or_default()
}

/// The managers so far: those that the writer names, if it may and does, or else those of the live object.
fn known(writer: &Writer<'_>, live: &Value, new: &Value) -> Managed {
    let of_live = || Managed::decode(entries(live)).unwrap_or_default();
    if !writer.subresource.is_empty() {
        return of_live();
    }
    if is_reset(entries(new)) {
        return Managed::default();
    }
    Managed::decode(entries(new)).filter(|managed| !managed.owners.is_empty()).unwrap_or_else(of_live)
}

/// Gives a manager what a write has changed.
pub(super) fn take(
    writer: &Writer<'_>,
    live: &Value,
    new: &Value,
    managed: Managed,
    updater: &Manager,
) -> Result<Managed, String> {
    // What this write takes is told apart from what its manager had before: only the first moves its time.
    let this = Manager::updater("current-operation", "", "");
    let (live, new) = (writer.comparable(live), writer.comparable(new));
    for object in [&live, &new] {
        apply::validate_stored(&writer.versions.known(writer.versions.version())?, object)?;
    }
    let mut owners = apply::update(&writer.versions, &live, &new, &managed.owners, &this)?;
    strip(&mut owners, &this);
    let mut times = managed.times;
    if let Some(mut taken) = owners.remove(&this) {
        if let Some(before) = owners.get(updater) {
            taken.fields = taken.fields.union(&before.fields);
        }
        owners.insert(updater.clone(), taken);
        times.insert(updater.clone(), now());
    }
    Ok(Managed { owners, times })
}

/// Takes from a manager what nobody manages.
pub(super) fn strip(owners: &mut Owners<Manager>, manager: &Manager) {
    let stripped: Vec<Path> = STRIPPED.iter().map(|path| Path::of(path)).collect();
    if let Some(owned) = owners.get_mut(manager) {
        owned.fields = owned.fields.difference(&FieldSet::of(&stripped));
    }
    owners.retain(|_, owned| !owned.fields.is_empty());
}

/// Leaves the times as they were where nothing else has changed.
pub(crate) fn keep_times(live: &Value, new: &Value, tracked: Value) -> Value {
    let timeless = |entries: &Value| {
        let mut entries = entries.clone();
        for entry in entries.as_array_mut().into_iter().flatten() {
            entry.as_object_mut().and_then(|entry| entry.shift_remove("time"));
        }
        entries
    };
    let without = |object: &Value| {
        let mut object = object.clone();
        super::set_entries(&mut object, Value::Null);
        object
    };
    let before = entries(live);
    let unchanged = text(live, "uid") == text(new, "uid")
        && timeless(before) == timeless(&tracked)
        && same(&without(live), &without(new));
    if unchanged { before.clone() } else { tracked }
}
