//! A refused write had a reason at some moment between its call and its return.

use super::bounds::Bounds;
use super::change::OrderedWrite;
use super::finding::{HistoryFinding, Kept};
use super::operation::{Action, Refusal, WriteOutcome};
use super::rule::HistoryRule;
use super::write_order::WriteOrder;

/// A refusal without a reason.
pub(super) fn reasoned(write_order: &WriteOrder<'_>, bounds: &Bounds, kept: &Kept) -> Option<HistoryFinding> {
    // An unseen change may be the reason.
    if !write_order.complete {
        return None;
    }
    (0..write_order.history.len()).filter(|operation| kept.has(*operation)).find_map(|operation| {
        let Action::Write { name, verb, response: WriteOutcome::Refused(refusal) } =
            &write_order.history[operation].action
        else {
            return None;
        };
        let (from, to) = {
            let operation = &write_order.history[operation];
            (bounds.before(operation.called), bounds.by(operation.returned))
        };
        let version = |at: usize| write_order.state(name, at).map(|there| Some(there.version));
        let reasoned = (from.position..=to.position).any(|at| refusal.has_reason(verb, version(at)));
        if reasoned || from.position > to.position || write_order.may_have_changed_unseen(name) {
            return None;
        }
        let there = write_order.state(name, from.position);
        let there = there.map_or_else(|| format!("no {name} exists"), OrderedWrite::as_text);
        let actual = format!("{} of {name} refused ({}), while {there}", verb.word(), refusal.word());
        let operations = [Some(operation), from.operation, to.operation].into_iter().flatten();
        Some(HistoryFinding::new(HistoryRule::RefusalsWithoutTrace, operations, expected(*refusal), actual))
    })
}

fn expected(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Conflict => "a conflict only with another version",
        Refusal::Missing => "404 only for an absent object",
        Refusal::Exists => "409 AlreadyExists only for an existing object",
        Refusal::Other => "",
    }
}
