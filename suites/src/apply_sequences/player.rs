//! The player of a sequence of applies, against the server and the model.

use harness::applies::{AppliedObject, AppliedType, ApplyResponse, ApplyRule, ApplySequence, ApplyStep};

use crate::patch_types;
use crate::prelude::*;
use crate::random::{self, Finding, Player};

/// See [`Player`].
pub(super) struct Managers {
    cx: Context,
    collection: Collection,
    kind: AppliedType,
    rule: ApplyRule,
    rounds: usize,
}

impl Managers {
    pub(super) fn new(cx: &Context, collection: Collection, kind: AppliedType, rule: ApplyRule) -> Self {
        Self { cx: cx.clone(), collection, kind, rule, rounds: 0 }
    }
}

impl Player for Managers {
    type Step = ApplyStep;
    type Rule = ApplyRule;

    fn cx(&self) -> &Context {
        &self.cx
    }

    fn collection_under_test(&self) -> &Collection {
        &self.collection
    }

    async fn play(&mut self, steps: &[ApplyStep], until: Instant) -> Result<Option<Finding<Self>>, Halt> {
        self.rounds += 1;
        let name = format!("o{}", self.rounds);
        let mut course = ApplySequence::new(&self.kind, &name);
        for step in steps.iter().take_while(|_| Instant::now() < until) {
            let step_request = course.next(step);
            let exchange = self.cx.send(random::request(&self.collection, &step_request, &name)).await?;
            patch_types::applies(&self.cx, &exchange)?;
            let shown = self.collection.get(&name).await?;
            let status = random::judged(&self.cx, &exchange)?;
            let response = ApplyResponse { status, json: exchange.json().cloned().unwrap_or_default() };
            let after = random::there(&shown)?.map(|object| AppliedObject::read(object.json(), &self.kind));
            let mut differences = course.compare(&response, after).into_iter();
            if let Some(difference) = differences.find(|one| one.rule == self.rule) {
                return Ok(Some(Finding::new(difference, course.steps(), &exchange)));
            }
        }
        Ok(None)
    }
}
