//! Area `cel-differential`: random expressions, evaluated by the server and by a model.
//!
//! One definition has the expressions of all scenarios, as rules and as messages of violations. Objects give the values:
//! a response says which rules do not hold, and with which messages.

mod batch;
mod case;
mod evaluations;
mod refusals;
mod schema;
mod shrinking;
#[cfg(test)]
mod tests;
mod verdict;

use harness::expressions::NoType;

use super::offer;
use crate::prelude::*;
use batch::Batch;
use case::Case;
use evaluations::Evaluations;
use refusals::Refusals;
use shrinking::{Player, failure, shortest};
use verdict::Verdict;

rows![
    cel_differential_outcomes.own_kinds().full_only(),
    cel_differential_values.own_kinds().full_only(),
    cel_differential_failures.own_kinds().full_only(),
];

async fn cel_differential_outcomes(cx: Context) -> Checked {
    expect_as_evaluated(&cx, |case, expected| !case.is_message() && *expected != Verdict::Failed).await
}

async fn cel_differential_values(cx: Context) -> Checked {
    expect_as_evaluated(&cx, |case, _| case.is_message()).await
}

async fn cel_differential_failures(cx: Context) -> Checked {
    expect_as_evaluated(&cx, |_, expected| *expected == Verdict::Failed).await?;
    let cases = Batch::ill_typed(cx.seed());
    expect_no_difference(&cx, Refusals::new(&cx), cases).await
}

/// Whether a clause is about a case with this expected verdict.
type Concerns = fn(&Case, &Verdict) -> bool;

/// The server evaluates all expressions of the run as the model does.
async fn expect_as_evaluated(cx: &Context, concerns: Concerns) -> Checked {
    offer::require_cel(cx).await?;
    let defining = cx.once_per_run(
        "the definition of random expressions",
        Box::pin(async { Ok(evaluations::define(cx, Batch::new(cx.run_seed())).await) }),
    );
    let defined = (*cx.yield_place_while(defining).await?).clone()?;
    let shared = defined.differences(cx, concerns).await?;
    match shared.into_iter().next() {
        Some(first) => {
            Err(failure(cx, shortest(cx, &mut Evaluations::new(cx, concerns, &first), first).await))
        }
        None => Ok(()),
    }
}

async fn expect_no_difference(cx: &Context, mut player: impl Player, cases: Vec<Case>) -> Checked {
    match player.play(cases).await?.into_iter().next() {
        Some(first) => Err(failure(cx, shortest(cx, &mut player, first).await)),
        None => Ok(()),
    }
}

/// Whether a server must refuse a rule with this expression; `None` if nobody knows.
fn is_refused(case: &Case) -> Option<bool> {
    match case.expression.type_of() {
        Ok(ty) => Some(ty != case.ty()),
        Err(NoType::Wrong) => Some(true),
        Err(NoType::Open) => None,
    }
}
