//! Bools and numbers: operators and conversions.

use super::signature::{Signature, function, infix, or_error, prefix};
use super::types::Type::{Bool, Double, Int, Text, Uint};
use super::value::{Evaluated, NoValue, Value};

/// One more than the largest int.
const BEYOND_INT: f64 = 9_223_372_036_854_775_808.0;

/// One more than the largest uint.
const BEYOND_UINT: f64 = 18_446_744_073_709_551_616.0;

#[rustfmt::skip]
pub(super) fn signatures() -> Vec<Signature> {
    vec![
        prefix("!", &[Bool], Bool, |args| match args {
            [Value::Bool(value)] => Ok(Value::Bool(!value)),
            _ => Err(NoValue::Open),
        }),
        prefix("-", &[Int], Int, |args| match args {
            [Value::Int(number)] => or_error(number.checked_neg(), Value::Int),
            _ => Err(NoValue::Open),
        }),
        prefix("-", &[Double], Double, |args| match args {
            [Value::Double(number)] => Ok(Value::Double(-number)),
            _ => Err(NoValue::Open),
        }),
        infix("+", &[Int, Int], Int, |args| ints(args, i64::checked_add)),
        infix("-", &[Int, Int], Int, |args| ints(args, i64::checked_sub)),
        infix("*", &[Int, Int], Int, |args| ints(args, i64::checked_mul)),
        infix("/", &[Int, Int], Int, |args| ints(args, i64::checked_div)),
        infix("%", &[Int, Int], Int, |args| match args {
            // Mathematics has 0, kube-apiserver an overflow.
            [Value::Int(i64::MIN), Value::Int(-1)] => Err(NoValue::Open),
            _ => ints(args, i64::checked_rem),
        }),
        infix("+", &[Uint, Uint], Uint, |args| uints(args, u64::checked_add)),
        infix("-", &[Uint, Uint], Uint, |args| uints(args, u64::checked_sub)),
        infix("*", &[Uint, Uint], Uint, |args| uints(args, u64::checked_mul)),
        infix("/", &[Uint, Uint], Uint, |args| uints(args, u64::checked_div)),
        infix("%", &[Uint, Uint], Uint, |args| uints(args, u64::checked_rem)),
        infix("+", &[Double, Double], Double, |args| doubles(args, |left, right| left + right)),
        infix("-", &[Double, Double], Double, |args| doubles(args, |left, right| left - right)),
        infix("*", &[Double, Double], Double, |args| doubles(args, |left, right| left * right)),
        infix("/", &[Double, Double], Double, |args| doubles(args, |left, right| left / right)),
        function("int", &[Int], Int, |args| Ok(args[0].clone())),
        function("int", &[Uint], Int, |args| match args {
            [Value::Uint(number)] => or_error(i64::try_from(*number).ok(), Value::Int),
            _ => Err(NoValue::Open),
        }),
        function("int", &[Double], Int, |args| match args {
            [Value::Double(number)] => to_int(*number),
            _ => Err(NoValue::Open),
        }),
        function("int", &[Text], Int, |args| match args {
            [Value::Text(text)] => digits(text.strip_prefix('-').unwrap_or(text), text.parse().ok().map(Value::Int)),
            _ => Err(NoValue::Open),
        }),
        function("uint", &[Uint], Uint, |args| Ok(args[0].clone())),
        function("uint", &[Int], Uint, |args| match args {
            [Value::Int(number)] => or_error(u64::try_from(*number).ok(), Value::Uint),
            _ => Err(NoValue::Open),
        }),
        function("uint", &[Double], Uint, |args| match args {
            [Value::Double(number)] => to_uint(*number),
            _ => Err(NoValue::Open),
        }),
        function("uint", &[Text], Uint, |args| match args {
            [Value::Text(text)] => digits(text, text.parse().ok().map(Value::Uint)),
            _ => Err(NoValue::Open),
        }),
        function("double", &[Double], Double, |args| Ok(args[0].clone())),
        function("double", &[Int], Double, |args| match args {
            #[allow(clippy::cast_precision_loss, reason = "the nearest double")]
            [Value::Int(number)] => Ok(Value::Double(*number as f64)),
            _ => Err(NoValue::Open),
        }),
        function("double", &[Uint], Double, |args| match args {
            #[allow(clippy::cast_precision_loss, reason = "the nearest double")]
            [Value::Uint(number)] => Ok(Value::Double(*number as f64)),
            _ => Err(NoValue::Open),
        }),
        function("string", &[Bool], Text, |args| Ok(Value::Text(args[0].to_string()))),
        function("string", &[Int], Text, |args| Ok(Value::Text(args[0].to_string()))),
        function("string", &[Uint], Text, |args| match args {
            [Value::Uint(number)] => Ok(Value::Text(number.to_string())),
            _ => Err(NoValue::Open),
        }),
    ]
}

fn ints(args: &[Value], operation: fn(i64, i64) -> Option<i64>) -> Evaluated {
    match args {
        [Value::Int(left), Value::Int(right)] => or_error(operation(*left, *right), Value::Int),
        _ => Err(NoValue::Open),
    }
}

fn uints(args: &[Value], operation: fn(u64, u64) -> Option<u64>) -> Evaluated {
    match args {
        [Value::Uint(left), Value::Uint(right)] => or_error(operation(*left, *right), Value::Uint),
        _ => Err(NoValue::Open),
    }
}

fn doubles(args: &[Value], operation: fn(f64, f64) -> f64) -> Evaluated {
    match args {
        [Value::Double(left), Value::Double(right)] => Ok(Value::Double(operation(*left, *right))),
        _ => Err(NoValue::Open),
    }
}

/// The number without its fraction. kube-apiserver refuses the smallest int, too.
#[allow(clippy::cast_possible_truncation, clippy::float_cmp, reason = "the bounds are checked, and exact")]
fn to_int(number: f64) -> Evaluated {
    match number {
        number if number == -BEYOND_INT => Err(NoValue::Open),
        number if number.abs() < BEYOND_INT => Ok(Value::Int(number as i64)),
        _ => Err(NoValue::Error),
    }
}

/// The number without its fraction. kube-apiserver refuses every negative number, the text those that are not 0 then.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the bounds are checked")]
fn to_uint(number: f64) -> Evaluated {
    match number {
        number if number > -1.0 && number < 0.0 => Err(NoValue::Open),
        number if (0.0..BEYOND_UINT).contains(&number) => Ok(Value::Uint(number as u64)),
        _ => Err(NoValue::Error),
    }
}

/// The number in a text of digits. The text does not say whether a plus sign may precede them.
fn digits(digits: &str, number: Option<Value>) -> Evaluated {
    if digits.starts_with('+') || digits.contains('_') {
        return Err(NoValue::Open);
    }
    number.ok_or(NoValue::Error)
}
