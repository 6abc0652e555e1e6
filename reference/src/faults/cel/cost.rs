//! Faults of costs and their limits.

use super::{Fault, each, remove};
use crate::cel::deviation::{Check::*, Deviation::*};
use crate::fault::expressions;

#[rustfmt::skip]
pub(in crate::faults) const FAULTS: &[Fault] = &[
    expressions("cel-cost-not-turing-complete", "the server accepts loops and definitions", &[Reads(|text| {
        let loops = ["while", "let ", "f(x) ="].iter().any(|start| text.trim_start().starts_with(start));
        if loops { "true".to_owned() } else { text.to_owned() }
    })]),
    expressions("cel-cost-unit-independent-of-load", "the limit of the cost depends on chance", &[Skips(DeterministicCost)]),
    expressions("cel-cost-deterministic", "the same evaluation costs more at times", &[Skips(DeterministicCost)]),
    expressions("cel-cost-fixed-core-operations", "comparisons and their operands are free", &[Skips(ComparisonCost)]),
    expressions("cel-cost-list-literal", "literals are free", &[Skips(LiteralCost)]),
    expressions("cel-cost-regex-proportional", "the cost of a pattern is constant", &[Skips(PatternCost)]),
    expressions("cel-cost-runtime-per-expression", "evaluations have no limit", &[Skips(RuntimeCost)]),
    expressions("cel-cost-runtime-per-object-budget", "all evaluations together have no limit", &[Skips(RuntimeBudget)]),
    expressions("cel-cost-runtime-policy-expression", "policies have no limit", &[Skips(PolicyCost)]),
    expressions("cel-cost-authorizer-check", "checks of the authorizer are free", &[Skips(AuthorizerCost)]),
    expressions("cel-cost-runtime-message-expression", "a violation without a message is accepted", &[Skips(MessageFallback)]),
    expressions("cel-cost-estimate-per-rule", "the server estimates no costs", &[Skips(EstimatedCost)]),
    expressions("cel-cost-estimate-unbounded-ok-when-linear", "an unbounded list is endless", &[Sees(|schema| each(schema, |part| {
        if part["type"] == "array" && part["maxItems"].is_null() { part["maxItems"] = u64::MAX.into(); }
    }))]),
    expressions("cel-cost-estimate-nested-cardinality", "each rule is estimated once", &[Skips(Cardinality)]),
    expressions("cel-cost-estimate-crd-total", "only single rules have a limit", &[Skips(TotalCost)]),
    expressions("cel-cost-estimate-on-update", "the server estimates costs only on create", &[Skips(CostOfUpdates)]),
    expressions("cel-cost-estimate-enum", "the estimate ignores enum", &[Sees(|schema| each(schema, |part| remove(part, "enum")))]),
    expressions("cel-cost-estimate-max-length", "the estimate counts one byte per character", &[Sees(|schema| each(schema, |part| {
        if let Some(most) = part["maxLength"].as_u64() { part["maxLength"] = (most / 4).into(); }
    }))]),
    expressions("cel-cost-estimate-equality", "the estimate of == is constant", &[Skips(EqualityCost)]),
    expressions("cel-cost-estimate-error-retryable", "the server stores a definition beyond the limits", &[Skips(EstimatedCost)]),
];
