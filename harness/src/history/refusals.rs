//! A refused write had a reason at some moment while it was under way.

use super::bounds::Bounds;
use super::ledger::{Change, Ledger};
use super::{Action, Answer, Finding, Kept, Refusal, Rule, Verb};

/// A refusal without a reason.
pub(super) fn reasoned(ledger: &Ledger<'_>, bounds: &Bounds, kept: &Kept) -> Option<Finding> {
    // Where changes may have gone unseen, so may the reason.
    if !ledger.complete {
        return None;
    }
    (0..ledger.history.len()).filter(|operation| kept.has(*operation)).find_map(|operation| {
        let Action::Write { name, verb, answer: Answer::Refused(refusal) } =
            &ledger.history[operation].action
        else {
            return None;
        };
        let reason = reason(verb, *refusal)?;
        let (from, to) = {
            let operation = &ledger.history[operation];
            (bounds.before(operation.called), bounds.by(operation.returned))
        };
        let found = (from.position..=to.position).any(|at| reason(ledger.state(name, at)));
        if found || from.position > to.position || ledger.may_have_changed_unseen(name) {
            return None;
        }
        let there = ledger.state(name, from.position);
        let there = there.map_or_else(|| format!("there is no {name}"), Change::said);
        let actual = format!("{} of {name} refused ({}), while {there}", verb.word(), refusal.word());
        let operations = [Some(operation), from.operation, to.operation].into_iter().flatten();
        Some(Finding::new(Rule::RefusalsWithoutTrace, operations, expected(*refusal), actual))
    })
}

type Reason<'a> = Box<dyn Fn(Option<&Change<'_>>) -> bool + 'a>;

/// What of an object is a reason for a refusal; none if it says nothing about the object.
fn reason(verb: &Verb, refusal: Refusal) -> Option<Reason<'_>> {
    match (refusal, verb) {
        (Refusal::Conflict, Verb::Update { from, .. }) => {
            Some(Box::new(move |state| state.is_none_or(|state| state.version != from)))
        }
        (Refusal::Missing, _) => Some(Box::new(|state| state.is_none())),
        (Refusal::Exists, _) => Some(Box::new(|state| state.is_some())),
        (Refusal::Conflict | Refusal::Other, _) => None,
    }
}

fn expected(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::Conflict => "a conflict only with another version",
        Refusal::Missing => "404 only where there is no such object",
        Refusal::Exists => "409 AlreadyExists only where there is such an object",
        Refusal::Other => "",
    }
}
