//! Faults of the language, and of the enforcement of rules.

use serde_json::Value as Json;

use super::{Fault, REFUSED, Value, bool, each, each_with, is_text, list, remove, text, yes};
use crate::cel::deviation::{Check::*, Deviation::*};
use crate::fault::{Edit::EditRequest, When::*, expressions, json_body, on};

/// A fault that changes each rule of a definition before the server gets it.
macro_rules! rule {
    ($name:literal, $what:literal, $edit:expr) => {
        on(
            $name,
            $what,
            &[Method("POST"), Plural("customresourcedefinitions")],
            &[EditRequest(|parts, body| {
                json_body(parts, body, |definition| each_rule(definition, $edit));
            })],
        )
    };
}

/// Changes each rule of a definition.
fn each_rule(definition: &mut Json, edit: fn(&mut Json)) {
    for version in definition.pointer_mut("/spec/versions").and_then(Json::as_array_mut).into_iter().flatten()
    {
        if let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") {
            each_with(schema, &|part| {
                let rules = part.get_mut("x-kubernetes-validations").and_then(Json::as_array_mut);
                rules.into_iter().flatten().for_each(edit);
            });
        }
    }
}

#[rustfmt::skip]
pub(in crate::faults) const FAULTS: &[Fault] = &[
    expressions("cel-language-used-for-validation", "the server stores rules and evaluates none", &[Skips(Enforcement)]),
    expressions("cel-language-in-process", "the server enforces no rule without a webhook", &[Skips(Enforcement)]),
    expressions("cel-language-every-write", "the server evaluates no rules in writes of the status", &[Skips(StatusRules)]),
    expressions("cel-language-single-expression", "the server ignores what follows a semicolon", &[Reads(|text| text.split(';').next().unwrap_or_default().to_owned())]),
    expressions("cel-language-single-value-bool", "a rule can have any type", &[Skips(BooleanRule)]),
    expressions("cel-language-variable-self", "self is always the whole object", &[Skips(ScopedSelf)]),
    expressions("cel-language-variable-oldself", "oldSelf is the new value", &[Skips(OldSelf)]),
    expressions("cel-language-transition-skipped-on-create", "the server evaluates transition rules on create", &[Skips(OldValue)]),
    expressions("cel-language-optional-oldself", "the server ignores optionalOldSelf on create", &[Skips(OptionalOldSelf)]),
    expressions("cel-language-oldself-uncorrelatable", "rules of items of an atomic list can have oldSelf", &[Skips(Correlation)]),
    expressions("cel-language-undeclared-variable", "any identifier is a variable", &[Skips(Variables)]),
    expressions("cel-language-other-fields-other-variables", "policies have the variable self", &[Skips(PolicyVariables)]),
    expressions("cel-language-field-name-rule", "a rule can be empty", &[Skips(EmptyRule)]),
    expressions("cel-language-example-ordered-replicas", "<= is <", &[Returns("_<=_", |args, _| bool(args[0].compare(&args[1]).is_some_and(std::cmp::Ordering::is_lt)))]),
    expressions("cel-language-example-map-key-present", "a key with the value 0 is not in its map", &[Returns("@in", |args, right| match &args[1] {
        Value::Map(map) => bool(map.iter().any(|(key, value)| key.0.equals(&args[0]) && !value.is_zero())),
        _ => right,
    })]),
    expressions("cel-language-example-one-list-nonempty", "bools are never equal", &[Returns("_!=_", yes)]),
    expressions("cel-language-example-listmap-filter-all", "filter keeps every element", &[Returns("filter", |args, _| Ok(args[0].clone()))]),
    expressions("cel-language-example-listmap-regex-without-filter", "|| needs both sides", &[Reads(|text| text.replace("||", "&&"))]),
    expressions("cel-language-example-listmap-as-printed", "= is ==, and missing parentheses are added", &[Skips(EstimatedCost), Reads(|text| {
        let (open, closed) = (text.matches('(').count(), text.matches(')').count());
        text.replace(" = ", " == ") + &")".repeat(open.saturating_sub(closed))
    })]),
    expressions("cel-language-example-timestamp-plus-duration", "date-time fields are strings", &[Sees(|schema| each(schema, |part| {
        if part["format"] == "date-time" { remove(part, "format"); }
    }))]),
    expressions("cel-language-example-starts-with", "startsWith is contains", &[Calls("startsWith", "contains")]),
    expressions("cel-language-example-listmap-exists", "exists over an empty list is true", &[Returns("exists", |args, right| if list(&args[0]).is_empty() { bool(true) } else { right })]),
    expressions("cel-language-example-int-or-string-cases", "a string of digits is an int", &[
        Returns("type", |args, right| if text(&args[0]).parse::<i64>().is_ok() { Ok(Value::Type("int".into())) } else { right }),
        Returns("_==_", |args, right| match &args[1] {
            Value::Int(number) if is_text(&args[0]) => bool(text(&args[0]) == number.to_string()),
            _ => right,
        }),
    ]),
    expressions("cel-language-example-singleton-name", "rules see no metadata", &[Skips(RootMetadata)]),
    expressions("cel-language-example-disjoint-sets", "the server ignores !", &[Returns("!_", |args, _| Ok(args[0].clone()))]),
    expressions("cel-language-example-map-keyed-by-set", "maps have no size", &[Returns("size", |args, right| if matches!(args[0], Value::Map(_)) { REFUSED } else { right })]),
    expressions("cel-language-example-map-keys-match", "a macro iterates over the values of a map", &[Skips(MapKeys)]),
    expressions("cel-language-example-map-values-match", "maps have no index", &[Returns("_[_]", |args, right| if matches!(args[0], Value::Map(_)) { REFUSED } else { right })]),
    expressions("cel-language-compile-error-shape", "the server stores a definition whose rules do not compile", &[Skips(Types)]),
    expressions("cel-language-runtime-error-rejects", "a rule whose evaluation fails holds", &[Skips(EvaluationErrors)]),
    expressions("cel-language-absent-field-is-error", "an absent field is 0", &[Returns("_._", |_, right| right.or(Ok(Value::Int(0))))]),
    rule!("cel-language-message", "the server reports the rule instead of its message", |rule| remove(rule, "message")),
    rule!("cel-language-message-line-breaks", "the server accepts a message of two lines", |rule| if let Some(message) = rule["message"].as_str() { rule["message"] = message.replace('\n', " ").into(); }),
    rule!("cel-language-message-expression", "the server ignores messageExpression", |rule| remove(rule, "messageExpression")),
    rule!("cel-language-message-expression-type", "the server accepts a messageExpression of any type", |rule| if rule["messageExpression"] == "self.x" { remove(rule, "messageExpression"); }),
    rule!("cel-language-reason", "the server ignores reason", |rule| remove(rule, "reason")),
    rule!("cel-language-reason-default", "the default reason is FieldValueForbidden", |rule| if rule["reason"].is_null() { rule["reason"] = "FieldValueForbidden".into(); }),
    rule!("cel-language-reason-supported", "the server accepts any reason", |rule| if rule["reason"] == "FieldValueTooLong" { remove(rule, "reason"); }),
    rule!("cel-language-field-path", "the server ignores fieldPath", |rule| remove(rule, "fieldPath")),
    rule!("cel-language-field-path-valid", "the server accepts any fieldPath", |rule| if rule["fieldPath"] != ".a.b" { remove(rule, "fieldPath"); }),
    expressions("cel-language-ratcheting-unchanged", "the server evaluates all rules in each update", &[Skips(Ratcheting)]),
    expressions("cel-language-ratcheting-changed", "the server ratchets changed fields as well", &[Skips(ChangedValues)]),
    expressions("cel-language-ratcheting-transition-rules", "the server ratchets rules with oldSelf", &[Skips(TransitionRules)]),
    expressions("cel-language-logical-operators-absorb-errors", "|| stops at an error of its first operand", &[Skips(ErrorAbsorption)]),
];
