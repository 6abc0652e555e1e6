//! The enforcement of rules on an object.

mod report;

use std::collections::HashMap;

use serde_json::Value as Json;

use super::{OLD_SELF, Rule, SELF, declared, has_rules};
use crate::cel::deviation::{Check, Deviations};
use crate::cel::evaluator::EvalError;
use crate::cel::schema_types::Declared;
use crate::cel::value::Value;
use crate::cel::work::Work;
use crate::cel::{EVALUATION_LIMIT, Program};
use crate::failure::Cause;

/// The cost that all evaluations for one object may have.
const BUDGET: u64 = 10_000_000;
/// The bytes that a message may have.
const MAX_MESSAGE: usize = 5 * 1024;

/// The violations of the rules of a schema by an object, or by an update of an old one.
pub(crate) fn object_errors(
    schema: &Json,
    object: &Json,
    old: Option<&Json>,
    deviations: &Deviations,
) -> Vec<Cause> {
    if !has_rules(schema) || deviations.checks_skipped(Check::Enforcement) {
        return Vec::new();
    }
    let mut validator = Validator {
        deviations,
        root: object,
        causes: Vec::new(),
        budget: deviations.limit(BUDGET),
        work: Work::default(),
    };
    let Some(declared) = declared(schema, true, deviations) else { return Vec::new() };
    let place = Place { schema, declared: &declared, path: "", is_root: true };
    // Running out of budget is a cause like the others.
    let _ = validator.node(&place, object, &Old { value: old, unchanged: old == Some(object) });
    validator.causes
}

/// No further rules run.
struct Stopped;

/// The message of a violation.
enum Message {
    /// The value of its expression.
    Own(String),
    /// The message of the rule.
    Default,
    /// A fault: the violation is not reported.
    Unreported,
}

struct Validator<'a> {
    deviations: &'a Deviations,
    root: &'a Json,
    causes: Vec<Cause>,
    budget: u64,
    work: Work,
}

/// A part of the schema, and where it is.
struct Place<'a> {
    schema: &'a Json,
    declared: &'a Declared,
    path: &'a str,
    is_root: bool,
}

/// What a part was before the update.
#[derive(Clone, Copy)]
struct Old<'a> {
    value: Option<&'a Json>,
    /// Whether the part, or the closest one with an old value, is as it was: its violations count no more.
    unchanged: bool,
}

impl<'a> Old<'a> {
    /// The old part of a part.
    fn part(self, old: Option<&'a Json>, new: &Json) -> Self {
        match old {
            Some(old) => Self { value: Some(old), unchanged: old == new },
            None => Self { value: None, unchanged: self.unchanged },
        }
    }
}

impl Validator<'_> {
    fn node(&mut self, place: &Place<'_>, json: &Json, old: &Old<'_>) -> Result<(), Stopped> {
        if json.is_null() {
            return Ok(());
        }
        self.rules(place, json, old)?;
        match json {
            Json::Object(fields) => {
                for (name, value) in fields {
                    let before = old.value.and_then(|old| old.get(name)).filter(|old| !old.is_null());
                    self.property(place, name, value, &old.part(before, value))?;
                }
            }
            Json::Array(items) => {
                let Some(element) = place.declared.element() else { return Ok(()) };
                let before = Correlated::of(place.schema, old.value);
                for (index, item) in items.iter().enumerate() {
                    let path = format!("{}[{index}]", place.path);
                    let before = before.item(item);
                    let schema = &place.schema["items"];
                    let place = Place { schema, declared: element, path: &path, is_root: false };
                    self.node(&place, item, &old.part(before, item))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn property(&mut self, place: &Place<'_>, name: &str, json: &Json, old: &Old<'_>) -> Result<(), Stopped> {
        let own;
        let (schema, path, known) = if let Some(schema) = place.schema["properties"].get(name) {
            (schema, path_of(place.path, name), place.declared.field(name))
        } else if place.schema["additionalProperties"].is_object() {
            let path = format!("{}[{name}]", place.path);
            (&place.schema["additionalProperties"], path, place.declared.element())
        } else {
            return Ok(());
        };
        let declared = match known {
            Some(declared) => declared,
            // Rules apply also to properties that no rule can name.
            None if crate::cel::escaping::escape(name).is_none() => {
                own = declared(schema, false, self.deviations);
                let Some(own) = &own else { return Ok(()) };
                own
            }
            None => return Ok(()),
        };
        self.node(&Place { schema, declared, path: &path, is_root: false }, json, old)
    }

    fn rules(&mut self, place: &Place<'_>, json: &Json, old: &Old<'_>) -> Result<(), Stopped> {
        let own = if place.is_root {
            None
        } else {
            Rule::all(place.schema).next().and_then(|_| declared(place.schema, false, self.deviations))
        };
        let declared = own.as_ref().unwrap_or(place.declared);
        for rule in Rule::all(place.schema).filter(|rule| !rule.expression().trim().is_empty()) {
            self.rule(rule, &Place { declared, ..*place }, json, old)?;
        }
        Ok(())
    }

    fn rule(&mut self, rule: Rule<'_>, place: &Place<'_>, json: &Json, old: &Old<'_>) -> Result<(), Stopped> {
        let Ok(program) = rule.compile(rule.expression(), place.declared, self.deviations) else {
            self.invalid(place, "rule compile error");
            return Ok(());
        };
        let optional = rule.has_optional_old_self();
        let reads_old = program.reads(OLD_SELF);
        let needs_old = !self.deviations.checks_skipped(Check::OldValue)
            && (!optional || self.deviations.checks_skipped(Check::OptionalOldSelf));
        if reads_old && old.value.is_none() && needs_old {
            return Ok(());
        }
        let variables = self.variables(place, json, old, optional);
        let label = rule.label();
        match self.evaluate(&program, variables.clone(), place)? {
            Ok(Value::Bool(true)) => Ok(()),
            Ok(_) => self.violation(rule, place, json, variables, self.is_ratcheted(old, reads_old)),
            Err(EvalError::CostExceeded) => {
                let detail = format!(
                    "'{}': no further validation rules will be run due to call cost exceeds limit for rule: {label}",
                    EvalError::CostExceeded
                );
                self.invalid(place, &detail);
                Err(Stopped)
            }
            Err(_) if self.deviations.checks_skipped(Check::EvaluationErrors) => Ok(()),
            Err(EvalError::NoSuchOverload) => {
                let detail = format!(
                    "'{}': call arguments did not match a supported operator, function or macro signature for rule: \
                     {label}",
                    EvalError::NoSuchOverload
                );
                self.invalid(place, &detail);
                Ok(())
            }
            Err(error) => {
                self.invalid(place, &format!("{error} evaluating rule: {label}"));
                Ok(())
            }
        }
    }

    /// Whether a violation does not count, because it is as old as its value.
    fn is_ratcheted(&self, old: &Old<'_>, reads_old: bool) -> bool {
        let skips = |check| self.deviations.checks_skipped(check);
        let is_old = old.unchanged || (old.value.is_some() && skips(Check::ChangedValues));
        is_old && (!reads_old || skips(Check::TransitionRules)) && !skips(Check::Ratcheting)
    }

    fn variables(
        &self,
        place: &Place<'_>,
        json: &Json,
        old: &Old<'_>,
        optional: bool,
    ) -> Vec<(String, Value)> {
        let is_scoped = !self.deviations.checks_skipped(Check::ScopedSelf);
        let own = place.declared.value(if is_scoped { json } else { self.root });
        let before = match old.value.map(|old| place.declared.value(old)) {
            Some(_) if self.deviations.checks_skipped(Check::OldSelf) => Some(own.clone()),
            before => before,
        };
        let before = match before {
            Some(before) if optional => Value::some(before),
            Some(before) => before,
            None if optional => Value::Optional(None),
            None => Value::Null,
        };
        vec![(SELF.to_owned(), own), (OLD_SELF.to_owned(), before)]
    }

    /// The value of a program, whose cost is taken from the budget.
    fn evaluate(
        &mut self,
        program: &Program,
        variables: Vec<(String, Value)>,
        place: &Place<'_>,
    ) -> Result<Result<Value, EvalError>, Stopped> {
        let is_unlimited = self.deviations.checks_skipped(Check::RuntimeCost)
            || (self.deviations.checks_skipped(Check::DeterministicCost) && fastrand::bool());
        let limit = if is_unlimited { u64::MAX } else { self.deviations.limit(EVALUATION_LIMIT) };
        let outcome = program.evaluate(variables, limit, None, self.deviations, &self.work);
        if outcome.cost > self.budget && !self.deviations.checks_skipped(Check::RuntimeBudget) {
            let detail = "validation failed due to running out of cost budget, no further validation rules will be run";
            self.invalid(place, detail);
            return Err(Stopped);
        }
        self.budget = self.budget.saturating_sub(outcome.cost);
        Ok(outcome.value)
    }
}

/// The old items of a list map by key: the first one of several with the same key.
struct Correlated<'a> {
    names: Vec<&'a str>,
    items: HashMap<Vec<Option<&'a Json>>, &'a Json>,
}

impl<'a> Correlated<'a> {
    /// None in other lists.
    fn of(schema: &'a Json, old: Option<&'a Json>) -> Self {
        let keys = schema["x-kubernetes-list-map-keys"].as_array();
        let names: Vec<&str> = keys.into_iter().flatten().filter_map(Json::as_str).collect();
        let mut items = HashMap::new();
        for item in old.filter(|_| keys.is_some()).and_then(Json::as_array).into_iter().flatten() {
            items.entry(key_of(&names, item)).or_insert(item);
        }
        Self { names, items }
    }

    fn item(&self, item: &Json) -> Option<&'a Json> {
        self.items.get(&key_of(&self.names, item)).copied()
    }
}

fn key_of<'a>(names: &[&str], item: &'a Json) -> Vec<Option<&'a Json>> {
    names.iter().map(|name| item.get(name)).collect()
}

fn path_of(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn path_or_nil(path: &str) -> String {
    if path.is_empty() { "<nil>".to_owned() } else { path.to_owned() }
}
