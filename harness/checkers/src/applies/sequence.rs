//! A running sequence: the known state, and the steps so far.

use super::comparison::{ApplyDifference, ApplyResponse, judge};
use super::kind::AppliedType;
use super::request::step_request;
use super::state::AppliedObject;
use super::step::ApplyStep;
use crate::script::{PlayedStep, StepRequest};

/// Steps in turn, all on one object.
#[derive(Debug)]
pub struct ApplySequence {
    kind: AppliedType,
    name: String,
    known: Option<AppliedObject>,
    played: Vec<PlayedStep<ApplyStep>>,
}

impl ApplySequence {
    /// A sequence without steps; no object has this full name yet.
    pub fn new(kind: &AppliedType, name: &str) -> Self {
        Self { kind: kind.clone(), name: name.to_owned(), known: None, played: Vec::new() }
    }

    /// The request of the next step.
    pub fn next(&mut self, step: &ApplyStep) -> StepRequest {
        let before = self.played.len().checked_sub(1);
        let request = step_request(step, self.known.as_ref().zip(before), &self.name, &self.kind);
        self.played.push(PlayedStep {
            step: step.clone(),
            name: self.name.clone(),
            step_request: request.clone(),
            before,
        });
        request
    }

    /// The differences that the last step shows, by its response and the state after it.
    pub fn compare(
        &mut self,
        response: &ApplyResponse,
        after: Option<AppliedObject>,
    ) -> Vec<ApplyDifference> {
        let Some(played) = self.played.last() else { return Vec::new() };
        let found = judge(&played.step, self.known.as_ref(), response, after.as_ref(), &self.kind);
        self.known = after;
        found
    }

    /// The steps so far.
    pub fn steps(&self) -> &[PlayedStep<ApplyStep>] {
        &self.played
    }
}
