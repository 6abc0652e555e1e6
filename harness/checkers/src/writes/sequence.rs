//! A running sequence: the known state, and the steps so far.

use std::collections::BTreeMap;

use super::comparison::{WriteDifference, WriteResponse, judge};
use super::request::{Known, step_request};
use super::state::WrittenObject;
use super::step::WriteStep;
use model::ResourceUnderTest;

use crate::script::{PlayedStep, StepRequest};

/// Steps in turn, on a few objects.
#[derive(Debug)]
pub struct WriteSequence {
    resource: ResourceUnderTest,
    objects: BTreeMap<&'static str, Followed>,
    played: Vec<PlayedStep<WriteStep>>,
}

#[derive(Debug, Default)]
struct Followed {
    known: Known,
    last_step: Option<usize>,
}

impl WriteSequence {
    /// A sequence without steps; no object exists yet.
    pub fn new(resource: ResourceUnderTest) -> Self {
        Self { resource, objects: BTreeMap::new(), played: Vec::new() }
    }

    /// The request of the next step, on the object with this full name.
    pub fn next(&mut self, step: &WriteStep, name: &str) -> StepRequest {
        let followed = self.objects.entry(step.name).or_default();
        let request = step_request(step, &followed.known, name, &self.resource);
        let before = followed.last_step;
        self.played.push(PlayedStep {
            step: step.clone(),
            name: name.to_owned(),
            step_request: request.clone(),
            before,
        });
        request
    }

    /// The differences that the last step shows, by its response and the state after it.
    pub fn compare(
        &mut self,
        response: &WriteResponse,
        after: Option<WrittenObject>,
    ) -> Vec<WriteDifference> {
        let number = self.played.len().saturating_sub(1);
        let Some(played) = self.played.last() else { return Vec::new() };
        let followed = self.objects.entry(played.step.name).or_default();
        let generations = self.resource.status && self.resource.value_in_spec();
        let found =
            judge(&played.step, &played.step_request, &followed.known, response, after.as_ref(), generations);
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

    /// The steps so far.
    pub fn steps(&self) -> &[PlayedStep<WriteStep>] {
        &self.played
    }
}
