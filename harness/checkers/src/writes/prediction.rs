//! The model: predicts an object after a step.

use super::state::{Content, WrittenObject};
use super::step::{Test, Verb, WriteStep};
use crate::script::StepRequest;

/// The predicted result of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fate {
    /// The codes of a step that the server carries out; empty if it must refuse.
    pub(super) done: &'static [u16],
    /// The codes of a refusal; empty if the server must not refuse.
    pub(super) refused: &'static [u16],
    /// The object after a step that the server carries out.
    pub(super) after: After,
}

/// The object after a step that the server carries out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum After {
    /// None.
    Gone,
    /// A new object.
    New(Content),
    /// The same object, with this content.
    Same(Content),
    /// The same object, being deleted.
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

/// Predicts the result of a step with this request, on an object in the state `now`, or without one.
pub(super) fn predict(step: &WriteStep, request: &StepRequest, now: Option<&WrittenObject>) -> Fate {
    let Some(now) = now else { return predict_without_object(step, request) };
    let stale = request.version.as_ref().is_some_and(|version| *version != now.version);
    let mistaken = request.uid.as_ref().is_some_and(|uid| *uid != now.uid);
    match &step.verb {
        Verb::Create(_) => Fate::refused(&[409]),
        Verb::Delete(..) if stale || mistaken => Fate::refused(&[409]),
        Verb::Delete(..) => Fate { done: &[200, 202], ..Fate::done(after_deletion(now)) },
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

/// Some types refuse an update without a version.
fn without_version(step: &WriteStep, request: &StepRequest) -> &'static [u16] {
    match step.verb {
        Verb::Update(..) if request.version.is_none() => &[400, 409, 422],
        _ => &[],
    }
}

fn predict_without_object(step: &WriteStep, request: &StepRequest) -> Fate {
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
        // An object with this uid existed, if any: no write creates it again.
        _ if request.uid.is_some() => Fate::refused(&[404, 409, 422]),
        // An update creates objects of some types.
        _ => Fate { done: &[201], refused: &[404, 409, 422], after: After::New(new) },
    }
}

/// An object that is being deleted disappears with its last finalizer.
fn after(now: &WrittenObject, content: Content) -> After {
    let held = !content.finalizers.is_empty() || now.lingers;
    match (now.deleting, held) {
        (true, false) => After::Gone,
        (true, true) => After::Deleting(content),
        (false, _) => After::Same(content),
    }
}

fn after_deletion(now: &WrittenObject) -> After {
    if now.content.finalizers.is_empty() && !now.lingers {
        return After::Gone;
    }
    After::Deleting(now.content.clone())
}
