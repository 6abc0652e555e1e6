//! Bounds on the time of each write, from the kept operations.

use std::time::Duration;

use super::change::OrderedWrite;
use super::finding::Kept;
use super::operation::{Action, WriteOutcome};
use super::write_order::WriteOrder;

/// A time, and the operation that gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment {
    pub(super) at: Duration,
    pub(super) operation: usize,
}

/// A position, and the operation that gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reached {
    pub(super) position: usize,
    pub(super) operation: Option<usize>,
}

/// Bounds on the times of the writes.
pub(super) struct Bounds {
    /// By position: the earliest and the latest time.
    pub(super) spans: Vec<(Option<Moment>, Option<Moment>)>,
    /// By the latest time of a write: the greatest position so far.
    happened: Vec<(Duration, Reached)>,
    /// By the earliest time of a write: the least position from there on.
    begun: Vec<(Duration, Reached)>,
}

impl Bounds {
    pub(super) fn of(write_order: &WriteOrder<'_>, kept: &Kept) -> Self {
        let spans: Vec<_> =
            write_order.changes.iter().map(|change| span(write_order, change, kept)).collect();
        let reached = |(index, moment): (usize, &Moment)| {
            let reached = Reached { position: index + 1, operation: Some(moment.operation) };
            (moment.at, reached)
        };
        let ends = spans.iter().enumerate().filter_map(|(index, (_, end))| Some((index, end.as_ref()?)));
        let starts =
            spans.iter().enumerate().filter_map(|(index, (start, _))| Some((index, start.as_ref()?)));
        let mut happened: Vec<_> = ends.map(reached).collect();
        let mut begun: Vec<_> = starts.map(reached).collect();
        happened.sort_unstable();
        begun.sort_unstable();
        for index in 1..happened.len() {
            happened[index].1 = happened[index].1.max(happened[index - 1].1);
        }
        for index in (1..begun.len()).rev() {
            begun[index - 1].1 = begun[index - 1].1.min(begun[index].1);
        }
        Self { spans, happened, begun }
    }

    /// The position up to which every write happened before a moment.
    pub(super) fn before(&self, moment: Duration) -> Reached {
        let count = self.happened.partition_point(|(end, _)| *end < moment);
        let none = Reached { position: 0, operation: None };
        count.checked_sub(1).map_or(none, |last| self.happened[last].1)
    }

    /// The position after which no write happened by a moment.
    pub(super) fn by(&self, moment: Duration) -> Reached {
        let first = self.begun.partition_point(|(start, _)| *start <= moment);
        let all = Reached { position: self.spans.len(), operation: None };
        self.begun
            .get(first)
            .map_or(all, |(_, reached)| Reached { position: reached.position - 1, ..*reached })
    }
}

fn span(
    write_order: &WriteOrder<'_>,
    change: &OrderedWrite<'_>,
    kept: &Kept,
) -> (Option<Moment>, Option<Moment>) {
    let start = |operation: usize| Moment { at: write_order.history[operation].called, operation };
    let seen = change.seen_by.iter().find(|operation| kept.has(**operation));
    let seen =
        seen.map(|operation| Moment { at: write_order.history[*operation].returned, operation: *operation });
    if change.value.is_some() {
        // An acknowledged write is its own first sighting.
        return (change.write.filter(|write| kept.has(*write)).map(start), seen);
    }
    if change.deleters.is_empty() || !change.deleters.iter().all(|deletion| kept.has(*deletion)) {
        return (None, seen);
    }
    // Any of the deletions may be the one: only the bounds of all are certain.
    let started = change.deleters.iter().map(|deletion| start(*deletion)).min();
    let ends = change.deleters.iter().map(|deletion| end(write_order, *deletion)).collect::<Option<Vec<_>>>();
    let ended = ends.and_then(|ends| ends.into_iter().max());
    (started, [seen, ended].into_iter().flatten().min())
}

/// The latest time of a write, if it happened; `None` for an unknown outcome, which may still follow.
fn end(write_order: &WriteOrder<'_>, operation: usize) -> Option<Moment> {
    let written = &write_order.history[operation];
    let known = !matches!(written.action, Action::Write { response: WriteOutcome::Unknown, .. });
    known.then_some(Moment { at: written.returned, operation })
}
