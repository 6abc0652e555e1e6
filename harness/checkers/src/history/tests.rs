//! Tests of the history checks.

mod by_hand;
mod mutations;
mod play;
mod properties;

use std::time::Duration;

use super::{
    Action, Freshness, History, HistoryResult, HistoryRule, ObjectState, Operation, Refusal, Verb,
    WriteOutcome, judge,
};

/// An operation of a client from one millisecond to another.
fn operation(client: &str, called: u64, returned: u64, action: Action) -> Operation {
    let [called, returned] = [called, returned].map(Duration::from_millis);
    Operation { client: client.to_owned(), called, returned, action }
}

fn write(name: &str, verb: Verb, response: WriteOutcome) -> Action {
    Action::Write { name: name.to_owned(), verb, response }
}

fn create(name: &str, value: &str, version: &str) -> Action {
    write(name, Verb::Create(value.to_owned()), done(version))
}

fn patch(name: &str, value: &str, response: WriteOutcome) -> Action {
    write(name, Verb::Patch(value.to_owned()), response)
}

fn update(name: &str, value: &str, from: &str, response: WriteOutcome) -> Action {
    write(name, Verb::Update { value: value.to_owned(), from: from.to_owned() }, response)
}

fn done(version: &str) -> WriteOutcome {
    WriteOutcome::Done(Some(version.to_owned()))
}

fn state((value, version): (&str, &str)) -> ObjectState {
    ObjectState { version: version.to_owned(), value: value.to_owned() }
}

fn get(name: &str, freshness: Freshness, state: Option<(&str, &str)>) -> Action {
    Action::Get { name: name.to_owned(), freshness, shown: state.map(self::state) }
}

fn list(freshness: Freshness, version: &str, items: &[(&str, (&str, &str))]) -> Action {
    let items = items.iter().map(|(name, item)| ((*name).to_owned(), state(*item))).collect();
    Action::List { freshness, version: version.to_owned(), items }
}

fn event(name: &str, version: &str, value: Option<&str>) -> Action {
    Action::Event { name: name.to_owned(), version: version.to_owned(), value: value.map(str::to_owned) }
}

fn judged(operations: &[Operation]) -> HistoryResult {
    judge(&History::new(operations.to_vec()))
}

fn broken(judged: &HistoryResult) -> Vec<HistoryRule> {
    judged.violations.iter().map(|violation| violation.rule).collect()
}
