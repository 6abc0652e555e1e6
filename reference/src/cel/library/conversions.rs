//! Sizes, conversions, types and optional values.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::time;
use crate::cel::evaluator::{EvalError, Evaluated};
use crate::cel::operators::overflow;
use crate::cel::value::Value;

pub(super) fn call(name: &str, args: &[Value]) -> Option<Evaluated> {
    Some(match (name, args) {
        ("size", [value]) => size(value),
        ("type", [value]) => Ok(Value::Type(value.type_name())),
        ("dyn", [value]) => Ok(value.clone()),
        ("int", [value]) => int(value),
        ("uint", [value]) => uint(value),
        ("double", [value]) => double(value),
        ("string", [value]) => string(value),
        ("bytes", [Value::Text(text)]) => Ok(Value::Bytes(text.as_bytes().into())),
        ("bytes", [Value::Bytes(_)]) | ("bool", [Value::Bool(_)]) => Ok(args[0].clone()),
        ("bool", [Value::Text(text)]) => match &**text {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(Value::Bool(true)),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(Value::Bool(false)),
            _ => conversion("string", "bool"),
        },
        ("optional.of", [value]) => Ok(Value::some(value.clone())),
        ("optional.ofNonZeroValue", [value]) => {
            Ok(if value.is_zero() { Value::Optional(None) } else { Value::some(value.clone()) })
        }
        ("optional.none", []) => Ok(Value::Optional(None)),
        ("hasValue", [Value::Optional(value)]) => Ok(Value::Bool(value.is_some())),
        ("value", [Value::Optional(value)]) => {
            value.as_deref().cloned().ok_or_else(|| EvalError::other("optional.none() dereference"))
        }
        ("optional.unwrap" | "unwrapOpt", [Value::List(list)]) => {
            let present = list.items.iter().filter_map(|item| match item {
                Value::Optional(value) => value.as_deref().cloned(),
                _ => None,
            });
            Ok(Value::list(present.collect()))
        }
        _ => return None,
    })
}

/// The error of a conversion.
pub(super) fn conversion(from: &str, to: &str) -> Evaluated {
    Err(EvalError::other(format!("type conversion error from '{from}' to '{to}'")))
}

fn size(value: &Value) -> Evaluated {
    Ok(Value::int(match value {
        Value::Text(text) => text.chars().count(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(list) => list.items.len(),
        Value::Map(map) => map.len(),
        _ => return Err(EvalError::NoSuchOverload),
    }))
}

/// A double without its fraction, if an integer of this many bits can have it.
#[allow(clippy::cast_possible_truncation, reason = "the bounds of all callers are below those of i128")]
fn truncated(number: f64) -> Option<i128> {
    (number.is_finite() && number.abs() < 2_f64.powi(64)).then(|| number.trunc() as i128)
}

fn int(value: &Value) -> Evaluated {
    let number = match value {
        Value::Int(number) => Some(*number),
        Value::Uint(number) => i64::try_from(*number).ok(),
        Value::Double(number) => truncated(*number).and_then(|number| i64::try_from(number).ok()),
        Value::Text(text) => match text.parse() {
            Ok(number) => Some(number),
            Err(_) => return conversion("string", "int"),
        },
        Value::Timestamp(time) => Some(time.as_second()),
        Value::Duration(duration) => i64::try_from(duration.as_nanos()).ok(),
        _ => return Err(EvalError::NoSuchOverload),
    };
    number.map(Value::Int).ok_or_else(overflow)
}

fn uint(value: &Value) -> Evaluated {
    let number = match value {
        Value::Uint(number) => Some(*number),
        Value::Int(number) => u64::try_from(*number).ok(),
        Value::Double(number) => truncated(*number).and_then(|number| u64::try_from(number).ok()),
        Value::Text(text) => match text.parse() {
            Ok(number) => Some(number),
            Err(_) => return conversion("string", "uint"),
        },
        _ => return Err(EvalError::NoSuchOverload),
    };
    number.map(Value::Uint).ok_or_else(|| EvalError::other("unsigned integer overflow"))
}

#[allow(clippy::cast_precision_loss, reason = "double() of a large integer is the nearest double")]
fn double(value: &Value) -> Evaluated {
    match value {
        Value::Double(_) => Ok(value.clone()),
        Value::Int(number) => Ok(Value::Double(*number as f64)),
        Value::Uint(number) => Ok(Value::Double(*number as f64)),
        Value::Text(text) => {
            text.parse().map_or_else(|_| conversion("string", "double"), |number| Ok(Value::Double(number)))
        }
        _ => Err(EvalError::NoSuchOverload),
    }
}

fn string(value: &Value) -> Evaluated {
    let text = match value {
        Value::Text(_) => return Ok(value.clone()),
        Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => return Err(EvalError::other("invalid UTF-8 in bytes, cannot convert to string")),
        },
        Value::Bool(value) => value.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Uint(number) => number.to_string(),
        Value::Double(number) => double_text(*number),
        Value::Timestamp(time) => time.to_string(),
        Value::Duration(duration) => time::duration_text(*duration),
        Value::Ip(address) => address.to_string(),
        Value::Cidr(cidr) => cidr.to_string(),
        _ => return Err(EvalError::NoSuchOverload),
    };
    Ok(Value::Text(Arc::from(text)))
}

/// The shortest text of a double, with an exponent where Go uses one.
pub(super) fn double_text(number: f64) -> String {
    let size = number.abs();
    if number != 0.0 && number.is_finite() && !(1e-4..1e6).contains(&size) {
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, digits) = exponent.strip_prefix('-').map_or(('+', exponent), |digits| ('-', digits));
        return format!("{mantissa}e{sign}{digits:0>2}");
    }
    match number {
        number if number.is_nan() => "NaN".to_owned(),
        number if number.is_infinite() => if number > 0.0 { "+Inf" } else { "-Inf" }.to_owned(),
        number => number.to_string(),
    }
}

/// The bytes of base64, as a schema's format `byte` has them.
pub(in crate::cel) fn decoded(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}
