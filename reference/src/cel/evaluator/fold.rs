//! Loops: the expansions of macros.

use super::{EvalError, Evaluated, Evaluator};
use crate::cel::ast::{Expr, Fold, Kind};
use crate::cel::deviation::{Check, Deviations};
use crate::cel::value::Value;

impl Evaluator<'_> {
    pub(super) fn fold(&mut self, fold: &Fold) -> Evaluated {
        let range = self.eval(&fold.range)?;
        let depth = self.variables.len();
        let result = self.fold_over(fold, &range);
        self.variables.truncate(depth);
        self.deviations.adjust(&fold.name, &[range], result)
    }

    fn fold_over(&mut self, fold: &Fold, range: &Value) -> Evaluated {
        let mut accumulated = self.absorbed(&fold.init)?;
        let deviations = self.deviations;
        let elements = elements(range, fold.second.is_some(), deviations)?;
        let depth = self.variables.len();
        // The accumulator keeps its error, which a later step can absorb.
        for (first, second) in elements {
            let failed = self.bind(&fold.accumulator, accumulated);
            if self.eval(&fold.condition)?.is_false() {
                accumulated = self.unbind(failed);
                break;
            }
            self.variables.push((fold.variable.clone(), first));
            if let (Some(name), Some(second)) = (&fold.second, second) {
                self.variables.push((name.clone(), second));
            }
            accumulated = self.step(fold, failed)?;
            self.variables.truncate(depth);
        }
        self.variables.push((fold.accumulator.clone(), accumulated?));
        self.eval(&fold.result)
    }

    /// The next value of the accumulator, which may have failed before.
    fn step(&mut self, fold: &Fold, failed: Option<EvalError>) -> Result<Evaluated, EvalError> {
        let (Some(before), Kind::Call(call)) = (failed, &fold.step.kind) else {
            return self.absorbed(&fold.step);
        };
        // `all` and `exists`: the body can decide what an earlier element left open.
        let decides = match call.function.as_str() {
            "_&&_" => false,
            "_||_" => true,
            _ => return Ok(Err(before)),
        };
        Ok(match self.operand(&call.args[1])? {
            Ok(value) if value == decides => Ok(Value::Bool(decides)),
            _ => Err(before),
        })
    }

    /// Makes the accumulator a variable. Its error, if it has no value.
    fn bind(&mut self, name: &str, accumulated: Evaluated) -> Option<EvalError> {
        let (value, failed) = match accumulated {
            Ok(value) => (value, None),
            Err(error) => (Value::Null, Some(error)),
        };
        self.variables.push((name.to_owned(), value));
        failed
    }

    /// The accumulator, which is the last variable.
    fn unbind(&mut self, failed: Option<EvalError>) -> Evaluated {
        let value = self.variables.pop().map_or(Value::Null, |(_, value)| value);
        failed.map_or(Ok(value), Err)
    }

    fn absorbed(&mut self, expr: &Expr) -> Result<Evaluated, EvalError> {
        match self.eval(expr) {
            Err(EvalError::CostExceeded) => Err(EvalError::CostExceeded),
            result => Ok(result),
        }
    }
}

/// An element of a loop, and the second variable of macros that have two.
type Element = (Value, Option<Value>);

/// The elements of a loop: of a map its keys, or keys and values. Faults iterate over other parts of a map.
fn elements<'a>(
    range: &'a Value,
    both: bool,
    deviations: &Deviations,
) -> Result<Box<dyn Iterator<Item = Element> + 'a>, EvalError> {
    match range {
        Value::List(list) => Ok(Box::new(list.items.iter().enumerate().map(move |(index, item)| {
            if both { (Value::int(index), Some(item.clone())) } else { (item.clone(), None) }
        }))),
        Value::Map(map) => {
            let values = deviations.checks_skipped(Check::MapKeys);
            let indexes = deviations.checks_skipped(Check::MapEntries);
            Ok(Box::new(map.iter().enumerate().map(move |(index, (key, value))| {
                let first = if values { value.clone() } else { key.0.clone() };
                match both {
                    true if indexes => (Value::int(index), Some(first)),
                    true => (first, Some(value.clone())),
                    false => (first, None),
                }
            })))
        }
        _ => Err(EvalError::NoSuchOverload),
    }
}
