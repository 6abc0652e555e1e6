//! Loops: the expansions of macros.

use super::{EvalError, Evaluated, Evaluator};
use crate::cel::ast::{Expr, Fold, Kind};
use crate::cel::deviation::Check;
use crate::cel::value::{Key, List, Value};

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
        let mut elements =
            elements(range, fold.second.is_some(), self.deviations.checks_skipped(Check::MapKeys))?;
        if matches!(range, Value::Map(_)) {
            self.replace_elements(&mut elements);
        }
        let depth = self.variables.len();
        // The accumulator keeps its error, which a later step can absorb.
        for (first, second) in elements {
            self.bind(&fold.accumulator, &accumulated);
            if self.eval(&fold.condition)?.is_false() {
                self.variables.truncate(depth);
                break;
            }
            self.variables.push((fold.variable.clone(), first));
            if let (Some(name), Some(second)) = (&fold.second, second) {
                self.variables.push((name.clone(), second));
            }
            accumulated = self.step(fold, accumulated)?;
            self.variables.truncate(depth);
        }
        self.variables.push((fold.accumulator.clone(), accumulated?));
        self.eval(&fold.result)
    }

    /// The elements of a map that a fault iterates over.
    fn replace_elements(&self, elements: &mut [(Value, Option<Value>)]) {
        let indexes = self.deviations.checks_skipped(Check::MapEntries);
        for (index, (first, second)) in elements.iter_mut().enumerate() {
            if let Some(second) = second.as_mut().filter(|_| indexes) {
                *second = std::mem::replace(first, Value::int(index));
            }
        }
    }

    /// The next value of the accumulator.
    fn step(&mut self, fold: &Fold, accumulated: Evaluated) -> Result<Evaluated, EvalError> {
        let (Err(before), Kind::Call(call)) = (&accumulated, &fold.step.kind) else {
            return self.absorbed(&fold.step);
        };
        // `all` and `exists`: the body can decide what an earlier element left open.
        let decides = match call.function.as_str() {
            "_&&_" => false,
            "_||_" => true,
            _ => return Ok(accumulated),
        };
        Ok(match self.operand(&call.args[1])? {
            Ok(value) if value == decides => Ok(Value::Bool(decides)),
            _ => Err(before.clone()),
        })
    }

    fn bind(&mut self, name: &str, value: &Evaluated) {
        let value = value.clone().unwrap_or(Value::Null);
        self.variables.push((name.to_owned(), value));
    }

    fn absorbed(&mut self, expr: &Expr) -> Result<Evaluated, EvalError> {
        match self.eval(expr) {
            Err(EvalError::CostExceeded) => Err(EvalError::CostExceeded),
            result => Ok(result),
        }
    }
}

/// The elements of a loop: of a map its keys, or keys and values. A fault has the values of a map for its keys.
fn elements(range: &Value, both: bool, values: bool) -> Result<Vec<(Value, Option<Value>)>, EvalError> {
    match range {
        Value::List(list) => {
            let List { items, .. } = &**list;
            Ok(items
                .iter()
                .enumerate()
                .map(
                    |(index, item)| {
                        if both { (Value::int(index), Some(item.clone())) } else { (item.clone(), None) }
                    },
                )
                .collect())
        }
        Value::Map(map) => {
            let first = |key: &Key, value: &Value| if values { value.clone() } else { key.0.clone() };
            Ok(map.iter().map(|(key, value)| (first(key, value), both.then(|| value.clone()))).collect())
        }
        _ => Err(EvalError::NoSuchOverload),
    }
}
