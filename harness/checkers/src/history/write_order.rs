//! The writes of a history in order, from all sightings.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::change::OrderedWrite;
use super::finding::HistoryFinding;
use super::operation::{Action, History, Operation, Verb, WriteOutcome};
use super::sightings::Sightings;
use model::decimal;

/// The certain facts: the writes that happened, their order, and the states of each object.
pub(super) struct WriteOrder<'a> {
    pub(super) history: &'a [Operation],
    pub(super) changes: Vec<OrderedWrite<'a>>,
    /// The positions of each object's changes.
    pub(super) objects: BTreeMap<&'a str, Vec<usize>>,
    /// The sightings that no order explains.
    pub(super) findings: Vec<HistoryFinding>,
    /// The writes that happened, but have no position in the order.
    pub(super) unplaced: Vec<usize>,
    /// Whether a watcher saw the last change, and all changes have a position: then no change was unseen.
    pub(super) complete: bool,
    positions: HashMap<&'a str, usize>,
    /// The versions as numbers in order, if all are decimal.
    numbers: Option<Vec<u128>>,
}

impl<'a> WriteOrder<'a> {
    pub(super) fn of(history: &'a History) -> Self {
        let history = history.operations();
        let sightings = Sightings::of(history);
        let (ordered, numbers) = order(history, &sightings);
        let mut slots: Vec<_> = sightings.changes.into_iter().map(Some).collect();
        let changes: Vec<_> = ordered.iter().filter_map(|index| slots[*index].take()).collect();
        let mut write_order = Self {
            history,
            changes,
            objects: BTreeMap::new(),
            findings: sightings.findings,
            unplaced: slots.into_iter().flatten().filter_map(|change| change.write).collect(),
            complete: false,
            positions: HashMap::new(),
            numbers,
        };
        write_order.index();
        write_order
    }

    fn index(&mut self) {
        for (index, change) in self.changes.iter_mut().enumerate() {
            self.positions.insert(change.version, index + 1);
            self.objects.entry(change.name).or_default().push(index + 1);
            change.seen_by.sort_by_key(|operation| self.history[*operation].returned);
        }
        let events = |operation: &usize| matches!(self.history[*operation].action, Action::Event { .. });
        let last = self.changes.last().filter(|_| self.unplaced.is_empty());
        self.complete = last.is_some_and(|last| last.seen_by.iter().any(events));
        for (index, operation) in self.history.iter().enumerate() {
            let Action::Write { name, verb: Verb::Delete, response } = &operation.action else { continue };
            if !matches!(response, WriteOutcome::Refused(_)) {
                self.attribute(index, name);
            }
        }
    }

    /// Adds a deletion to every change that it may have caused.
    fn attribute(&mut self, deletion: usize, name: &str) {
        let Some(positions) = self.objects.get(name) else { return };
        let operation = &self.history[deletion];
        let Action::Write { response, .. } = &operation.action else { return };
        for (index, position) in positions.iter().enumerate() {
            let called = |at: &usize| self.changes[at - 1].write.map(|write| self.history[write].called);
            let too_early = index > 0
                && *response != WriteOutcome::Unknown
                && called(&positions[index - 1]).is_some_and(|before| before > operation.returned);
            let change = &self.changes[position - 1];
            let seen = change.seen_by.first().map(|seen| self.history[*seen].returned);
            let too_late = seen.is_some_and(|seen| seen < operation.called);
            if change.value.is_none() && !too_early && !too_late {
                self.changes[position - 1].deleters.push(deletion);
            }
        }
    }

    /// The change at a position.
    pub(super) fn change(&self, position: usize) -> &OrderedWrite<'a> {
        &self.changes[position - 1]
    }

    /// The position of the change that made a version.
    pub(super) fn made(&self, version: &str) -> Option<usize> {
        self.positions.get(version).copied()
    }

    /// The position of a list's version, if it has one.
    pub(super) fn position(&self, version: &str) -> Option<usize> {
        match &self.numbers {
            Some(numbers) => Some(numbers.partition_point(|number| Some(*number) <= decimal(version))),
            None => self.made(version),
        }
    }

    /// The position of the last change of an object up to a position.
    pub(super) fn last(&self, name: &str, position: usize) -> Option<usize> {
        let positions = self.objects.get(name)?;
        positions[..positions.partition_point(|at| *at <= position)].last().copied()
    }

    /// The position of the first change of an object after a position.
    pub(super) fn next(&self, name: &str, position: usize) -> Option<usize> {
        let positions = self.objects.get(name)?;
        positions.get(positions.partition_point(|at| *at <= position)).copied()
    }

    /// The change that made the state of an object at a position; `None` if no object exists.
    pub(super) fn state(&self, name: &str, position: usize) -> Option<&OrderedWrite<'a>> {
        let change = self.change(self.last(name, position)?);
        change.value.is_some().then_some(change)
    }

    /// Whether an object may have an unseen change.
    pub(super) fn may_have_changed_unseen(&self, name: &str) -> bool {
        let (mut deletions, mut vague) = (0, false);
        for operation in self.history {
            if let Action::Write { name: of, verb, response } = &operation.action
                && of == name
            {
                let deleted = *verb == Verb::Delete && matches!(response, WriteOutcome::Done(_));
                deletions += usize::from(deleted);
                vague |= deleted || *response == WriteOutcome::Unknown;
            }
        }
        let positions = self.objects.get(name).map(Vec::as_slice).unwrap_or_default();
        let seen = positions.iter().filter(|at| self.change(**at).value.is_none()).count();
        deletions > seen || (vague && !self.complete)
    }

    /// Why the known facts do not suffice; `None` if they do.
    pub(super) fn vague(&self) -> Option<String> {
        let known = |operation: &&Operation| match &operation.action {
            Action::Write { verb, response, .. } => {
                matches!(response, WriteOutcome::Done(_)) && *verb != Verb::Delete
            }
            _ => true,
        };
        let vague = self.history.iter().filter(|operation| !known(operation)).count() + self.unplaced.len();
        let why = "no watcher followed to the end";
        (!self.complete && vague > 0).then(|| format!("{why}, and {vague} writes have no known position"))
    }
}

/// The changes in order, and their versions as numbers if all are decimal; omits changes without a position.
fn order(history: &[Operation], sightings: &Sightings<'_>) -> (Vec<usize>, Option<Vec<u128>>) {
    let opaque = |operation: &Operation| match &operation.action {
        Action::List { version, .. } => decimal(version).is_none(),
        _ => false,
    };
    let numbers: Option<Vec<_>> = sightings.changes.iter().map(|change| decimal(change.version)).collect();
    let Some(numbers) = numbers.filter(|_| !history.iter().any(opaque)) else {
        return (as_received(history, sightings), None);
    };
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by_key(|index| numbers[*index]);
    let numbers = order.iter().map(|index| numbers[*index]).collect();
    (order, Some(numbers))
}

/// The order of opaque versions: that of the watcher with the most events.
fn as_received(history: &[Operation], sightings: &Sightings<'_>) -> Vec<usize> {
    let mut watchers: BTreeMap<&str, (HashSet<usize>, Vec<usize>)> = BTreeMap::new();
    for operation in history {
        if let Action::Event { version, .. } = &operation.action
            && let Some(change) = sightings.by_version.get(version.as_str())
        {
            let (known, events) = watchers.entry(&operation.client).or_default();
            if known.insert(*change) {
                events.push(*change);
            }
        }
    }
    watchers.into_values().map(|(_, events)| events).max_by_key(Vec::len).unwrap_or_default()
}
