//! The model: predicts the cells of an object, and their owners, after a step.

use std::collections::BTreeSet;

use super::kind::Kind;
use super::state::{Owner, Owners, State, Values};
use super::step::{ApplyStep, Verb};

/// What must come of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is done, and this is there afterwards.
    Done {
        /// The code of the response.
        code: u16,
        /// What the cells hold.
        values: Values,
        /// Who owns them.
        owners: Owners,
    },
    /// It is refused because of these managers and cells.
    Refused(BTreeSet<(String, &'static str)>),
}

/// What becomes of an object, or of none, by a step.
pub(super) fn predict(step: &ApplyStep, before: Option<&State>, kind: &Kind) -> Fate {
    let manager = Owner::new(step.manager, step.operation());
    let Some(before) = before else { return created(step, manager, kind) };
    match step.verb {
        Verb::Create => Fate::Refused(BTreeSet::new()),
        Verb::Apply { force } => applied(step, &manager, force, before, kind),
        Verb::Update | Verb::Merge => updated(step, &manager, before, kind),
    }
}

/// Who creates an object owns what it says of it; what it does not say gets its default, and is owned by who has sent it
/// with a create.
fn created(step: &ApplyStep, manager: Owner, kind: &Kind) -> Fate {
    let sent = sent(step, kind);
    let values = with_defaults(sent.clone(), kind);
    let owned = if step.verb == Verb::Create { &values } else { &sent };
    let owners = Owners::from([(manager, owned.keys().copied().collect())]);
    Fate::Done { code: 201, values, owners: tidy(owners) }
}

/// The values that a step says, with the items that they are in.
fn sent(step: &ApplyStep, kind: &Kind) -> Values {
    let mut values = Values::new();
    for (cell, number) in step.sent().filter_map(|(name, number)| Some((kind.cell(name)?, number))) {
        let item = cell.item().and_then(|item| kind.cell(item));
        values.extend(item.map(|item| (item.name, item.value(0))));
        values.insert(cell.name, cell.value(number));
    }
    values
}

fn with_defaults(mut values: Values, kind: &Kind) -> Values {
    for cell in kind.all() {
        if let Some(default) = cell.default() {
            values.entry(cell.name).or_insert(default);
        }
    }
    values
}

/// Who applies owns what it says, and no more. What it would change of others' is in the way, unless it is forced. What
/// it does not say any more is removed, unless somebody else owns it; an item goes with all that it has.
fn applied(step: &ApplyStep, manager: &Owner, force: bool, before: &State, kind: &Kind) -> Fate {
    let sent = sent(step, kind);
    let changed = |name: &str| sent.get(name).is_some_and(|value| before.values.get(name) != Some(value));
    let others = || before.owners.iter().filter(|(owner, _)| *owner != manager);
    let in_the_way = others()
        .flat_map(|(owner, owned)| owned.iter().map(|name| (owner.manager.clone(), *name)))
        .filter(|(_, name)| changed(name));
    let in_the_way: BTreeSet<_> = in_the_way.collect();
    if !force && !in_the_way.is_empty() {
        return Fate::Refused(in_the_way);
    }
    let mut owners: Owners = others().map(|(owner, owned)| (owner.clone(), owned.clone())).collect();
    lose(&mut owners, changed);
    let owned_before = before.owners.get(manager).cloned().unwrap_or_default();
    owners.insert(manager.clone(), sent.keys().copied().collect());
    let mut values = before.values.clone();
    values.extend(sent);
    let dropped = owned_before.iter().filter(|name| !owners.values().any(|owned| owned.contains(*name)));
    for name in dropped.copied().collect::<Vec<_>>() {
        remove(&mut values, name);
    }
    done(values, owners, kind)
}

/// Who updates owns what it has changed, instead of all others; what is removed is nobody's.
fn updated(step: &ApplyStep, manager: &Owner, before: &State, kind: &Kind) -> Fate {
    let mut values = before.values.clone();
    for (name, number) in &step.change {
        match number {
            Some(_) => {
                let one = ApplyStep { change: [(*name, *number)].into(), ..step.clone() };
                values.extend(sent(&one, kind));
            }
            None => remove(&mut values, name),
        }
    }
    let values = with_defaults(values, kind);
    let changed = |name: &str| before.values.get(name) != values.get(name);
    let mut owners = before.owners.clone();
    lose(&mut owners, changed);
    owners.entry(manager.clone()).or_default().extend(values.keys().copied().filter(|name| changed(name)));
    done(values, owners, kind)
}

/// Nobody owns any more what was changed.
fn lose(owners: &mut Owners, changed: impl Fn(&str) -> bool) {
    for owned in owners.values_mut() {
        owned.retain(|name| !changed(name));
    }
}

/// Takes a cell away; of an item, all that it has.
fn remove(values: &mut Values, name: &str) {
    values.retain(|known, _| {
        known.strip_prefix(name).is_none_or(|rest| !rest.is_empty() && !rest.starts_with('.'))
    });
}

fn done(values: Values, owners: Owners, kind: &Kind) -> Fate {
    let values = with_defaults(values, kind);
    let there =
        |owned: BTreeSet<&'static str>| owned.into_iter().filter(|name| values.contains_key(name)).collect();
    let owners = owners.into_iter().map(|(owner, owned)| (owner, there(owned))).collect();
    Fate::Done { code: 200, owners: tidy(owners), values }
}

/// Who owns nothing is not told.
fn tidy(mut owners: Owners) -> Owners {
    owners.retain(|_, owned| !owned.is_empty());
    owners
}
