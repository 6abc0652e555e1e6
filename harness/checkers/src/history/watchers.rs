//! Every watcher receives the same changes, in the same order, without gaps.

use std::collections::{HashMap, HashSet};

use super::bounds::Bounds;
use super::finding::{HistoryFinding, Kept};
use super::operation::{Action, Verb, WriteOutcome};
use super::rule::HistoryRule;
use super::write_order::WriteOrder;

/// A watcher whose events differ from the order.
pub(super) fn agree(write_order: &WriteOrder<'_>, bounds: &Bounds, kept: &Kept) -> Option<HistoryFinding> {
    let events = events(write_order);
    let swapped = events.iter().find_map(|event| swapped(write_order, event, kept));
    let lost = || events.iter().find_map(|event| lost(write_order, event, kept));
    swapped
        .or_else(lost)
        .or_else(|| not_requested(write_order, kept))
        .or_else(|| not_delivered(write_order, bounds, kept))
}

/// An event with a position in the order, and the event before it.
struct OrderedEvent {
    operation: usize,
    position: usize,
    before: Option<(usize, usize)>,
}

fn events(write_order: &WriteOrder<'_>) -> Vec<OrderedEvent> {
    let mut last: HashMap<&str, (usize, usize)> = HashMap::new();
    let mut events = Vec::new();
    for (operation, event) in write_order.history.iter().enumerate() {
        let Action::Event { version, .. } = &event.action else { continue };
        let Some(position) = write_order.made(version) else { continue };
        let before = last.insert(&event.client, (operation, position));
        events.push(OrderedEvent { operation, position, before });
    }
    events
}

fn swapped(write_order: &WriteOrder<'_>, event: &OrderedEvent, kept: &Kept) -> Option<HistoryFinding> {
    let (before, position) = event.before?;
    if event.position > position || !kept.has(before) || !kept.has(event.operation) {
        return None;
    }
    let (this, that) = (write_order.change(event.position).as_text(), write_order.change(position).as_text());
    let client = &write_order.history[event.operation].client;
    let expected = format!("{this}, then {that}: the order of their versions, and of all watchers");
    let actual = if this == that {
        format!("{client} received {this} twice")
    } else {
        format!("{client} received {this} after {that}")
    };
    Some(HistoryFinding::new(HistoryRule::WatchersAgree, [before, event.operation], expected, actual))
}

/// A gap between two events of a watcher, or before its first.
fn lost(write_order: &WriteOrder<'_>, event: &OrderedEvent, kept: &Kept) -> Option<HistoryFinding> {
    let (before, position) = event.before.map_or((None, 0), |(before, position)| (Some(before), position));
    if event.position <= position + 1 || !before.into_iter().chain([event.operation]).all(|one| kept.has(one))
    {
        return None;
    }
    let lost = write_order.change(position + 1);
    let witness = lost.witness(kept)?;
    let client = &write_order.history[event.operation].client;
    let expected = format!("an event for every watcher: {}", lost.as_text());
    let actual = format!("{client} received no event: {}", lost.as_text());
    let operations = before.into_iter().chain([witness, event.operation]);
    Some(HistoryFinding::new(HistoryRule::WatchersAgree, operations, expected, actual))
}

/// A deletion in an event that no client requested.
fn not_requested(write_order: &WriteOrder<'_>, kept: &Kept) -> Option<HistoryFinding> {
    write_order.changes.iter().filter(|change| change.value.is_none()).find_map(|change| {
        let witness = change.witness(kept).filter(|_| change.deleters.is_empty())?;
        let actual = format!("{}, and no client deleted it", change.as_text());
        Some(HistoryFinding::new(
            HistoryRule::WatchersAgree,
            [witness],
            "a deletion that a client requested",
            actual,
        ))
    })
}

/// An acknowledged write that no watcher received, although one received a later write.
fn not_delivered(write_order: &WriteOrder<'_>, bounds: &Bounds, kept: &Kept) -> Option<HistoryFinding> {
    let deletions = write_order.history.iter().enumerate().filter(|(_, operation)| {
        let done = WriteOutcome::Done(None);
        matches!(&operation.action, Action::Write { verb: Verb::Delete, response, .. } if *response == done)
    });
    let placed: HashSet<_> =
        write_order.changes.iter().flat_map(|change| &change.deleters).copied().collect();
    let unplaced = deletions.map(|(index, _)| index).filter(|deletion| !placed.contains(deletion));
    unplaced.chain(write_order.unplaced.iter().copied()).filter(|write| kept.has(*write)).find_map(|write| {
        let returned = write_order.history[write].returned;
        let later = bounds.spans.iter().zip(&write_order.changes).find_map(|((start, _), change)| {
            let start = start.filter(|start| start.at > returned)?;
            let event = |one: &&usize| {
                kept.has(**one) && matches!(write_order.history[**one].action, Action::Event { .. })
            };
            Some([start.operation, *change.seen_by.iter().find(event)?])
        })?;
        let Action::Write { name, verb, .. } = &write_order.history[write].action else { return None };
        let what = format!("the {} of {name}", verb.word());
        let expected = format!("an event of {what} for every watcher");
        let actual = format!("no watcher received {what}, but one received a later write");
        Some(HistoryFinding::new(
            HistoryRule::WatchersAgree,
            later.into_iter().chain([write]),
            expected,
            actual,
        ))
    })
}
