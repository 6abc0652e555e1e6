//! Differences between the server and the model, and the smallest expression that shows one.

use harness::expressions::Environment;

use super::case::Case;
use super::schema;
use super::verdict::Verdict;
use crate::cel::definition;
use crate::prelude::*;

/// The most expressions that are tried at once.
const AT_ONCE: usize = 40;

/// A part of the scenario's time is for shrinking; a slow server still gets its failure.
const PARTS: u32 = 2;

/// Tries expressions on the server, all at once.
pub(super) trait Player: Send {
    /// The differences of these expressions, in their order.
    fn play(&mut self, cases: Vec<Case>) -> impl Future<Output = Result<Vec<Difference>, Halt>> + Send;
}

/// An expression about which server and model differ.
#[derive(Debug, Clone)]
pub(super) struct Difference {
    pub(super) case: Case,
    /// The object that shows it; none if the definition does.
    pub(super) environment: Option<Environment>,
    pub(super) expected: Verdict,
    pub(super) actual: Verdict,
    /// The exchange that shows it, unless another scenario has sent it.
    pub(super) exchange: Option<usize>,
}

/// The smallest expression that still shows a difference, after all smaller ones were tried.
pub(super) async fn shortest(cx: &Context, player: &mut impl Player, first: Difference) -> Difference {
    let until = Instant::now() + cx.time_left() / PARTS;
    let mut found = first;
    while let Some(smaller) = smaller(player, &found, until).await {
        found = smaller;
    }
    // Alone, so that the evidence ends with it. One that other expressions provoke stays as it was found.
    let alone = player.play(vec![found.case.clone()]).await.unwrap_or_default();
    alone.into_iter().next().unwrap_or(found)
}

/// The first smaller expression that shows a difference. A test error ends the search.
async fn smaller(player: &mut impl Player, found: &Difference, until: Instant) -> Option<Difference> {
    let smaller = found.case.expression.smaller();
    for some in smaller.chunks(AT_ONCE).take_while(|_| Instant::now() < until) {
        let cases = some.iter().map(|expression| found.case.with(expression.clone())).collect();
        if let Some(found) = player.play(cases).await.ok()?.into_iter().next() {
            return Some(found);
        }
    }
    None
}

/// The failure: the expression, the values of the fields that it reads, and both verdicts.
pub(super) fn failure(cx: &Context, found: Difference) -> Halt {
    let Difference { case, environment, expected, actual, exchange } = found;
    let place = if case.is_message() { "messageExpression" } else { "rule" };
    let values = environment.as_ref().map(|environment| {
        let read = case.expression.fields();
        let mut values = schema::values(environment);
        if let Some(values) = values.as_object_mut() {
            values.retain(|name, _| read.contains(&name.as_str()));
        }
        format!(" with self = {values}")
    });
    let text = format!("the {place} `{}`{}", case.expression, values.unwrap_or_default());
    let again =
        format!("play it again with --profile full --seed {} --clause {}", cx.run_seed(), cx.scenario());
    cx.relies_on(&definition::of_spec(cx, "cel-random", &schema::spec(&[case], 0)));
    cx.failed(format!("{expected}: {text}"), format!("{actual}\n({again})"), exchange)
}
