//! Expressions that a server must refuse with their definition.

use std::collections::BTreeMap;

use super::case::Case;
use super::shrinking::{Difference, Player};
use super::verdict::Verdict;
use super::{is_refused, schema};
use crate::cel::definition::{of_spec, try_out};
use crate::cel::refusal::{expect_verdict, messages};
use crate::error_response::causes;
use crate::prelude::*;

/// Why a server refuses rules of a definition.
pub(super) struct Reasons {
    /// By the number of the rule.
    pub(super) of_rules: BTreeMap<usize, String>,
    /// The rules whose estimated costs are too high: the server would evaluate them.
    pub(super) too_costly: Vec<usize>,
}

impl Reasons {
    pub(super) fn read(response: &Exchange) -> Self {
        let mut reasons = Self { of_rules: BTreeMap::new(), too_costly: Vec::new() };
        for cause in causes(response).unwrap_or_default() {
            let text = |field: &str| cause[field].as_str().unwrap_or_default();
            let Some(number) = number(text("field")) else { continue };
            if text("message").contains("cost") {
                reasons.too_costly.push(number);
            } else {
                reasons.of_rules.insert(number, text("message").to_owned());
            }
        }
        reasons
    }
}

/// The number of the rule in the path of a field.
fn number(field: &str) -> Option<usize> {
    let (_, rest) = field.split_once("x-kubernetes-validations[")?;
    rest.split_once(']')?.0.parse().ok()
}

/// Tries definitions as dry runs. See [`Player`].
pub(super) struct Refusals<'a> {
    cx: &'a Context,
}

impl<'a> Refusals<'a> {
    pub(super) fn new(cx: &'a Context) -> Self {
        Self { cx }
    }
}

impl Player for Refusals<'_> {
    async fn play(&mut self, cases: Vec<Case>) -> Result<Vec<Difference>, Halt> {
        // What nobody knows, and what is found out only by some servers, is left out.
        let judged = |case: &Case| is_refused(case).is_some() && !case.expression.has_failing_constant();
        let cases: Vec<Case> = cases.into_iter().filter(judged).collect();
        let definition = of_spec(self.cx, "cel-random", &schema::spec(&cases, 0));
        let tried = try_out(self.cx, &definition).await?;
        expect_verdict(self.cx, &tried, "the server refuses rules without a type")?;
        let reasons = Reasons::read(&tried);
        if !tried.succeeded() && reasons.of_rules.is_empty() && reasons.too_costly.is_empty() {
            return Err(self
                .cx
                .test_error("find out which rules the server refuses", messages(&tried))
                .into());
        }
        let difference = |(number, case): (usize, Case)| {
            let reason = reasons.of_rules.get(&number);
            let is_refused = is_refused(&case)?;
            let expected = if is_refused { Verdict::Refused(String::new()) } else { Verdict::Accepted };
            let actual = reason.map_or(Verdict::Accepted, |reason| Verdict::Refused(format!(": {reason}")));
            let exchange = Some(tried.index);
            let found = Difference { case, environment: None, expected, actual, exchange };
            (is_refused != reason.is_some()).then_some(found)
        };
        Ok(cases.into_iter().enumerate().filter_map(difference).collect())
    }
}
