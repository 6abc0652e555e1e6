//! Random sequences: generated, played against a server and a model, and shrunk.

mod shrink;

use std::fmt::{Debug, Display};

use harness::script::{Difference, PlayedStep, StepRequest, script};
use proptest::strategy::Strategy;

use crate::prelude::*;

/// Plays sequences on the server, each on new objects, and checks them by one rule.
pub(crate) trait Player: Send {
    /// A step of a sequence.
    type Step: Clone + Debug + Display + Send + Sync + 'static;
    /// The rules of the model.
    type Rule: Send;

    /// The scenario's context.
    fn cx(&self) -> &Context;

    /// The collection of the objects.
    fn collection_under_test(&self) -> &Collection;

    /// The first difference of a sequence, if it shows one before the deadline.
    fn play(
        &mut self,
        steps: &[Self::Step],
        until: Instant,
    ) -> impl Future<Output = Result<Option<Finding<Self>>, Halt>> + Send;
}

/// A difference, and the sequence that shows it.
pub(crate) struct Finding<P: Player + ?Sized> {
    pub(crate) difference: Difference<P::Rule>,
    /// The steps up to the one that shows the difference.
    pub(crate) steps: Vec<PlayedStep<P::Step>>,
    /// The index of the exchange that shows the difference.
    pub(crate) exchange: usize,
}

impl<P: Player> Finding<P> {
    /// The difference that this response shows after these steps.
    pub(crate) fn new(
        difference: Difference<P::Rule>,
        steps: &[PlayedStep<P::Step>],
        response: &Exchange,
    ) -> Self {
        Self { difference, steps: steps.to_vec(), exchange: response.index }
    }
}

/// Plays sequences during a part of the scenario's time; fails at a difference.
pub(crate) async fn expect_no_difference<P: Player>(
    player: &mut P,
    sequences: impl Strategy<Value = Vec<P::Step>, Tree: Send> + Sync,
    part: u32,
) -> Checked {
    let (seed, time) = (player.cx().seed(), player.cx().time_left() / part);
    let found = shrink::shortest(player, sequences, seed, time).await?;
    found.map_or(Ok(()), |finding| Err(failure(player, &finding)))
}

/// The failure: the shortest sequence, as text and as commands.
fn failure<P: Player>(player: &P, finding: &Finding<P>) -> Halt {
    let (cx, Finding { difference, steps, exchange }) = (player.cx(), finding);
    cx.script(script(&player.collection_under_test().scene(), steps, difference));
    let lines: Vec<_> =
        steps.iter().enumerate().map(|(index, played)| format!("{}. {}", index + 1, played.step)).collect();
    let again =
        format!("play it again with --profile full --seed {} --clause {}", cx.run_seed(), cx.scenario());
    let actual = format!("{}, after\n{}\n({again})", difference.actual, lines.join("\n"));
    cx.failed(difference.expected.clone(), actual, Some(*exchange))
}

/// A step's request to the object with this full name.
pub(crate) fn request(collection: &Collection, step_request: &StepRequest, name: &str) -> Request {
    // `path_of` registers the name, so the run removes the object in any case.
    let object = collection.path_of(name);
    let path = if step_request.method == Method::POST { collection.path() } else { object };
    let request = Request::new(step_request.method.clone(), path);
    let request =
        step_request.query.iter().fold(request, |request, (name, value)| request.query(name, value));
    match &step_request.body {
        Some(body) => request.json(step_request.content_type, body),
        None => request,
    }
}

/// The object after a step; `None` if it does not exist.
pub(crate) fn there(shown: &Exchange) -> Result<Option<Object>, Halt> {
    if shown.status() == 404 { Ok(None) } else { shown.written().map(Some) }
}

/// The status code of a response; a code from 500 on leaves the outcome of the step open and is a test error.
pub(crate) fn judged(cx: &Context, response: &Exchange) -> Result<u16, Halt> {
    if response.status() < 500 {
        return Ok(response.status());
    }
    let attempted = format!("{} {}", response.request.method, response.request.path);
    Err(cx.test_error(attempted, response.brief()).into())
}
