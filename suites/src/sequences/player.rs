//! The player of a sequence of writes, against the server and the model.

use harness::writes::{WriteResponse, WriteRule, WriteSequence, WriteStep, WrittenObject};

use crate::prelude::*;
use crate::random::{self, Finding, Player};

/// See [`Player`].
pub(super) struct Writer {
    cx: Context,
    collection: Collection,
    rule: WriteRule,
    rounds: usize,
}

impl Writer {
    pub(super) async fn new(cx: &Context, rule: WriteRule) -> Result<Self, Halt> {
        Ok(Self { cx: cx.clone(), collection: cx.collection_under_test().await?, rule, rounds: 0 })
    }

    fn object(&self, response: &Exchange) -> Option<WrittenObject> {
        let json = response.json().filter(|json| response.succeeded() && json["kind"] != "Status")?;
        json["metadata"]["name"]
            .is_string()
            .then(|| WrittenObject::read(json, self.collection.resource_under_test()))
    }
}

impl Player for Writer {
    type Step = WriteStep;
    type Rule = WriteRule;

    fn cx(&self) -> &Context {
        &self.cx
    }

    fn collection_under_test(&self) -> &Collection {
        &self.collection
    }

    async fn play(&mut self, steps: &[WriteStep], until: Instant) -> Result<Option<Finding<Self>>, Halt> {
        self.rounds += 1;
        let mut sequence = WriteSequence::new(self.collection.resource_under_test().clone());
        for step in steps.iter().take_while(|_| Instant::now() < until) {
            let name = self.collection.name_of(&format!("{}{}", step.name, self.rounds));
            let request = sequence.next(step, &name);
            let exchange = self.cx.send(random::request(&self.collection, &request, &name)).await?;
            let got = self.collection.get(&name).await?;
            let status = random::judged(&self.cx, &exchange)?;
            let response = WriteResponse { status, object: self.object(&exchange) };
            let after = random::there(&got)?
                .map(|object| WrittenObject::read(object.json(), self.collection.resource_under_test()));
            let mut differences = sequence.compare(&response, after).into_iter();
            if let Some(difference) = differences.find(|one| one.rule == self.rule) {
                return Ok(Some(Finding::new(difference, sequence.steps(), &exchange)));
            }
        }
        Ok(None)
    }
}
