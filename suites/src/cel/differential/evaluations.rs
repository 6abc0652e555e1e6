//! Expressions in a definition, evaluated for objects.

use std::collections::BTreeSet;

use harness::expressions::Environment;

use super::batch::Batch;
use super::case::Case;
use super::refusals::Reasons;
use super::shrinking::{Difference, Player};
use super::verdict::{Rejection, Verdict};
use super::{Concerns, schema};
use crate::cel::definition::{CustomType, of_spec, root};
use crate::cel::refusal::messages;
use crate::definitions;
use crate::error_response::causes;
use crate::prelude::*;

/// How often rules are left out of a definition.
const MOST_ATTEMPTS: usize = 4;

/// A definition on the server with the expressions that the server compiles.
#[derive(Debug, Clone)]
pub(super) struct Defined {
    custom_type: CustomType,
    /// The number of the definition in the messages of its objects.
    revision: usize,
    cases: Vec<Case>,
    environments: Vec<Environment>,
    /// The expressions that the server should compile.
    refused: Vec<Difference>,
}

/// Defines the expressions of a run.
pub(super) async fn define(cx: &Context, batch: Batch) -> Result<Defined, Halt> {
    let custom_type = CustomType::of(&of_spec(cx, "cel-random", &json!({ "type": "object" })));
    let defined = Defined {
        custom_type,
        revision: 0,
        cases: batch.cases,
        environments: batch.environments,
        refused: Vec::new(),
    };
    defined.defined(cx).await
}

impl Defined {
    /// The definition on the server, without the expressions that it refuses.
    async fn defined(mut self, cx: &Context) -> Result<Self, Halt> {
        let mut last = String::new();
        for _ in 0..MOST_ATTEMPTS {
            let response = self.write(cx).await?;
            if response.succeeded() {
                return Ok(self);
            }
            last = messages(&response);
            if response.status() != 422 {
                break;
            }
            self.leave_out(&Reasons::read(&response), response.index);
        }
        Err(cx.test_error("define random expressions", last).into())
    }

    async fn write(&self, cx: &Context) -> Result<Arc<Exchange>, Halt> {
        let schema = schema::spec(&self.cases, self.revision);
        let definition = self.custom_type.with_schema(cx, &root(&schema));
        if self.revision == 0 {
            return definitions::create(cx, &definition).await;
        }
        let patch = json!({ "spec": { "versions": definition["spec"]["versions"] } });
        cx.send(Request::merge_patch(self.custom_type.definition_path(), &patch)).await
    }

    /// Leaves out what the server refuses. A rule may be too costly; if no reason names a rule, the sum of all is.
    fn leave_out(&mut self, reasons: &Reasons, exchange: usize) {
        let mut left_out: BTreeSet<usize> = reasons.too_costly.iter().copied().collect();
        for (number, reason) in &reasons.of_rules {
            let Some(case) = self.cases.get(*number).filter(|_| left_out.insert(*number)) else { continue };
            self.refused.push(Difference {
                case: case.clone(),
                environment: None,
                expected: Verdict::Accepted,
                actual: Verdict::Refused(format!(": {reason}")),
                exchange: Some(exchange),
            });
        }
        if left_out.is_empty() {
            left_out.extend(self.cases.len() / 2..self.cases.len());
        }
        let mut number = 0..;
        self.cases.retain(|_| number.next().is_some_and(|number| !left_out.contains(&number)));
    }

    /// The differences that a clause is about.
    pub(super) async fn differences(
        &self,
        cx: &Context,
        concerns: Concerns,
    ) -> Result<Vec<Difference>, Halt> {
        let refused = self.refused.iter().filter(|found| concerns(&found.case, &found.expected)).cloned();
        let mut found: Vec<_> = refused.map(|found| Difference { exchange: None, ..found }).collect();
        for environment in &self.environments {
            let response = self.evaluated(cx, environment).await?;
            let last = schema::revision(self.revision);
            let Some(rejection) = Rejection::read(causes(&response).unwrap_or_default(), &last) else {
                continue;
            };
            let differs = |(number, case): (usize, &Case)| {
                let (expected, actual) = (case.expected(number, environment)?, rejection.verdict(number));
                let (case, exchange) = (case.clone(), Some(response.index));
                let is_found = actual != expected && concerns(&case, &expected);
                let environment = Some(environment.clone());
                is_found.then_some(Difference { case, environment, expected, actual, exchange })
            };
            found.extend(self.cases.iter().enumerate().filter_map(differs));
        }
        Ok(found)
    }

    /// The rejection of an object by the rules of this definition. A server may use those of the one before for a while.
    async fn evaluated(&self, cx: &Context, environment: &Environment) -> Result<Arc<Exchange>, Halt> {
        let object = self.custom_type.object(&cx.own_name("cel"), &schema::values(environment));
        let create = Request::post(&self.custom_type.path, &object).query("dryRun", "All");
        let last = schema::revision(self.revision);
        let judged = cx.eventually(|| async {
            let response = cx.send(create.clone()).await?;
            let is_judged = Rejection::read(causes(&response).unwrap_or_default(), &last).is_some();
            Ok(is_judged.then_some(response))
        });
        match judged.await? {
            Some(response) => Ok(response),
            None => Err(self.unjudged(cx, &*cx.send(create.clone()).await?)),
        }
    }

    /// Why a response shows nothing about the rules.
    fn unjudged(&self, cx: &Context, response: &Exchange) -> Halt {
        let expected = "HTTP 422: the last rule is `false`, and never holds";
        if response.succeeded() {
            return response.fail(expected, response.brief());
        }
        let some = causes(response).is_some_and(|causes| {
            causes
                .iter()
                .any(|cause| cause["message"].as_str().is_some_and(|text| text.contains("expression ")))
        });
        if some {
            return Halt::Skipped("the server reports only the first of several violations".to_owned());
        }
        cx.test_error(format!("evaluate revision {}", self.revision), messages(response)).into()
    }
}

/// Plays expressions in a definition of the scenario's own, for the object that has shown a difference. See [`Player`].
pub(super) struct Evaluations<'a> {
    cx: &'a Context,
    concerns: Concerns,
    environments: Vec<Environment>,
    custom_type: CustomType,
    revisions: usize,
}

impl<'a> Evaluations<'a> {
    pub(super) fn new(cx: &'a Context, concerns: Concerns, first: &Difference) -> Self {
        let custom_type = CustomType::of(&of_spec(cx, "cel-random", &json!({ "type": "object" })));
        let environments = first.environment.iter().cloned().collect();
        Self { cx, concerns, environments, custom_type, revisions: 0 }
    }
}

impl Player for Evaluations<'_> {
    async fn play(&mut self, cases: Vec<Case>) -> Result<Vec<Difference>, Halt> {
        let cases = cases.into_iter().filter(|case| !case.expression.has_failing_constant()).collect();
        let played = Defined {
            custom_type: self.custom_type.clone(),
            revision: self.revisions,
            cases,
            environments: self.environments.clone(),
            refused: Vec::new(),
        };
        self.revisions += 1;
        played.defined(self.cx).await?.differences(self.cx, self.concerns).await
    }
}
