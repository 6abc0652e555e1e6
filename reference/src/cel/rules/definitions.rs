//! The errors in the rules of a definition: their syntax, types, and estimated costs.

use serde_json::{Value as Json, json};

use super::{OLD_SELF, RULES, Rule, declared, field_path};
use crate::cel::deviation::{Check, Deviations};
use crate::cel::escaping::escape;
use crate::cel::schema_types::{Declared, MAX_REQUEST};
use crate::cel::types::Type;
use crate::failure::Cause;

/// The estimated cost that a rule may have.
const RULE_LIMIT: u64 = 10_000_000;
/// The estimated cost that all rules of a schema may have together.
const TOTAL_LIMIT: u64 = 100_000_000;
/// The number of rules that an error about all rules names.
const NAMED_RULES: usize = 4;
const REASONS: [&str; 4] =
    ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/// The errors in all rules of a schema.
pub(crate) fn definition_errors(schema: &Json, path: &str, deviations: &Deviations) -> Vec<Cause> {
    let mut compiler = Compiler { deviations, causes: Vec::new(), total: 0, expensive: Vec::new() };
    let node = Node { schema, is_root: true, cardinality: Some(1), uncorrelated: None };
    compiler.node(&node, path);
    if compiler.causes.is_empty() || compiler.total > 0 {
        compiler.total_cost(path);
    }
    compiler.causes
}

struct Compiler<'a> {
    deviations: &'a Deviations,
    causes: Vec<Cause>,
    total: u64,
    /// The costs of the rules with at least 1 % of the limit, and their fields.
    expensive: Vec<(u64, String)>,
}

/// A part of the schema.
struct Node<'a> {
    schema: &'a Json,
    is_root: bool,
    /// How often the part can be in an object; `None` without a limit.
    cardinality: Option<u64>,
    /// The list whose items have no old values.
    uncorrelated: Option<String>,
}

impl Compiler<'_> {
    fn node(&mut self, node: &Node<'_>, path: &str) {
        let schema = node.schema;
        self.rules(node, path);
        self.names(schema, path);
        let below = |schema, uncorrelated| Node {
            schema,
            is_root: false,
            cardinality: node
                .cardinality
                .zip(max_elements(node.schema))
                .map(|(own, most)| own.saturating_mul(most)),
            uncorrelated,
        };
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let child = below(property, node.uncorrelated.clone());
            self.node(&child, &format!("{path}.properties[{name}]"));
        }
        if schema["additionalProperties"].is_object() {
            let child = below(&schema["additionalProperties"], node.uncorrelated.clone());
            self.node(&child, &format!("{path}.additionalProperties"));
        }
        if schema["items"].is_object() {
            let here = (schema["x-kubernetes-list-type"] != "map").then(|| path.to_owned());
            let child = below(&schema["items"], node.uncorrelated.clone().or(here));
            self.node(&child, &format!("{path}.items"));
        }
    }

    fn names(&mut self, schema: &Json, path: &str) {
        if self.deviations.checks_skipped(Check::InaccessibleNames) {
            let names = schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name);
            let inaccessible = names.filter(|name| escape(name).is_none());
            let field = |name: &String| format!("{path}.properties[{name}]");
            self.causes
                .extend(inaccessible.map(|name| Cause::forbidden(field(name), "it has no identifier")));
        }
    }

    fn rules(&mut self, node: &Node<'_>, path: &str) {
        for (index, rule) in Rule::all(node.schema).enumerate() {
            let path = format!("{path}.{RULES}[{index}]");
            let errors = field_errors(rule, node.schema, &path);
            let is_empty = rule.expression().trim().is_empty();
            let is_checked = !is_empty || !self.deviations.checks_skipped(Check::EmptyRule);
            self.causes.extend(errors.into_iter().filter(|_| is_checked));
            if !is_empty && let Some(declared) = declared(node.schema, node.is_root, self.deviations) {
                self.rule(rule, node, &declared, &path);
            }
        }
    }

    fn rule(&mut self, rule: Rule<'_>, node: &Node<'_>, declared: &Declared, path: &str) {
        let field = format!("{path}.rule");
        let invalid = |detail: &str| Cause::invalid_shown(&field, &shown(rule), detail);
        let program = match rule.compile(rule.expression(), declared, self.deviations) {
            Ok(program) => program,
            Err(detail) => return self.causes.push(invalid(&format!("compilation failed: {detail}"))),
        };
        let is_checked = !self.deviations.checks_skipped(Check::BooleanRule)
            && !self.deviations.checks_skipped(Check::Types);
        if *program.ty() != Type::Bool && is_checked {
            return self.causes.push(invalid("cel expression must evaluate to a bool"));
        }
        let cost = self
            .cardinality(node, declared)
            .saturating_mul(program.estimated_cost(declared, self.deviations));
        self.cost(cost, "estimated rule cost", field.clone());
        self.message(rule, declared, path);
        if program.reads(OLD_SELF) {
            let uncorrelated = node.uncorrelated.as_ref();
            if let Some(list) = uncorrelated.filter(|_| !self.deviations.checks_skipped(Check::Correlation)) {
                let detail = format!(
                    "oldSelf cannot be used on the uncorrelatable portion of the schema within {list}"
                );
                self.causes.push(Cause::invalid(field, &rule.expression().into(), &detail));
            }
        } else if rule.0["optionalOldSelf"].is_boolean() {
            let detail = "may not be set if oldSelf is not used in rule";
            let field = format!("{path}.optionalOldSelf");
            self.causes.push(Cause::invalid(field, &rule.0["optionalOldSelf"], detail));
        }
    }

    fn message(&mut self, rule: Rule<'_>, declared: &Declared, path: &str) {
        let text = rule.text("messageExpression");
        if text.is_empty() {
            return;
        }
        let field = format!("{path}.messageExpression");
        match rule.compile(text, declared, self.deviations) {
            Ok(program) if *program.ty() == Type::Text => {
                self.cost(
                    program.estimated_cost(declared, self.deviations),
                    "estimated messageExpression cost",
                    field,
                );
            }
            Ok(_) => {
                let detail = "messageExpression must evaluate to a string";
                self.causes.push(Cause::invalid_shown(field, &shown(rule), detail));
            }
            Err(detail) => {
                let detail = format!("messageExpression compilation failed: {detail}");
                self.causes.push(Cause::invalid_shown(field, &shown(rule), &detail));
            }
        }
    }

    /// How often a rule can run for one object.
    fn cardinality(&self, node: &Node<'_>, declared: &Declared) -> u64 {
        if self.deviations.checks_skipped(Check::Cardinality) {
            return 1;
        }
        node.cardinality.unwrap_or(MAX_REQUEST / (declared.min_size + 1))
    }

    fn cost(&mut self, cost: u64, what: &str, field: String) {
        if self.deviations.checks_skipped(Check::EstimatedCost) {
            return;
        }
        let limit = self.deviations.limit(RULE_LIMIT);
        if cost > limit {
            self.causes.push(Cause::forbidden(&field, &exceeded(what, cost, limit)));
        }
        self.total = self.total.saturating_add(cost);
        if cost >= self.deviations.limit(TOTAL_LIMIT) / 100 {
            self.expensive.push((cost, field));
        }
    }

    fn total_cost(&mut self, path: &str) {
        let limit = self.deviations.limit(TOTAL_LIMIT);
        if self.total <= limit || self.deviations.checks_skipped(Check::TotalCost) {
            return;
        }
        self.expensive.sort_by_key(|(cost, _)| std::cmp::Reverse(*cost));
        let detail =
            "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema";
        let named = self.expensive.iter().take(NAMED_RULES);
        self.causes.extend(named.map(|(_, field)| Cause::forbidden(field, detail)));
        let what = "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema";
        self.causes.push(Cause::forbidden(path, &exceeded(what, self.total, limit)));
    }
}

fn max_elements(schema: &Json) -> Option<u64> {
    match schema["type"].as_str() {
        Some("object") if schema["additionalProperties"].is_object() => schema["maxProperties"].as_u64(),
        Some("array") => schema["maxItems"].as_u64(),
        _ => Some(1),
    }
}

#[allow(clippy::cast_precision_loss, reason = "the message has the rounded factor")]
fn exceeded(what: &str, cost: u64, limit: u64) -> String {
    let factor = cost as f64 / limit as f64;
    let factor = match factor {
        100.0.. => "more than 100x".to_owned(),
        1.5.. => format!("{factor:.1}x"),
        _ => format!("{factor:.6}x"),
    };
    format!(
        "{what} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, maxProperties, \
         and maxLength where arrays, maps, and strings are declared)"
    )
}

/// The errors in the fields of a rule other than its expressions.
fn field_errors(rule: Rule<'_>, schema: &Json, path: &str) -> Vec<Cause> {
    let (expression, message) = (rule.expression().trim(), rule.text("message"));
    let mut causes = Vec::new();
    let has_lines = |text: &str| text.contains(['\n', '\r']);
    if expression.is_empty() {
        causes.push(Cause::required(format!("{path}.rule"), "rule is not specified"));
    } else if !message.is_empty() && message.trim().is_empty() {
        causes.push(Cause::invalid(
            format!("{path}.message"),
            &message.into(),
            "must be non-empty if specified",
        ));
    } else if has_lines(message.trim()) {
        causes.push(Cause::invalid(
            format!("{path}.message"),
            &message.into(),
            "must not contain line breaks",
        ));
    } else if has_lines(expression) && message.trim().is_empty() {
        let detail = "message must be specified if rule contains line breaks";
        causes.push(Cause::required(format!("{path}.message"), detail));
    }
    let reason = rule.text("reason");
    if !reason.is_empty() && !REASONS.contains(&reason) {
        causes.push(Cause::not_supported(format!("{path}.reason"), &format!("{reason:?}"), &REASONS));
    }
    let field = rule.text("fieldPath");
    if !field.is_empty() && field_path::normalized(field, schema).is_none() {
        causes.push(Cause::invalid(format!("{path}.fieldPath"), &field.into(), "must be a valid path"));
    }
    causes
}

/// The rule as kube-apiserver shows it: with the names of Go, and its escapes.
fn shown(rule: Rule<'_>) -> String {
    let shown = json!({
        "Rule": rule.expression(),
        "Message": rule.text("message"),
        "MessageExpression": rule.text("messageExpression"),
        "Reason": rule.0["reason"],
        "FieldPath": rule.text("fieldPath"),
        "OptionalOldSelf": rule.0["optionalOldSelf"],
    });
    shown.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
