//! Evaluation of a tree, with the cost of every step.

mod accumulation;
mod fold;

use std::collections::BTreeMap;
use std::sync::Arc;

use super::ast::{Call, Expr, Kind, Select};
use super::deviation::{Check, Deviations};
use super::library::authorizer::{self, Decide};
use super::value::{Key, Object, Value};
use super::work::{ITEM, Work};
use super::{library, operators, runtime_cost};

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum EvalError {
    /// The arguments fit no signature.
    NoSuchOverload,
    /// The cost limit: nothing absorbs it.
    CostExceeded,
    Other(String),
}

impl EvalError {
    pub(super) fn other(message: impl Into<String>) -> Self {
        Self::Other(message.into())
    }

    pub(super) fn no_such_key(key: &str) -> Self {
        Self::Other(format!("no such key: {key}"))
    }
}

impl std::fmt::Display for EvalError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::NoSuchOverload => "no such overload",
            Self::CostExceeded => "operation cancelled: actual cost limit exceeded",
            Self::Other(message) => message,
        })
    }
}

/// The value of an expression or a part of it.
pub(crate) type Evaluated = Result<Value, EvalError>;

/// One evaluation.
pub(super) struct Evaluator<'a> {
    pub(super) deviations: &'a Deviations,
    /// The decision about checks of the authorizer.
    pub(super) decide: Option<Decide<'a>>,
    /// The variables; those of inner macros are last.
    pub(super) variables: Vec<(String, Value)>,
    /// The cost so far, and its limit.
    pub(super) cost: u64,
    pub(super) limit: u64,
    pub(super) work: &'a Work,
}

impl Evaluator<'_> {
    fn spend(&mut self, units: u64) -> Result<(), EvalError> {
        self.cost = self.cost.saturating_add(units);
        if self.cost > self.limit { Err(EvalError::CostExceeded) } else { Ok(()) }
    }

    pub(super) fn eval(&mut self, expr: &Expr) -> Evaluated {
        match &expr.kind {
            Kind::Literal(value) => Ok(value.clone()),
            Kind::Ident(name) => {
                self.spend(1)?;
                self.variable(name)
            }
            Kind::Select(select) => self.select(select),
            Kind::Call(call) => self.call(call),
            Kind::List(items) => {
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    match (self.eval(&item.value)?, item.optional) {
                        (Value::Optional(value), true) => values.extend(value.as_deref().cloned()),
                        (_, true) => return Err(EvalError::NoSuchOverload),
                        (value, false) => values.push(value),
                    }
                }
                self.spend(10)?;
                self.work.spend(values.len() as u64 * ITEM)?;
                Ok(Value::list(values))
            }
            Kind::Map(entries) => {
                let mut map = BTreeMap::new();
                for entry in entries {
                    let key = self.eval(&entry.key)?;
                    let value = match (self.eval(&entry.value)?, entry.optional) {
                        (Value::Optional(Some(value)), true) => Value::clone(&value),
                        (Value::Optional(None), true) => continue,
                        (_, true) => return Err(EvalError::NoSuchOverload),
                        (value, false) => value,
                    };
                    if map.insert(Key(key), value).is_some() {
                        return Err(EvalError::other("Failed with repeated key"));
                    }
                }
                self.spend(30)?;
                self.work.spend(map.len() as u64 * 2 * ITEM)?;
                Ok(Value::Map(Arc::new(map)))
            }
            Kind::Message(name, fields) => {
                let mut values = BTreeMap::new();
                for (field, value) in fields {
                    values.insert(field.clone(), self.eval(value)?);
                }
                self.spend(40)?;
                self.work.spend(values.len() as u64 * 2 * ITEM)?;
                let type_name = Arc::from(name.as_str());
                Ok(Value::Object(Arc::new(Object { type_name, fields: values })))
            }
            Kind::Fold(fold) => self.fold(fold),
        }
    }

    fn variable(&self, name: &str) -> Evaluated {
        if let Some((_, value)) = self.variables.iter().rev().find(|(own, _)| own == name) {
            return Ok(value.clone());
        }
        match super::declarations::named_type(name) {
            Some(_) => Ok(Value::Type(Arc::from(name))),
            None => Err(EvalError::other(format!("no such attribute(s): {name}"))),
        }
    }

    fn select(&mut self, select: &Select) -> Evaluated {
        let operand = match self.eval(&select.operand) {
            Err(EvalError::Other(_)) if select.test && self.deviations.checks_skipped(Check::NestedHas) => {
                return Ok(Value::Bool(false));
            }
            operand => operand?,
        };
        if !select.test {
            self.spend(1)?;
            let found = operators::field(&operand, &select.field);
            return self.deviations.adjust("_._", &[operand, Value::text(&select.field)], found);
        }
        let present = match operators::field(&operand, &select.field) {
            Ok(Value::Optional(value)) if matches!(operand, Value::Optional(_)) => {
                Ok(Value::Bool(value.is_some()))
            }
            Ok(_) => Ok(Value::Bool(true)),
            Err(EvalError::Other(_)) => Ok(Value::Bool(false)),
            Err(error) => Err(error),
        };
        self.deviations.adjust("has", &[operand, Value::text(&select.field)], present)
    }

    fn call(&mut self, call: &Call) -> Evaluated {
        match call.function.as_str() {
            "_&&_" => self.logic(call, false),
            "_||_" => self.logic(call, true),
            "_?_:_" => match self.eval(&call.args[0])? {
                Value::Bool(condition) => {
                    if self.deviations.checks_skipped(Check::OnlyChosenBranch) {
                        self.eval(&call.args[if condition { 2 } else { 1 }])?;
                    }
                    self.eval(&call.args[if condition { 1 } else { 2 }])
                }
                _ => Err(EvalError::NoSuchOverload),
            },
            "@not_strictly_false" => {
                let value = self.eval(&call.args[0]);
                if matches!(value, Err(EvalError::CostExceeded)) {
                    return value;
                }
                self.spend(1)?;
                Ok(Value::Bool(!matches!(value, Ok(Value::Bool(false)))))
            }
            "or" | "orValue" if call.target.is_some() => self.alternative(call),
            "_?._" => {
                let operand = self.eval(&call.args[0])?;
                let Kind::Literal(Value::Text(field)) = &call.args[1].kind else {
                    return Err(EvalError::NoSuchOverload);
                };
                self.spend(1)?;
                let found = optional_part(&operand, |operand| operators::field(operand, field));
                self.deviations.adjust("_?._", &[operand, Value::Text(field.clone())], found)
            }
            // A fault may evaluate both branches of a filter, or need the accumulator from before.
            _ if self.deviations.0.is_empty() && accumulation::accumulates(call) => self.accumulate(call),
            _ => self.function(call),
        }
    }

    fn function(&mut self, call: &Call) -> Evaluated {
        let mut args = Vec::with_capacity(call.args.len() + 1);
        for arg in call.target.iter().chain(&call.args) {
            args.push(self.eval(arg)?);
        }
        let is_free = call.function == "check" && self.deviations.checks_skipped(Check::AuthorizerCost);
        if !is_free {
            self.spend(runtime_cost::of_arguments(&call.function, &args, self.work)?)?;
        }
        let result = self.result(call, &args);
        if let Err(EvalError::CostExceeded) = result {
            return result;
        }
        if let Ok(value) = &result {
            self.work.made(value)?;
        }
        self.spend(runtime_cost::of_result(&call.function, result.as_ref().ok()))?;
        self.deviations.adjust(&call.function, &args, result)
    }

    fn result(&self, call: &Call, args: &[Value]) -> Evaluated {
        for arg in args {
            self.work.read(arg)?;
        }
        match call.function.as_str() {
            "_[?_]" => optional_part(&args[0], |operand| operators::index(operand, &args[1])),
            "check" if self.decide.is_some() => {
                self.decide.map_or(Err(EvalError::NoSuchOverload), |decide| authorizer::check(args, decide))
            }
            name => match operators::operator(name, args, self.work) {
                Some(result) => result,
                None => library::call(name, args, self.work),
            },
        }
    }

    /// && and ||: a deciding operand absorbs the error of the other one.
    fn logic(&mut self, call: &Call, decides: bool) -> Evaluated {
        let left = self.operand(&call.args[0])?;
        if left == Ok(decides) {
            return Ok(Value::Bool(decides));
        }
        if let Err(error) = &left
            && self.deviations.checks_skipped(Check::ErrorAbsorption)
        {
            return Err(error.clone());
        }
        let right = self.operand(&call.args[1])?;
        if right == Ok(decides) {
            return Ok(Value::Bool(decides));
        }
        left.and(right).map(Value::Bool)
    }

    /// An operand of && and ||. The outer error ends the evaluation.
    fn operand(&mut self, expr: &Expr) -> Result<Result<bool, EvalError>, EvalError> {
        match self.eval(expr) {
            Ok(Value::Bool(value)) => Ok(Ok(value)),
            Ok(_) => Ok(Err(EvalError::NoSuchOverload)),
            Err(EvalError::CostExceeded) => Err(EvalError::CostExceeded),
            Err(error) => Ok(Err(error)),
        }
    }

    /// `or` and `orValue`, whose argument is evaluated only if it is needed.
    fn alternative(&mut self, call: &Call) -> Evaluated {
        let Some(target) = &call.target else { return Err(EvalError::NoSuchOverload) };
        let receiver = self.eval(target)?;
        let result = match (&receiver, call.function.as_str()) {
            (Value::Optional(Some(value)), "orValue") => Ok(Value::clone(value)),
            (Value::Optional(Some(_)), _) => Ok(receiver.clone()),
            (Value::Optional(None), _) => self.eval(&call.args[0]),
            _ => Err(EvalError::NoSuchOverload),
        };
        self.deviations.adjust(&call.function, &[receiver], result)
    }
}

impl Value {
    fn is_false(&self) -> bool {
        matches!(self, Self::Bool(false))
    }
}

/// A part of a value or of an optional one; no value if it is absent.
fn optional_part(operand: &Value, part: impl Fn(&Value) -> Evaluated) -> Evaluated {
    let operand = match operand {
        Value::Optional(None) => return Ok(Value::Optional(None)),
        Value::Optional(Some(value)) => value,
        value => value,
    };
    match part(operand) {
        Ok(Value::Optional(value)) => Ok(Value::Optional(value)),
        Ok(value) => Ok(Value::some(value)),
        Err(EvalError::Other(_)) => Ok(Value::Optional(None)),
        Err(error) => Err(error),
    }
}
