//! Faults that random expressions find.

use super::{Fault, Value};
use crate::cel::deviation::Deviation::*;
use crate::cel::evaluator::Evaluated;
use crate::fault::expressions;

#[rustfmt::skip]
pub(in crate::faults) const FAULTS: &[Fault] = &[
    expressions("cel-differential-outcomes", ">= is >", &[Returns("_>=_", |args, _| {
        Ok(Value::Bool(args[0].compare(&args[1]).is_some_and(std::cmp::Ordering::is_gt)))
    })]),
    expressions("cel-differential-values", "the text of a negative number has no sign", &[Returns("string", |_, right| match right? {
        Value::Text(text) => Ok(Value::text(text.strip_prefix('-').unwrap_or(&text))),
        value => Ok(value),
    })]),
    expressions("cel-differential-failures", "integers wrap around", &[
        Returns("_+_", |args, right| wrapped(args, right, i64::wrapping_add)),
        Returns("_-_", |args, right| wrapped(args, right, i64::wrapping_sub)),
        Returns("_*_", |args, right| wrapped(args, right, i64::wrapping_mul)),
    ]),
];

fn wrapped(args: &[Value], right: Evaluated, operation: fn(i64, i64) -> i64) -> Evaluated {
    match args {
        [Value::Int(left), Value::Int(other)] => Ok(Value::Int(operation(*left, *other))),
        _ => right,
    }
}
