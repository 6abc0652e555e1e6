//! Sightings: the states that operations show, without an order.

use std::collections::HashMap;

use super::change::{OrderedWrite, Sighting, as_text};
use super::finding::HistoryFinding;
use super::operation::{Action, Freshness, Operation, WriteOutcome};
use super::rule::HistoryRule;

/// All sightings, without an order.
#[derive(Default)]
pub(super) struct Sightings<'a> {
    pub(super) changes: Vec<OrderedWrite<'a>>,
    pub(super) by_version: HashMap<&'a str, usize>,
    by_value: HashMap<&'a str, usize>,
    pub(super) findings: Vec<HistoryFinding>,
}

impl<'a> Sightings<'a> {
    /// Collects all sightings. Those of writers and watchers are the standard for reads.
    pub(super) fn of(history: &'a [Operation]) -> Self {
        let mut all = Self::default();
        let writers = writers(history);
        let rank = |operation: &Operation| match &operation.action {
            Action::Write { .. } => 0,
            Action::Event { .. } => 1,
            Action::Get { .. } => 2,
            Action::List { .. } => 3,
        };
        let mut operations: Vec<usize> = (0..history.len()).collect();
        operations.sort_by_key(|operation| rank(&history[*operation]));
        for operation in operations {
            for sighting in sightings_of(&history[operation]) {
                if let Err(finding) = all.record(history, &writers, operation, sighting) {
                    all.findings.push(finding);
                }
            }
        }
        all
    }

    fn record(
        &mut self,
        history: &[Operation],
        writers: &HashMap<&'a str, usize>,
        operation: usize,
        sighting: Sighting<'a>,
    ) -> Result<(), HistoryFinding> {
        let (name, version, value) = sighting;
        let rule = own_rule(&history[operation]);
        let write = value.and_then(|value| writers.get(value).copied());
        let known = self.by_version.get(version).copied();
        if let Some(value) = value {
            let Some(write) = write.filter(|write| name_of(&history[*write]) == Some(name)) else {
                let others = known.and_then(|known| self.changes[known].write);
                return Err(HistoryFinding::new(
                    rule,
                    others.into_iter().chain([operation]),
                    "a state that a write made",
                    format!("{}, which no write made", as_text(sighting)),
                ));
            };
            self.record_once(history, operation, write, (name, version, value))?;
        }
        if let Some(known) = known {
            let change = &mut self.changes[known];
            if (change.name, change.value) == (name, value) {
                change.seen_by.push(operation);
                return Ok(());
            }
            let first = change.seen_by[0];
            let expected = format!("only {}", change.as_text());
            return Err(HistoryFinding::new(rule, [first, operation], expected, as_text(sighting)));
        }
        self.by_version.insert(version, self.changes.len());
        if let Some(value) = value {
            self.by_value.entry(value).or_insert(self.changes.len());
        }
        let seen_by = vec![operation];
        self.changes.push(OrderedWrite { name, version, value, write, seen_by, deleters: Vec::new() });
        Ok(())
    }

    /// A value has one version only, and the value of a refused write has none.
    fn record_once(
        &mut self,
        history: &[Operation],
        operation: usize,
        write: usize,
        (name, version, value): (&str, &str, &str),
    ) -> Result<(), HistoryFinding> {
        let text = || as_text((name, version, Some(value)));
        if matches!(&history[write].action, Action::Write { response: WriteOutcome::Refused(_), .. }) {
            let rule = HistoryRule::RefusalsWithoutTrace;
            let actual = format!("{}, although the server refused that write", text());
            self.findings.push(HistoryFinding::new(
                rule,
                [write, operation],
                "no trace of the write",
                actual,
            ));
        }
        let Some(first) = self.by_value.get(value).map(|first| &self.changes[*first]) else { return Ok(()) };
        let known = self.by_version.get(version).map(|known| &self.changes[*known]);
        if first.version == version || known.is_some_and(|known| known.value == Some(value)) {
            return Ok(());
        }
        let happened = known.is_none() && matches!(history[operation].action, Action::Event { .. });
        let rule = if happened { HistoryRule::UnknownOutcomes } else { own_rule(&history[operation]) };
        let (expected, witness) =
            (format!("{value} at {} and nowhere else", first.version), first.seen_by[0]);
        let finding =
            HistoryFinding::new(rule, [write, witness, operation], expected, format!("{} as well", text()));
        if happened {
            // It is a change nevertheless, and others follow it.
            self.findings.push(finding);
            return Ok(());
        }
        Err(finding)
    }
}

/// The writes, by their values.
fn writers(history: &[Operation]) -> HashMap<&str, usize> {
    let mut writers = HashMap::new();
    for (index, operation) in history.iter().enumerate() {
        if let Action::Write { verb, .. } = &operation.action {
            writers.extend(verb.value().map(|value| (value, index)));
        }
    }
    writers
}

fn sightings_of(operation: &Operation) -> Vec<Sighting<'_>> {
    match &operation.action {
        Action::Write { name, verb, response: WriteOutcome::Done(Some(version)) } => {
            verb.value().map(|value| (name.as_str(), version.as_str(), Some(value))).into_iter().collect()
        }
        Action::Write { .. } => Vec::new(),
        Action::Get { name, shown, .. } => {
            let state = shown.iter();
            state.map(|state| (name.as_str(), state.version.as_str(), Some(state.value.as_str()))).collect()
        }
        Action::List { items, .. } => {
            let items = items.iter();
            items.map(|(name, state)| (&**name, &*state.version, Some(&*state.value))).collect()
        }
        Action::Event { name, version, value } => vec![(name, version, value.as_deref())],
    }
}

/// The rule that an impossible state in an operation breaks.
fn own_rule(operation: &Operation) -> HistoryRule {
    match operation.action {
        Action::Write { .. } => HistoryRule::WritesOrdered,
        Action::Event { .. } => HistoryRule::WatchersAgree,
        Action::Get { freshness: Freshness::MostRecent, .. } => HistoryRule::ReadsLinearizable,
        Action::Get { freshness: Freshness::Any, .. } => HistoryRule::CachedReadsWhole,
        Action::List { .. } => HistoryRule::ListsSnapshot,
    }
}

fn name_of(operation: &Operation) -> Option<&str> {
    match &operation.action {
        Action::Write { name, .. } => Some(name),
        _ => None,
    }
}
