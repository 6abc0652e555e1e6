//! A simulated right store: each operation happens at one moment between its call and its return.

use std::collections::BTreeMap;
use std::ops::Range;

use proptest::prelude::*;

use super::*;

/// One simulated operation: its kind, its object, and the time of its call and return around its moment.
#[derive(Debug, Clone)]
pub(super) struct Step {
    kind: u8,
    name: u8,
    before: u64,
    after: u64,
    pick: usize,
    lost: bool,
}

pub(super) fn steps(count: Range<usize>) -> impl Strategy<Value = Vec<Step>> {
    let step = (0..12u8, 0..3u8, 0..30u64, 0..30u64, any::<usize>(), prop::bool::weighted(0.1));
    let step = step.prop_map(|(kind, name, before, after, pick, lost)| Step {
        kind,
        name,
        before,
        after,
        pick,
        lost,
    });
    prop::collection::vec(step, count)
}

/// The form of versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Versions {
    Decimal,
    Opaque,
}

type Objects = BTreeMap<String, ObjectState>;

struct Store {
    versions: Versions,
    counter: u64,
    objects: Objects,
    past: Vec<(String, Objects)>,
    operations: Vec<Operation>,
    delivered: [u64; 2],
}

/// Milliseconds between two moments, and between those of one client.
const TICK: u64 = 10;
const CLIENTS: usize = 7;

pub(super) fn play(steps: &[Step], versions: Versions) -> Vec<Operation> {
    let mut store = Store {
        versions,
        counter: 100,
        objects: BTreeMap::new(),
        past: Vec::new(),
        operations: Vec::new(),
        delivered: [0; 2],
    };
    store.past.push((store.version(), BTreeMap::new()));
    for (index, step) in steps.iter().enumerate() {
        let now = (index as u64 + 4) * TICK;
        let client = format!("client {}", index % CLIENTS);
        let mut action = store.step(step, index, now);
        if let Action::Write { response, .. } = &mut action
            && step.lost
        {
            *response = WriteOutcome::Unknown;
        }
        store.operations.push(operation(&client, now - step.before, now + step.after, action));
    }
    let end = (steps.len() as u64 + 20) * TICK;
    let version = store.put("end", "end", end);
    store.operations.push(operation("client end", end - 1, end + 1, create("end", "end", &version)));
    store.operations
}

impl Store {
    fn version(&self) -> String {
        match self.versions {
            Versions::Decimal => self.counter.to_string(),
            Versions::Opaque => format!("v{:x}", self.counter.wrapping_mul(0x9E37_79B9_7F4A_7C15)),
        }
    }

    fn deliver(&mut self, name: &str, value: Option<&str>, now: u64) -> String {
        self.counter += 1 + self.counter % 3;
        let version = self.version();
        for (watcher, delivered) in self.delivered.iter_mut().enumerate() {
            *delivered = (now + 7 * watcher as u64).max(*delivered);
            let action = event(name, &version, value);
            self.operations.push(operation(&format!("watcher {watcher}"), *delivered, *delivered, action));
        }
        version
    }

    fn put(&mut self, name: &str, value: &str, now: u64) -> String {
        let version = self.deliver(name, Some(value), now);
        self.objects.insert(name.to_owned(), state((value, &version)));
        self.past.push((version.clone(), self.objects.clone()));
        version
    }

    fn step(&mut self, step: &Step, index: usize, now: u64) -> Action {
        let name = ["a", "b", "c"][usize::from(step.name)];
        let value = format!("v{index}");
        let current = self.objects.get(name).cloned();
        let (past, old) = self.past[step.pick % self.past.len()].clone();
        match step.kind {
            0..2 => {
                let there = current.is_some();
                let response = self.outcome(there, Refusal::Exists, |store| store.put(name, &value, now));
                write(name, Verb::Create(value), response)
            }
            2..4 => {
                let from = if step.pick.is_multiple_of(3) { old.get(name).cloned() } else { current.clone() };
                let from = from.map_or_else(|| past.clone(), |state| state.version);
                let refusal = if current.is_some() { Refusal::Conflict } else { Refusal::Missing };
                let refused = current.is_none_or(|state| state.version != from);
                let response = self.outcome(refused, refusal, |store| store.put(name, &value, now));
                write(name, Verb::Update { value, from }, response)
            }
            4..6 => {
                let response =
                    self.outcome(current.is_none(), Refusal::Missing, |store| store.put(name, &value, now));
                write(name, Verb::Patch(value), response)
            }
            6 => self.delete(name, current.is_none(), now),
            7..9 => Action::Get { name: name.to_owned(), freshness: Freshness::MostRecent, shown: current },
            9 => Action::Get {
                name: name.to_owned(),
                freshness: Freshness::Any,
                shown: old.get(name).cloned(),
            },
            10 => {
                let (version, items) = (self.version(), self.objects.clone());
                Action::List { freshness: Freshness::MostRecent, version, items }
            }
            _ => Action::List { freshness: Freshness::Any, version: past, items: old },
        }
    }

    fn outcome(
        &mut self,
        refused: bool,
        refusal: Refusal,
        put: impl FnOnce(&mut Self) -> String,
    ) -> WriteOutcome {
        if refused { WriteOutcome::Refused(refusal) } else { WriteOutcome::Done(Some(put(self))) }
    }

    fn delete(&mut self, name: &str, refused: bool, now: u64) -> Action {
        if refused {
            return write(name, Verb::Delete, WriteOutcome::Refused(Refusal::Missing));
        }
        let version = self.deliver(name, None, now);
        self.objects.remove(name);
        self.past.push((version, self.objects.clone()));
        write(name, Verb::Delete, WriteOutcome::Done(None))
    }
}
