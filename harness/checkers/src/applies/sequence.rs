//! A running sequence: the known state, and the steps so far.

use super::comparison::{ApplyDifference, ApplyResponse, judge};
use super::kind::Kind;
use super::request::step_request;
use super::state::State;
use super::step::ApplyStep;
use crate::script::{PlayedStep, StepRequest};

/// Steps, one after the other, all on one object.
#[derive(Debug)]
pub struct ApplySequence {
    kind: Kind,
    name: String,
    known: Option<State>,
    told: Vec<PlayedStep<ApplyStep>>,
}

impl ApplySequence {
    /// Nothing has been done, and there is no object of this whole name.
    pub fn new(kind: &Kind, name: &str) -> Self {
        Self { kind: kind.clone(), name: name.to_owned(), known: None, told: Vec::new() }
    }

    /// The request of the next step.
    pub fn next(&mut self, step: &ApplyStep) -> StepRequest {
        let before = self.told.len().checked_sub(1);
        let request = step_request(step, self.known.as_ref().zip(before), &self.name, &self.kind);
        self.told.push(PlayedStep {
            step: step.clone(),
            name: self.name.clone(),
            step_request: request.clone(),
            before,
        });
        request
    }

    /// What the step shows that was asked last, by its response and by what is there afterwards.
    pub fn came(&mut self, response: &ApplyResponse, after: Option<State>) -> Vec<ApplyDifference> {
        let Some(told) = self.told.last() else { return Vec::new() };
        let found = judge(&told.step, self.known.as_ref(), response, after.as_ref(), &self.kind);
        self.known = after;
        found
    }

    /// What was done so far.
    pub fn told(&self) -> &[PlayedStep<ApplyStep>] {
        &self.told
    }
}
