//! Faults that random expressions find.

use super::{Fault, Value};
use crate::cel::deviation::{Check::*, Deviation::*};
use crate::cel::evaluator::Evaluated;
use crate::fault::expressions;

#[rustfmt::skip]
pub(in crate::faults) const FAULTS: &[Fault] = &[
    expressions("cel-differential-outcomes", "&& and || fail with their first operand", &[Skips(ErrorAbsorption)]),
    expressions("cel-differential-values", "characters have two bytes in positions of strings", &[
        Returns("size", |args, right| match &args[0] {
            Value::Text(text) => Ok(Value::int(text.encode_utf16().count())),
            _ => right,
        }),
        Returns("_%_", |args, right| match (&args[0], &args[1]) {
            (Value::Int(left), Value::Int(right)) if *right != 0 => Ok(Value::Int(left.wrapping_rem_euclid(*right))),
            _ => right,
        }),
    ]),
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
