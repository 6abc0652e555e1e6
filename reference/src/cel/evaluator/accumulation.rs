//! The steps of loops that make a list or a map.

use super::{EvalError, Evaluated, Evaluator};
use crate::cel::ast::{ACCUMULATOR, Call, Kind};
use crate::cel::operators;
use crate::cel::value::Value;

/// Whether a call adds to the accumulator of the innermost loop.
pub(super) fn accumulates(call: &Call) -> bool {
    let is_accumulator = |name: &str| name == ACCUMULATOR;
    matches!(call.function.as_str(), "_+_" | "cel.@mapInsert")
        && call.args.first().is_some_and(|arg| matches!(&arg.kind, Kind::Ident(name) if is_accumulator(name)))
}

impl Evaluator<'_> {
    /// Adds to the accumulator in its place: a copy for each element would make loops quadratic.
    pub(super) fn accumulate(&mut self, call: &Call) -> Evaluated {
        self.spend(1)?;
        let own = self.variables.iter_mut().rev().find(|(name, _)| name == ACCUMULATOR);
        // No other part of the step reads it: its name is none that an expression can have.
        let own = own.map(|(_, value)| std::mem::replace(value, Value::Null));
        let own = own.ok_or(EvalError::NoSuchOverload)?;
        let mut added = Vec::with_capacity(call.args.len());
        for arg in call.args.iter().skip(1) {
            added.push(self.eval(arg)?);
        }
        self.spend(1)?;
        match (own, added.as_slice()) {
            (Value::List(list), [Value::List(more)]) => operators::extended(list, more, self.work),
            (Value::Map(map), added) => operators::inserted(map, added, self.work),
            (own, [one]) => operators::sum(&own, one, self.work),
            _ => Err(EvalError::NoSuchOverload),
        }
    }
}
