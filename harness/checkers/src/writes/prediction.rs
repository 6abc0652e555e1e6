//! The model: predicts an object after a step.

use super::state::{Content, State};
use super::step::{Test, Verb, WriteStep};
use crate::script::StepRequest;

/// What may come of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fate {
    /// The codes of a step that is done; empty if it must be refused.
    pub(super) done: &'static [u16],
    /// The codes of one that is refused; empty if it must be done.
    pub(super) refused: &'static [u16],
    /// What is there once it is done.
    pub(super) after: After,
}

/// What is there once a step is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum After {
    /// Nothing.
    Gone,
    /// A new object.
    New(Content),
    /// The same object, with this content.
    Same(Content),
    /// The same object, on its way out.
    Deleting(Content),
}

impl Fate {
    fn refused(codes: &'static [u16]) -> Self {
        Self { done: &[], refused: codes, after: After::Gone }
    }

    fn done(after: After) -> Self {
        Self { done: &[200], refused: &[], after }
    }
}

/// What may become of an object that is as `now` by a step that was asked so.
pub(super) fn predict(step: &WriteStep, request: &StepRequest, now: Option<&State>) -> Fate {
    let Some(now) = now else { return of_nothing(step, request) };
    let stale = request.version.as_ref().is_some_and(|version| *version != now.version);
    let mistaken = request.uid.as_ref().is_some_and(|uid| *uid != now.uid);
    match &step.verb {
        Verb::Create(_) => Fate::refused(&[409]),
        Verb::Delete(..) if stale || mistaken => Fate::refused(&[409]),
        Verb::Delete(..) => Fate { done: &[200, 202], ..Fate::done(of_deletion(now)) },
        Verb::Update(change, ..) | Verb::Merge(change, ..) => {
            let content = now.content.changed(change);
            let held = now.deleting && content.holds_more_than(&now.content);
            match (stale, mistaken, held) {
                (true, false, false) => Fate::refused(&[409]),
                (_, true, _) | (true, _, true) => Fate::refused(&[409, 422]),
                (false, false, true) => Fate::refused(&[422]),
                (false, false, false) => {
                    Fate { refused: without_version(step, request), ..Fate::done(after(now, content)) }
                }
            }
        }
        Verb::Json(Test::Fails, _) => Fate::refused(&[422]),
        Verb::Json(_, value) => {
            let content = Content { value: format!("v{value}"), ..now.content.clone() };
            Fate::done(after(now, content))
        }
    }
}

/// Some types take no update that names no version.
fn without_version(step: &WriteStep, request: &StepRequest) -> &'static [u16] {
    match step.verb {
        Verb::Update(..) if request.version.is_none() => &[400, 409, 422],
        _ => &[],
    }
}

fn of_nothing(step: &WriteStep, request: &StepRequest) -> Fate {
    let change = match &step.verb {
        Verb::Create(change) | Verb::Update(change, ..) => change,
        Verb::Delete(..) | Verb::Merge(..) | Verb::Json(..) => return Fate::refused(&[404]),
    };
    let mut new = Content::default().changed(change);
    if change.value.is_none() {
        "v0".clone_into(&mut new.value);
    }
    match &step.verb {
        Verb::Create(_) => Fate { done: &[201], ..Fate::done(After::New(new)) },
        // An object of this uid was there, if any: it cannot come back.
        _ if request.uid.is_some() => Fate::refused(&[404, 409, 422]),
        // Some types are created by an update.
        _ => Fate { done: &[201], refused: &[404, 409, 422], after: After::New(new) },
    }
}

/// An object that is being deleted goes with its last finalizer.
fn after(now: &State, content: Content) -> After {
    let held = !content.finalizers.is_empty() || now.lingers;
    match (now.deleting, held) {
        (true, false) => After::Gone,
        (true, true) => After::Deleting(content),
        (false, _) => After::Same(content),
    }
}

fn of_deletion(now: &State) -> After {
    if now.content.finalizers.is_empty() && !now.lingers {
        return After::Gone;
    }
    After::Deleting(now.content.clone())
}
