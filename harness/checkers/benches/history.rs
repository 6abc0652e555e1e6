//! Time to judge 10,000 operations: `cargo bench -p checkers --bench history`.

use std::collections::BTreeMap;
use std::time::Duration;

use checkers::history::{Action, Freshness, History, ObjectState, Operation, Verb, WriteOutcome, judge};

fn main() {
    divan::main();
}

const OBJECTS: usize = 6;
const CLIENTS: usize = 7;
const WATCHERS: usize = 3;

/// Steps start every 10 ms and take 50 ms. Of eight steps, five read or list and three write; each watcher receives the
/// writes.
fn history(count: usize) -> History {
    let mut operations = Vec::new();
    let mut objects: BTreeMap<String, ObjectState> = BTreeMap::new();
    let mut version = 1_000;
    for step in 0.. {
        if operations.len() >= count {
            break;
        }
        let name = format!("object-{}", step * step % OBJECTS);
        let mut push = |client: String, [called, returned]: [usize; 2], action: Action| {
            let [called, returned] = [called, returned].map(|at| Duration::from_millis(at as u64));
            operations.push(Operation { client, called, returned, action });
        };
        let client = format!("client {}", step % CLIENTS);
        let interval = [10 * step, 10 * step + 50];
        match step % 8 {
            0 | 3 | 6 => {
                version += 1;
                let (value, version) = (format!("v{step}"), version.to_string());
                let state = ObjectState { version: version.clone(), value: value.clone() };
                let before = objects.insert(name.clone(), state);
                let verb = match before {
                    None => Verb::Create(value.clone()),
                    Some(before) if step % 2 == 0 => {
                        Verb::Update { value: value.clone(), from: before.version }
                    }
                    Some(_) => Verb::Patch(value.clone()),
                };
                let response = WriteOutcome::Done(Some(version.clone()));
                push(client, interval, Action::Write { name: name.clone(), verb, response });
                for watcher in 0..WATCHERS {
                    let (name, version, value) = (name.clone(), version.clone(), Some(value.clone()));
                    let at = 10 * step + 55 + watcher;
                    push(format!("watcher {watcher}"), [at, at], Action::Event { name, version, value });
                }
            }
            1 | 4 => {
                let freshness = if step % 3 == 0 { Freshness::Any } else { Freshness::MostRecent };
                let (version, items) = (version.to_string(), objects.clone());
                push(client, interval, Action::List { freshness, version, items });
            }
            _ => {
                let shown = objects.get(&name).cloned();
                push(client, interval, Action::Get { name, freshness: Freshness::MostRecent, shown });
            }
        }
    }
    History::new(operations)
}

/// A right history: every check runs to its end.
#[divan::bench(args = [1_000, 10_000])]
fn right(bencher: divan::Bencher<'_, '_>, count: usize) {
    let history = history(count);
    assert!(judge(&history).violations.is_empty());
    bencher.bench(|| judge(&history));
}

/// A wrong history: the judge finds a violation at the end, and shrinks it.
#[divan::bench(args = [1_000, 10_000])]
fn wrong(bencher: divan::Bencher<'_, '_>, count: usize) {
    let mut operations = history(count).operations().to_vec();
    let stale =
        operations.iter().rposition(|one| matches!(one.action, Action::Get { .. })).unwrap_or_default();
    if let Action::Get { shown, .. } = &mut operations[stale].action {
        *shown = None;
    }
    let history = History::new(operations);
    assert_eq!(judge(&history).violations.len(), 1);
    bencher.bench(|| judge(&history));
}
