//! A running sequence: the known state, and the steps so far.

use std::collections::BTreeMap;

use super::comparison::{WriteDifference, WriteResponse, judge};
use super::request::{Known, step_request};
use super::state::State;
use super::step::WriteStep;
use model::ResourceUnderTest;

use crate::script::{PlayedStep, StepRequest};

/// Steps, one after the other.
#[derive(Debug)]
pub struct WriteSequence {
    shape: ResourceUnderTest,
    objects: BTreeMap<&'static str, Followed>,
    told: Vec<PlayedStep<WriteStep>>,
}

#[derive(Debug, Default)]
struct Followed {
    known: Known,
    last_step: Option<usize>,
}

impl WriteSequence {
    /// Nothing has been done, and nothing is there.
    pub fn new(shape: ResourceUnderTest) -> Self {
        Self { shape, objects: BTreeMap::new(), told: Vec::new() }
    }

    /// The request of the next step, on an object of this whole name.
    pub fn next(&mut self, step: &WriteStep, name: &str) -> StepRequest {
        let followed = self.objects.entry(step.name).or_default();
        let request = step_request(step, &followed.known, name, &self.shape);
        let before = followed.last_step;
        self.told.push(PlayedStep {
            step: step.clone(),
            name: name.to_owned(),
            step_request: request.clone(),
            before,
        });
        request
    }

    /// What the step shows that was asked last, by its response and by what is there afterwards.
    pub fn came(&mut self, response: &WriteResponse, after: Option<State>) -> Vec<WriteDifference> {
        let number = self.told.len().saturating_sub(1);
        let Some(told) = self.told.last() else { return Vec::new() };
        let followed = self.objects.entry(told.step.name).or_default();
        let generations = self.shape.status && self.shape.value_in_spec();
        let found =
            judge(&told.step, &told.step_request, &followed.known, response, after.as_ref(), generations);
        if let Some(after) = &after {
            let known = &mut followed.known.versions;
            if known.last().is_none_or(|(version, _)| *version != after.version) {
                known.push((after.version.clone(), number));
            }
        }
        followed.known.now = after;
        followed.last_step = Some(number);
        found
    }

    /// What was done so far.
    pub fn told(&self) -> &[PlayedStep<WriteStep>] {
        &self.told
    }
}
