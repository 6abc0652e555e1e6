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

/// What one owns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Owned {
    /// The version of the type that the fields are those of.
    pub(crate) version: String,
    /// The fields.
    pub(crate) fields: FieldSet,
}

/// All owners, by whatever tells them apart.
pub(crate) type Owners<K> = BTreeMap<K, Owned>;

/// A field that somebody else owns and that has another value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conflict<K> {
    /// The owner.
    pub(crate) owner: K,
    /// The field.
    pub(crate) field: Path,
}

/// Why nothing can be applied.
#[derive(Debug)]
pub(crate) enum Problem<K> {
    /// Others own what would change.
    Conflicts(Vec<Conflict<K>>),
    /// There is no such version, or the object is none of it.
    Other(String),
}

impl<K> From<String> for Problem<K> {
    fn from(why: String) -> Self {
        Self::Other(why)
    }
}

/// The versions of a type: in all of them an object has the same fields.
pub(crate) trait Types {
    /// The version in which the object is written.
    fn version(&self) -> &str;
    /// The type in a version, if there is such a version. An error ends everything.
    fn at(&self, version: &str) -> Result<Option<Type>, String>;
    /// The fields of a version that a write cannot change, whatever it says.
    fn reset(&self, version: &str) -> Option<&FieldSet>;

    /// The type in a version that there is.
    fn known(&self, version: &str) -> Result<Type, String> {
        self.at(version)?.ok_or_else(|| format!("no corresponding type for version {version}"))
    }
}

/// What is applied.
pub(crate) struct Config<'a> {
    /// The fields, with their values.
    pub(crate) value: &'a Value,
    /// Whether fields are taken from others.
    pub(crate) force: bool,
}

/// Who owns what after a value has been written as a whole: what has changed belongs to the writer.
pub(crate) fn update<K: Ord + Clone>(
    types: &impl Types,
    live: &Value,
    new: &Value,
    owners: &Owners<K>,
    writer: &K,
) -> Result<Owners<K>, String> {
    let owners = reconciled(types, owners)?;
    let comparisons = Comparisons::new(types, live, new, &owners)?;
    let mut owners = taken(&owners, writer, &comparisons);
    let version = types.version();
    let comparison = comparisons.at(version);
    let had = owners.get(writer).map(|owned| owned.fields.clone()).unwrap_or_default();
    let fields = had.difference(&comparison.removed).union(&comparison.written());
    let fields = writable(types, &fields);
    owners.insert(writer.clone(), Owned { version: version.to_owned(), fields });
    owners.retain(|_, owned| !owned.fields.is_empty());
    Ok(owners)
}

/// What becomes of a value when something is applied to it, and who owns what then. No value if it stays as it is.
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
    let owners = taken(&owners, applier, &comparisons);
    Ok(((!same(live, &new)).then_some(new), owners))
}

/// What of these fields a write can change.
fn writable(types: &impl Types, fields: &FieldSet) -> FieldSet {
    types.reset(types.version()).map_or_else(|| fields.clone(), |reset| fields.recursive_difference(reset))
}

/// The owners after their types may have changed. Who owns fields of a version that is no more owns nothing.
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

/// What differs between two states of an object, in each version that somebody owns fields of.
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
        // There is one for each version that there is an owner of, see above.
        &self.0[version]
    }
}

/// What a write takes from others than the writer: all that changes.
fn conflicts<K: Ord + Clone>(owners: &Owners<K>, writer: &K, comparisons: &Comparisons) -> Vec<Conflict<K>> {
    let others = owners.iter().filter(|(owner, _)| *owner != writer);
    let of = |(owner, owned): (&K, &Owned)| {
        let fields = owned.fields.intersection(&comparisons.at(&owned.version).written()).paths();
        let conflict = |field| Conflict { owner: owner.clone(), field };
        fields.into_iter().map(conflict).collect::<Vec<_>>()
    };
    others.flat_map(of).collect()
}

/// The owners without what has changed or gone, which others than the writer no longer own.
fn taken<K: Ord + Clone>(owners: &Owners<K>, writer: &K, comparisons: &Comparisons) -> Owners<K> {
    let mut left = owners.clone();
    for (_, owned) in left.iter_mut().filter(|(owner, _)| *owner != writer) {
        let comparison = comparisons.at(&owned.version);
        owned.fields = owned.fields.difference(&comparison.written()).difference(&comparison.removed);
    }
    left.retain(|_, owned| !owned.fields.is_empty());
    left
}

/// Removes what an applier gave up, as far as nobody owns it and nothing else is in it that somebody owns.
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
    for one in owners.values() {
        let all = owned.entry(&one.version).or_default();
        *all = all.union(&one.fields);
    }
    // What is owned in the version of what was given up comes first.
    let first = owned.remove_entry(last.version.as_str());
    for (version, owned) in first.into_iter().chain(owned) {
        pruned = with_owned(&types.known(version)?, merged, &pruned, &owned);
    }
    let left = fields_of(&ty, &pruned).with_named(&ty);
    let gone = fields_of(&ty, merged).with_named(&ty).difference(&left);
    Ok(remove(&ty, merged, &gone.intersection(&given_up)))
}

/// A pruned value, with what is owned put back.
fn with_owned(ty: &Type, merged: &Value, pruned: &Value, owned: &FieldSet) -> Value {
    let kept = fields_of(ty, pruned).with_named(ty).union(&owned.with_named(ty));
    let gone = fields_of(ty, merged).with_named(ty).difference(&kept);
    remove(ty, merged, &gone)
}
