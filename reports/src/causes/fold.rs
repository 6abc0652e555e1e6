//! Test errors that follow from a failure: a request of theirs has the response that the failure shows.

use std::collections::HashMap;

use model::{Outcome, ScenarioFinished, Verdict};

use super::Groups;
use super::request_shape::parts;
use super::signature::{Signature, code_of};
use crate::failure::Message;
use crate::record::Record;

/// Moves every test error to the failure with the same response, if there is one.
pub(super) fn fold<'a>(record: &Record, groups: Groups<'a>) -> Groups<'a> {
    let (test_errors, mut causes): (Groups, Groups) =
        groups.into_iter().partition(|(signature, _)| signature.test_error);
    let mut failed: HashMap<MethodAndResponse, Signature> = HashMap::new();
    for (signature, scenarios) in &causes {
        let broken =
            scenarios.iter().copied().filter(|finished| record.verdict_of(finished) == Verdict::Failed);
        for response in broken.filter_map(MethodAndResponse::of) {
            failed.entry(response).or_insert_with(|| signature.clone());
        }
    }
    for (signature, scenarios) in test_errors {
        for finished in scenarios {
            let cause = MethodAndResponse::of(finished)
                .and_then(|response| failed.get(&response))
                .unwrap_or(&signature);
            causes.entry(cause.clone()).or_default().push(finished);
        }
    }
    causes
}

/// A method, and the code and the reason of the response: `DELETE`, `404 NotFound`.
#[derive(PartialEq, Eq, Hash)]
struct MethodAndResponse<'a> {
    method: &'a str,
    response: &'a str,
}

impl<'a> MethodAndResponse<'a> {
    /// Of the decisive exchange; `None` if another fact decided.
    fn of(finished: &'a ScenarioFinished) -> Option<Self> {
        let actual = match &finished.outcome {
            Outcome::Failed { failure } => &failure.actual,
            Outcome::Errored { test_error } => &test_error.cause,
            Outcome::Passed | Outcome::Skipped { .. } => return None,
        };
        code_of(actual)?;
        let (method, _, _) = parts(Message::of(&finished.evidence.last()?.request).first);
        Some(Self { method, response: actual.split([':', ';']).next().unwrap_or_default() })
    }
}
