//! A sequence as it goes on: what is known of the object, and what was done.

use super::ask::ask;
use super::judge::{Answer, Difference, judge};
use super::kind::Kind;
use super::state::State;
use super::step::Step;
use crate::script::{Asked, Told};

/// Steps, one after the other, all on one object.
#[derive(Debug)]
pub struct Course {
    kind: Kind,
    name: String,
    known: Option<State>,
    told: Vec<Told<Step>>,
}

impl Course {
    /// Nothing has been done, and there is no object of this whole name.
    pub fn new(kind: &Kind, name: &str) -> Self {
        Self { kind: kind.clone(), name: name.to_owned(), known: None, told: Vec::new() }
    }

    /// The request of the next step.
    pub fn next(&mut self, step: &Step) -> Asked {
        let before = self.told.len().checked_sub(1);
        let asked = ask(step, self.known.as_ref().zip(before), &self.name, &self.kind);
        self.told.push(Told { step: step.clone(), name: self.name.clone(), asked: asked.clone(), before });
        asked
    }

    /// What the step shows that was asked last, by its answer and by what is there afterwards.
    pub fn came(&mut self, answer: &Answer, after: Option<State>) -> Vec<Difference> {
        let Some(told) = self.told.last() else { return Vec::new() };
        let found = judge(&told.step, self.known.as_ref(), answer, after.as_ref(), &self.kind);
        self.known = after;
        found
    }

    /// What was done so far.
    pub fn told(&self) -> &[Told<Step>] {
        &self.told
    }
}
