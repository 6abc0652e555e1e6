//! Mutations that make a right history wrong; `None` if they do not apply to it.

use super::*;

/// The first result, from a random index on.
pub(super) fn some<T>(count: usize, pick: usize, found: impl Fn(usize) -> Option<T>) -> Option<T> {
    (0..count).find_map(|offset| found((pick + offset) % count))
}

/// The changes that the first watcher received: name and state.
fn changes(history: &[Operation]) -> Vec<(&str, ObjectState)> {
    let changes = history.iter().filter_map(|operation| match &operation.action {
        Action::Event { name, version, value: Some(value) } if operation.client == "watcher 0" => {
            Some((name.as_str(), state((value, version))))
        }
        _ => None,
    });
    changes.collect()
}

fn acknowledged(operation: &Operation) -> Option<&str> {
    match &operation.action {
        Action::Write { response: WriteOutcome::Done(Some(version)), .. } => Some(version),
        _ => None,
    }
}

/// Swaps the versions of two writes, one after the other, in every operation.
pub(super) fn versions_swapped(history: &mut [Operation], pick: usize) -> Option<()> {
    let (one, other) = some(history.len(), pick, |first| {
        let later = history
            .iter()
            .find(|later| later.called > history[first].returned && acknowledged(later).is_some())?;
        Some((acknowledged(&history[first])?.to_owned(), acknowledged(later)?.to_owned()))
    })?;
    let swap = |version: &mut String| {
        if *version == one {
            version.clone_from(&other);
        } else if *version == other {
            version.clone_from(&one);
        }
    };
    for operation in history {
        match &mut operation.action {
            Action::Write { response: WriteOutcome::Done(Some(version)), .. }
            | Action::Event { version, .. } => {
                swap(version);
            }
            Action::Get { shown: Some(state), .. } => swap(&mut state.version),
            Action::List { items, .. } => items.values_mut().for_each(|state| swap(&mut state.version)),
            _ => {}
        }
    }
    Some(())
}

/// A read returns a state that was replaced before its call.
pub(super) fn read_stale(history: &mut [Operation], pick: usize) -> Option<()> {
    let known = changes(history);
    let (read, old) = some(history.len(), pick, |read| {
        let Action::Get { name, freshness: Freshness::MostRecent, .. } = &history[read].action else {
            return None;
        };
        let mut before = None;
        for (of, state) in known.iter().filter(|(of, _)| of == name) {
            let write = history.iter().find(|one| acknowledged(one) == Some(&state.version));
            if let Some(before) = before.replace((*of, state.clone()))
                && write.is_some_and(|write| write.returned < history[read].called)
            {
                return Some((read, before.1));
            }
        }
        None
    })?;
    if let Action::Get { shown, .. } = &mut history[read].action {
        *shown = Some(old);
    }
    Some(())
}

/// A list has another state of one object.
pub(super) fn list_mixed(history: &mut [Operation], pick: usize) -> Option<()> {
    let known = changes(history);
    let (list, name, old) = some(history.len(), pick, |list| {
        let Action::List { items, .. } = &history[list].action else { return None };
        items.iter().find_map(|(name, listed)| {
            let mut others = known.iter().filter(|(of, state)| of == name && state != listed);
            Some((list, name.clone(), others.next()?.1.clone()))
        })
    })?;
    if let Action::List { items, .. } = &mut history[list].action {
        items.insert(name, old);
    }
    Some(())
}

fn events(history: &[Operation]) -> Vec<usize> {
    let of = |operation: &Operation| operation.client == "watcher 1";
    (0..history.len()).filter(|index| of(&history[*index])).collect()
}

/// A watcher misses one change, but receives the next.
pub(super) fn event_lost(history: &mut Vec<Operation>, pick: usize) -> Option<()> {
    let events = events(history);
    let lost = pick % events.len().checked_sub(1).filter(|count| *count > 0)?;
    history.remove(events[lost]);
    Some(())
}

/// A watcher receives two changes in the other order.
pub(super) fn events_swapped(history: &mut [Operation], pick: usize) -> Option<()> {
    let events = events(history);
    let first = pick % events.len().checked_sub(1).filter(|count| *count > 0)?;
    let action = history[events[first]].action.clone();
    history[events[first]].action = history[events[first + 1]].action.clone();
    history[events[first + 1]].action = action;
    Some(())
}

/// A read at version 0 returns a mix of two states.
pub(super) fn state_torn(history: &mut [Operation], pick: usize) -> Option<()> {
    let read = some(history.len(), pick, |read| match &history[read].action {
        Action::Get { freshness: Freshness::Any, shown: Some(_), .. } => Some(read),
        _ => None,
    })?;
    if let Action::Get { shown: Some(state), .. } = &mut history[read].action {
        state.value.push_str("|v0");
    }
    Some(())
}

/// The server refuses a write that happened.
pub(super) fn done_refused(history: &mut [Operation], pick: usize) -> Option<()> {
    let write = some(history.len(), pick, |write| acknowledged(&history[write]).map(|_| write))?;
    if let Action::Write { response, .. } = &mut history[write].action {
        *response = WriteOutcome::Refused(Refusal::Other);
    }
    Some(())
}

/// The server refuses an update from the newest version for a conflict.
pub(super) fn refused_for_nothing(history: &mut Vec<Operation>, _: usize) -> Option<()> {
    let (_, newest) = changes(history).pop()?;
    let refused = update("end", "late", &newest.version, WriteOutcome::Refused(Refusal::Conflict));
    history.push(operation("late", 1_000_000, 1_000_001, refused));
    Some(())
}

/// A write happens again at the end.
pub(super) fn done_twice(history: &mut Vec<Operation>, pick: usize) -> Option<()> {
    let known = changes(history);
    let (name, state) = known.get(pick % known.len().max(1))?;
    let again = event(name, "99999999", Some(&state.value));
    let end =
        ["watcher 0", "watcher 1"].map(|watcher| operation(watcher, 1_000_000, 1_000_000, again.clone()));
    history.extend(end);
    Some(())
}
