//! Field owners of an object, and their changes by apply and update.

use std::collections::BTreeMap;

use serde_json::Value;

use super::comparison::{Comparison, compare, same};
use super::field_set::FieldSet;
use super::merge::merge;
use super::path::Path;
use super::removal::remove;
use super::types::Type;
use super::value_fields::fields_of;

/// The fields of one owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Owned {
    /// The API version of the fields.
    pub(crate) version: String,
    pub(crate) fields: FieldSet,
}

/// All owners, by a key of the caller.
pub(crate) type Owners<K> = BTreeMap<K, Owned>;

/// A field of another owner with a different value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conflict<K> {
    pub(crate) owner: K,
    pub(crate) field: Path,
}

/// The reason why an apply fails.
#[derive(Debug)]
pub(crate) enum Problem<K> {
    /// Other managers own fields that would change.
    Conflicts(Vec<Conflict<K>>),
    /// The version does not exist, or the object does not match the type of its version.
    Other(String),
}

impl<K> From<String> for Problem<K> {
    fn from(detail: String) -> Self {
        Self::Other(detail)
    }
}

/// The versions of a type: an object has the same fields in all of them.
pub(crate) trait Types {
    /// The version of the written object.
    fn version(&self) -> &str;
    /// The type in a version: `None` for an unknown version. An error ends the write.
    fn at(&self, version: &str) -> Result<Option<Type>, String>;
    /// The fields of a version that no write can change.
    fn reset(&self, version: &str) -> Option<&FieldSet>;

    /// The type in a version, or an error for an unknown version.
    fn known(&self, version: &str) -> Result<Type, String> {
        self.at(version)?.ok_or_else(|| format!("no corresponding type for version {version}"))
    }
}

/// An applied configuration.
pub(crate) struct Config<'a> {
    pub(crate) value: &'a Value,
    /// Whether the applier takes fields from other owners.
    pub(crate) force: bool,
}

/// The owners after an update: the writer owns the fields that it changes.
pub(crate) fn update<K: Ord + Clone>(
    types: &impl Types,
    live: &Value,
    new: &Value,
    owners: &Owners<K>,
    writer: &K,
) -> Result<Owners<K>, String> {
    let owners = reconciled(types, owners)?;
    let comparisons = Comparisons::new(types, live, new, &owners)?;
    let mut owners = taken(owners, writer, &comparisons);
    let version = types.version();
    let comparison = comparisons.at(version);
    let owned_before = owners.get(writer).map(|owned| owned.fields.clone()).unwrap_or_default();
    let fields = owned_before.difference(&comparison.removed).union(&comparison.written());
    let fields = writable(types, &fields);
    owners.insert(writer.clone(), Owned { version: version.to_owned(), fields });
    owners.retain(|_, owned| !owned.fields.is_empty());
    Ok(owners)
}

/// The value and the owners after an apply. No value if the apply changes nothing.
pub(crate) fn apply<K: Ord + Clone>(
    types: &impl Types,
    live: &Value,
    config: &Config<'_>,
    owners: &Owners<K>,
    applier: &K,
) -> Result<(Option<Value>, Owners<K>), Problem<K>> {
    let mut owners = reconciled(types, owners)?;
    let version = types.version();
    let ty = types.known(version)?;
    let merged = merge(&ty, live, config.value);
    let fields = writable(types, &fields_of(&ty, config.value));
    let last = owners.insert(applier.clone(), Owned { version: version.to_owned(), fields });
    let new = match last {
        Some(last) if !last.fields.is_empty() => prune(types, &merged, &owners, &last)?,
        _ => merged,
    };
    let comparisons = Comparisons::new(types, live, &new, &owners)?;
    let conflicts = conflicts(&owners, applier, &comparisons);
    if !config.force && !conflicts.is_empty() {
        return Err(Problem::Conflicts(conflicts));
    }
    let owners = taken(owners, applier, &comparisons);
    Ok(((!same(live, &new)).then_some(new), owners))
}

/// The fields that a write can change.
fn writable(types: &impl Types, fields: &FieldSet) -> FieldSet {
    types.reset(types.version()).map_or_else(|| fields.clone(), |reset| fields.recursive_difference(reset))
}

/// The owners after their types may have changed. Owners of fields in a removed version lose them.
fn reconciled<K: Ord + Clone>(types: &impl Types, owners: &Owners<K>) -> Result<Owners<K>, String> {
    let mut reconciled = Owners::new();
    for (owner, owned) in owners {
        if let Some(ty) = types.at(&owned.version)? {
            let fields = owned.fields.reconciled(&ty);
            reconciled.insert(owner.clone(), Owned { version: owned.version.clone(), fields });
        }
    }
    Ok(reconciled)
}

/// The differences between two states of an object, in each version that has owners.
struct Comparisons(BTreeMap<String, Comparison>);

impl Comparisons {
    fn new<K>(types: &impl Types, live: &Value, new: &Value, owners: &Owners<K>) -> Result<Self, String> {
        let versions = owners.values().map(|owned| owned.version.as_str()).chain([types.version()]);
        let mut comparisons = BTreeMap::new();
        for version in versions {
            if !comparisons.contains_key(version) {
                let comparison = compare(&types.known(version)?, live, new);
                let comparison = match types.reset(version) {
                    Some(reset) => comparison.without(reset),
                    None => comparison,
                };
                comparisons.insert(version.to_owned(), comparison);
            }
        }
        Ok(Self(comparisons))
    }

    fn at(&self, version: &str) -> &Comparison {
        // `new` compares the versions of all owners.
        &self.0[version]
    }
}

/// The fields of other owners that a write changes.
fn conflicts<K: Ord + Clone>(owners: &Owners<K>, writer: &K, comparisons: &Comparisons) -> Vec<Conflict<K>> {
    let others = owners.iter().filter(|(owner, _)| *owner != writer);
    let of = |(owner, owned): (&K, &Owned)| {
        let fields = owned.fields.intersection(&comparisons.at(&owned.version).written()).paths();
        let conflict = |field| Conflict { owner: owner.clone(), field };
        fields.into_iter().map(conflict).collect::<Vec<_>>()
    };
    others.flat_map(of).collect()
}

/// The owners after a write: the others lose the fields that it changes or removes.
fn taken<K: Ord>(mut owners: Owners<K>, writer: &K, comparisons: &Comparisons) -> Owners<K> {
    for (_, owned) in owners.iter_mut().filter(|(owner, _)| *owner != writer) {
        let comparison = comparisons.at(&owned.version);
        owned.fields = owned.fields.difference(&comparison.written()).difference(&comparison.removed);
    }
    owners.retain(|_, owned| !owned.fields.is_empty());
    owners
}

/// Removes the fields that an applier gives up, except those that are owned or contain owned fields.
fn prune<K: Ord + Clone>(
    types: &impl Types,
    merged: &Value,
    owners: &Owners<K>,
    last: &Owned,
) -> Result<Value, String> {
    let ty = types.known(&last.version)?;
    let given_up = last.fields.with_named(&ty);
    let mut pruned = remove(&ty, merged, &given_up);
    let mut owned: BTreeMap<&str, FieldSet> = BTreeMap::new();
    for owner_fields in owners.values() {
        let all = owned.entry(&owner_fields.version).or_default();
        *all = all.union(&owner_fields.fields);
    }
    // Owned fields in the version of the given-up fields are the first.
    let first = owned.remove_entry(last.version.as_str());
    for (version, owned) in first.into_iter().chain(owned) {
        pruned = with_owned(&types.known(version)?, merged, &pruned, &owned);
    }
    let remaining = fields_of(&ty, &pruned).with_named(&ty);
    let removed = fields_of(&ty, merged).with_named(&ty).difference(&remaining);
    Ok(remove(&ty, merged, &removed.intersection(&given_up)))
}

/// A pruned value, with the owned fields restored.
fn with_owned(ty: &Type, merged: &Value, pruned: &Value, owned: &FieldSet) -> Value {
    let kept = fields_of(ty, pruned).with_named(ty).union(&owned.with_named(ty));
    let removed = fields_of(ty, merged).with_named(ty).difference(&kept);
    remove(ty, merged, &removed)
}
