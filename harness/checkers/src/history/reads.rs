//! Reads: they return the state of one moment between call and return, or of the past, but never a mix.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::bounds::{Bounds, Reached};
use super::change::OrderedWrite;
use super::finding::{HistoryFinding, Kept};
use super::operation::{Action, Freshness, ObjectState};
use super::rule::HistoryRule;
use super::write_order::WriteOrder;

/// A most-recent read that is older than a write or read that ended before its call, or newer than every write that
/// could have happened by its return.
pub(super) fn linearizable(
    write_order: &WriteOrder<'_>,
    bounds: &Bounds,
    kept: &Kept,
) -> Option<HistoryFinding> {
    let reads: Vec<usize> = (0..write_order.history.len()).filter(|read| kept.has(*read)).collect();
    let mut returned = reads.clone();
    returned.sort_by_key(|read| write_order.history[*read].returned);
    let mut returned = returned.into_iter().peekable();
    let mut placed: BTreeMap<usize, usize> = BTreeMap::new();
    let mut read_before = Reached { position: 0, operation: None };
    for read in reads {
        let operation = &write_order.history[read];
        while let Some(earlier) =
            returned.next_if(|one| write_order.history[*one].returned < operation.called)
        {
            if let Some(position) = placed.get(&earlier) {
                read_before = read_before.max(Reached { position: *position, operation: Some(earlier) });
            }
        }
        let from = bounds.before(operation.called).max(read_before);
        let to = bounds.by(operation.returned);
        match place(write_order, &operation.action, from.position..=to.position) {
            Placement::Found(position) => drop(placed.insert(read, position)),
            Placement::Elsewhere(at) => match misplaced(write_order, kept, read, &at, (from, to)) {
                None => {}
                found => return found,
            },
            Placement::NotJudged => {}
        }
    }
    None
}

/// The position of a read in the order.
enum Placement<'a> {
    /// The first possible position.
    Found(usize),
    /// Not at a possible position, but at this one.
    Elsewhere(View<'a>),
    /// Another rule judges it.
    NotJudged,
}

/// The state that a read returned, and its positions in the order. A list has no name.
struct View<'a> {
    positions: RangeInclusive<usize>,
    name: Option<&'a str>,
    gone: bool,
    what: String,
}

fn place<'a>(
    write_order: &WriteOrder<'_>,
    action: &'a Action,
    possible: RangeInclusive<usize>,
) -> Placement<'a> {
    match action {
        Action::Get { name, freshness: Freshness::MostRecent, shown } => {
            get(write_order, name, shown.as_ref(), possible)
        }
        Action::List { freshness: Freshness::MostRecent, version, items } => {
            let known = write_order.position(version).map(|position| position..=position);
            let shows = |at: &usize| mismatch(write_order, items, *at).is_none();
            let elsewhere = |position| View {
                positions: position..=position,
                name: None,
                gone: false,
                what: format!("a list at {version}"),
            };
            let fitting =
                known.clone().unwrap_or(possible.clone()).find(|at| possible.contains(at) && shows(at));
            match fitting.map(Placement::Found) {
                Some(found) => found,
                // Another rule judges a list that is no snapshot at all.
                None => known
                    .unwrap_or(0..=write_order.changes.len())
                    .find(shows)
                    .map_or(Placement::NotJudged, |position| Placement::Elsewhere(elsewhere(position))),
            }
        }
        _ => Placement::NotJudged,
    }
}

fn get<'a>(
    write_order: &WriteOrder<'_>,
    name: &'a str,
    state: Option<&ObjectState>,
    possible: RangeInclusive<usize>,
) -> Placement<'a> {
    let Some(state) = state else {
        let there = |at: &usize| write_order.state(name, *at).is_some();
        if let Some(position) = possible.clone().find(|at| !there(at)) {
            return Placement::Found(position);
        }
        let last = (0..=*possible.start()).rev().find(|at| !there(at)).unwrap_or_default();
        let what = format!("no {name}");
        return Placement::Elsewhere(View { positions: last..=last, name: Some(name), gone: true, what });
    };
    let made =
        write_order.made(&state.version).filter(|at| write_order.change(*at).value == Some(&state.value));
    let Some(made) = made else { return Placement::NotJudged };
    let until = write_order.next(name, made).map_or(write_order.changes.len(), |next| next - 1);
    let (first, last) = (made.max(*possible.start()), until.min(*possible.end()));
    if first <= last {
        return Placement::Found(first);
    }
    let what = write_order.change(made).as_text();
    Placement::Elsewhere(View { positions: made..=until, name: Some(name), gone: false, what })
}

fn misplaced(
    write_order: &WriteOrder<'_>,
    kept: &Kept,
    read: usize,
    view: &View<'_>,
    (from, to): (Reached, Reached),
) -> Option<HistoryFinding> {
    let what = &view.what;
    if *view.positions.end() < from.position {
        if view.gone && view.name.is_some_and(|name| write_order.may_have_changed_unseen(name)) {
            return None;
        }
        let next = match view.name {
            Some(name) => write_order.next(name, *view.positions.end())?,
            None => view.positions.end() + 1,
        };
        let newer = write_order.change(next);
        let operations = [Some(read), from.operation, Some(newer.witness(kept)?)].into_iter().flatten();
        let expected = format!("{}, or a later state", newer.as_text());
        let actual =
            format!("a read returned {what}, although {} was known before its call", newer.as_text());
        return Some(HistoryFinding::new(HistoryRule::ReadsLinearizable, operations, expected, actual));
    }
    if *view.positions.start() > to.position {
        let operations = [Some(read), to.operation].into_iter().flatten();
        let expected = "no state after a write that was called later";
        let actual = format!("a read returned {what} before a write could have made it");
        return Some(HistoryFinding::new(HistoryRule::ReadsLinearizable, operations, expected, actual));
    }
    // Neither too old nor too new, yet impossible: the bounds contradict each other, as the rules of writes report.
    None
}

/// A list that differs from the state at its version.
pub(super) fn snapshots(write_order: &WriteOrder<'_>, kept: &Kept) -> Option<HistoryFinding> {
    (0..write_order.history.len()).filter(|operation| kept.has(*operation)).find_map(|operation| {
        let Action::List { version, items, .. } = &write_order.history[operation].action else { return None };
        let Some(position) = write_order.position(version) else {
            return mixed(write_order, operation, items);
        };
        let (name, there) = mismatch(write_order, items, position)?;
        if there.is_some() && !items.contains_key(name) && write_order.may_have_changed_unseen(name) {
            return None;
        }
        let listed = items.get(name).map_or_else(
            || format!("no {name}"),
            |state| format!("{name} = {} at {}", state.value, state.version),
        );
        let right = there.map_or_else(|| format!("no {name}"), OrderedWrite::as_text);
        // The write that the list misses, or the list alone.
        let missed = write_order.last(name, position).map(|at| write_order.change(at).witness(kept));
        let operations = [operation].into_iter().chain(missed.unwrap_or(Some(operation)));
        let actual = format!("a list at {version} has {listed}");
        missed.is_none_or(|missed| missed.is_some()).then(|| {
            HistoryFinding::new(
                HistoryRule::ListsSnapshot,
                operations,
                format!("{right}, the state at {version}"),
                actual,
            )
        })
    })
}

/// A list with an unknown version must still be the state of some moment.
fn mixed(
    write_order: &WriteOrder<'_>,
    operation: usize,
    items: &BTreeMap<String, ObjectState>,
) -> Option<HistoryFinding> {
    let made = items.values().map(|state| write_order.made(&state.version));
    let first = made.collect::<Option<Vec<_>>>()?.into_iter().max().unwrap_or_default();
    let ends =
        items.iter().filter_map(|(name, state)| write_order.next(name, write_order.made(&state.version)?));
    let last = ends.min().map_or(write_order.changes.len(), |next| next - 1);
    if (first..=last).any(|at| mismatch(write_order, items, at).is_none()) {
        return None;
    }
    if write_order.objects.keys().any(|name| write_order.may_have_changed_unseen(name)) {
        return None;
    }
    let listed: Vec<_> = items.iter().map(|(name, state)| format!("{name} = {}", state.value)).collect();
    let actual = format!("a list has [{}], which never existed together", listed.join(", "));
    Some(HistoryFinding::new(HistoryRule::ListsSnapshot, [operation], "the state of one moment", actual))
}

/// The first object whose state differs at a position, and its state there.
fn mismatch<'a, 'l>(
    write_order: &'l WriteOrder<'a>,
    items: &BTreeMap<String, ObjectState>,
    position: usize,
) -> Option<(&'a str, Option<&'l OrderedWrite<'a>>)> {
    write_order.objects.keys().find_map(|name| {
        let there = write_order.state(name, position);
        let same = match (items.get(*name), there) {
            (None, None) => true,
            (Some(state), Some(change)) => {
                (state.version.as_str(), Some(state.value.as_str())) == (change.version, change.value)
            }
            _ => false,
        };
        (!same).then_some((*name, there))
    })
}
