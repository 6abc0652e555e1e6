//! The model: predicts the cells of an object, and their owners, after a step.

use std::collections::BTreeSet;

use super::kind::AppliedType;
use super::state::{AppliedObject, Owner, Owners, Values};
use super::step::{ApplyStep, Verb};

/// The predicted result of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    /// The server carries it out, with this result.
    Done {
        /// The code of the response.
        code: u16,
        /// The values of the cells.
        values: Values,
        /// The owners of the cells.
        owners: Owners,
    },
    /// The server refuses it because of these managers and cells.
    Refused(BTreeSet<(String, &'static str)>),
}

/// Predicts the result of a step on an object, or without one.
pub(super) fn predict(step: &ApplyStep, before: Option<&AppliedObject>, kind: &AppliedType) -> Fate {
    let manager = Owner::new(step.manager, step.operation());
    let Some(before) = before else { return predict_create(step, manager, kind) };
    match step.verb {
        Verb::Create => Fate::Refused(BTreeSet::new()),
        Verb::Apply { force } => predict_apply(step, &manager, force, before, kind),
        Verb::Update | Verb::Merge => predict_update(step, &manager, before, kind),
    }
}

/// The creator owns the fields that it sends. Other fields have their defaults; a [`Verb::Create`] owns these, too.
fn predict_create(step: &ApplyStep, manager: Owner, kind: &AppliedType) -> Fate {
    let sent = sent_values(step, kind);
    let values = with_defaults(sent.clone(), kind);
    let owned = if step.verb == Verb::Create { &values } else { &sent };
    let owners = Owners::from([(manager, owned.keys().copied().collect())]);
    Fate::Done { code: 201, values, owners: without_empty(owners) }
}

/// The values that a step sends, with their items.
fn sent_values(step: &ApplyStep, kind: &AppliedType) -> Values {
    let mut values = Values::new();
    for (cell, number) in step.sent().filter_map(|(name, number)| Some((kind.cell(name)?, number))) {
        let item = cell.item().and_then(|item| kind.cell(item));
        values.extend(item.map(|item| (item.name, item.value(0))));
        values.insert(cell.name, cell.value(number));
    }
    values
}

fn with_defaults(mut values: Values, kind: &AppliedType) -> Values {
    for cell in kind.all() {
        if let Some(default) = cell.default() {
            values.entry(cell.name).or_insert(default);
        }
    }
    values
}

/// The applier owns exactly the fields that it sends. Fields of others that it would change are conflicts, unless it
/// forces. Fields that it no longer sends are removed, unless others own them; an item is removed with all its fields.
fn predict_apply(
    step: &ApplyStep,
    manager: &Owner,
    force: bool,
    before: &AppliedObject,
    kind: &AppliedType,
) -> Fate {
    let sent = sent_values(step, kind);
    let changed = |name: &str| sent.get(name).is_some_and(|value| before.values.get(name) != Some(value));
    let others = || before.owners.iter().filter(|(owner, _)| *owner != manager);
    let conflicts = others()
        .flat_map(|(owner, owned)| owned.iter().map(|name| (owner.manager.clone(), *name)))
        .filter(|(_, name)| changed(name));
    let conflicts: BTreeSet<_> = conflicts.collect();
    if !force && !conflicts.is_empty() {
        return Fate::Refused(conflicts);
    }
    let mut owners: Owners = others().map(|(owner, owned)| (owner.clone(), owned.clone())).collect();
    disown(&mut owners, changed);
    let owned_before = before.owners.get(manager).cloned().unwrap_or_default();
    owners.insert(manager.clone(), sent.keys().copied().collect());
    let mut values = before.values.clone();
    values.extend(sent);
    let dropped = owned_before.iter().filter(|name| !owners.values().any(|owned| owned.contains(*name)));
    for name in dropped.copied().collect::<Vec<_>>() {
        remove(&mut values, name);
    }
    carry_out(values, owners, kind)
}

/// The updater alone owns the fields that it changes; removed fields have no owner.
fn predict_update(step: &ApplyStep, manager: &Owner, before: &AppliedObject, kind: &AppliedType) -> Fate {
    let mut values = before.values.clone();
    for (name, number) in &step.change {
        match number {
            Some(_) => {
                let one = ApplyStep { change: [(*name, *number)].into(), ..step.clone() };
                values.extend(sent_values(&one, kind));
            }
            None => remove(&mut values, name),
        }
    }
    let values = with_defaults(values, kind);
    let changed = |name: &str| before.values.get(name) != values.get(name);
    let mut owners = before.owners.clone();
    disown(&mut owners, changed);
    owners.entry(manager.clone()).or_default().extend(values.keys().copied().filter(|name| changed(name)));
    carry_out(values, owners, kind)
}

/// Removes changed fields from all owners.
fn disown(owners: &mut Owners, changed: impl Fn(&str) -> bool) {
    for owned in owners.values_mut() {
        owned.retain(|name| !changed(name));
    }
}

/// Removes a cell; of an item, all its fields.
fn remove(values: &mut Values, name: &str) {
    values.retain(|known, _| {
        known.strip_prefix(name).is_none_or(|rest| !rest.is_empty() && !rest.starts_with('.'))
    });
}

fn carry_out(values: Values, owners: Owners, kind: &AppliedType) -> Fate {
    let values = with_defaults(values, kind);
    let present =
        |owned: BTreeSet<&'static str>| owned.into_iter().filter(|name| values.contains_key(name)).collect();
    let owners = owners.into_iter().map(|(owner, owned)| (owner, present(owned))).collect();
    Fate::Done { code: 200, owners: without_empty(owners), values }
}

/// Removes the owners without fields: the server omits them.
fn without_empty(mut owners: Owners) -> Owners {
    owners.retain(|_, owned| !owned.is_empty());
    owners
}
