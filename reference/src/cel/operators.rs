//! Operators, fields and indexes.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::evaluator::{EvalError, Evaluated};
use super::value::{Key, List, Value};
use super::work::{ITEM, Work};

/// The result of an operator; `None` for the name of a function.
pub(super) fn operator(name: &str, args: &[Value], work: &Work) -> Option<Evaluated> {
    Some(match (name, args) {
        ("_==_", [left, right]) => left.is_equal(right, work).map(Value::Bool),
        ("_!=_", [left, right]) => left.is_equal(right, work).map(|equal| Value::Bool(!equal)),
        ("_<_", [left, right]) => ordered(left, right, Ordering::is_lt),
        ("_<=_", [left, right]) => ordered(left, right, Ordering::is_le),
        ("_>_", [left, right]) => ordered(left, right, Ordering::is_gt),
        ("_>=_", [left, right]) => ordered(left, right, Ordering::is_ge),
        ("_+_", [left, right]) => sum(left, right, work),
        ("_-_", [left, right]) => minus(left, right),
        ("_*_", [left, right]) => times(left, right),
        ("_/_", [left, right]) => divided(left, right),
        ("_%_", [left, right]) => remainder(left, right),
        ("-_", [Value::Int(number)]) => number.checked_neg().map(Value::Int).ok_or_else(overflow),
        ("-_", [Value::Double(number)]) => Ok(Value::Double(-number)),
        ("!_", [Value::Bool(value)]) => Ok(Value::Bool(!value)),
        ("@in", [element, Value::List(list)]) => list.contains(element, work).map(Value::Bool),
        ("@in", [key, Value::Map(map)]) => Ok(Value::Bool(map.contains_key(&Key(key.clone())))),
        ("_[_]", [operand, key]) => index(operand, key),
        ("cel.@mapInsert", [Value::Map(map), added @ ..]) => inserted(map.clone(), added, work),
        _ if name.starts_with(['_', '-', '!', '@']) && name != "@sortByAssociatedKeys" => {
            Err(EvalError::NoSuchOverload)
        }
        _ => return None,
    })
}

/// A list with more items at its end. One that nothing else refers to is not copied.
pub(super) fn extended(mut list: Arc<List>, more: &List, work: &Work) -> Evaluated {
    let copied = if Arc::strong_count(&list) > 1 { list.items.len() } else { 0 };
    work.spend((copied + more.items.len()) as u64 * ITEM)?;
    Arc::make_mut(&mut list).items.extend(more.items.iter().cloned());
    Ok(Value::List(list))
}

/// A map with another entry, or with those of another map.
pub(super) fn inserted(mut map: Arc<BTreeMap<Key, Value>>, added: &[Value], work: &Work) -> Evaluated {
    let entries = match added {
        [key, value] => vec![(Key(key.clone()), value.clone())],
        [Value::Map(other)] => other.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
        _ => return Err(EvalError::NoSuchOverload),
    };
    let copied = if Arc::strong_count(&map) > 1 { map.len() } else { 0 };
    work.spend((copied + entries.len()) as u64 * 2 * ITEM)?;
    let own = Arc::make_mut(&mut map);
    for (key, value) in entries {
        if own.insert(key, value).is_some() {
            return Err(EvalError::other("insert failed: key exists"));
        }
    }
    Ok(Value::Map(map))
}

/// The field of an object, or the value of a key.
pub(crate) fn field(operand: &Value, name: &str) -> Evaluated {
    match operand {
        Value::Object(object) => {
            let fields = &object.fields;
            let found = fields.get(name).or_else(|| fields.get(&format!("__{name}__")));
            found.cloned().ok_or_else(|| EvalError::no_such_key(name))
        }
        Value::Map(map) => {
            map.get(&Key(Value::text(name))).cloned().ok_or_else(|| EvalError::no_such_key(name))
        }
        Value::Optional(None) => Ok(Value::Optional(None)),
        Value::Optional(Some(value)) => match field(value, name) {
            Ok(value) => Ok(Value::some(value)),
            Err(EvalError::Other(_)) => Ok(Value::Optional(None)),
            Err(error) => Err(error),
        },
        _ => Err(EvalError::NoSuchOverload),
    }
}

pub(super) fn index(operand: &Value, key: &Value) -> Evaluated {
    match (operand, key) {
        (Value::List(list), Value::Int(index)) => {
            let item = usize::try_from(*index).ok().and_then(|index| list.items.get(index));
            item.cloned().ok_or_else(|| EvalError::other(format!("index out of bounds: {index}")))
        }
        (Value::Map(map), key) => {
            map.get(&Key(key.clone())).cloned().ok_or_else(|| EvalError::no_such_key(&text_of(key)))
        }
        (Value::Optional(None), _) => Ok(Value::Optional(None)),
        (Value::Optional(Some(value)), key) => index(value, key).map(Value::some),
        _ => Err(EvalError::NoSuchOverload),
    }
}

fn text_of(key: &Value) -> String {
    match key {
        Value::Text(text) => text.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Uint(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        _ => String::new(),
    }
}

fn ordered(left: &Value, right: &Value, accepts: fn(Ordering) -> bool) -> Evaluated {
    let comparable = |value: &Value| matches!(value, Value::Int(_) | Value::Uint(_) | Value::Double(_));
    match left.compare(right) {
        Some(order) => Ok(Value::Bool(accepts(order))),
        // Not-a-number has no order.
        None if comparable(left) && comparable(right) => Ok(Value::Bool(false)),
        None => Err(EvalError::NoSuchOverload),
    }
}

pub(super) fn overflow() -> EvalError {
    EvalError::other("integer overflow")
}

fn unsigned_overflow() -> EvalError {
    EvalError::other("unsigned integer overflow")
}

/// The result for two numbers of one type; `None` for other values.
fn numbers(
    (left, right): (&Value, &Value),
    int: fn(i64, i64) -> Option<i64>,
    uint: fn(u64, u64) -> Option<u64>,
    double: fn(f64, f64) -> f64,
) -> Option<Evaluated> {
    Some(match (left, right) {
        (Value::Int(left), Value::Int(right)) => int(*left, *right).map(Value::Int).ok_or_else(overflow),
        (Value::Uint(left), Value::Uint(right)) => {
            uint(*left, *right).map(Value::Uint).ok_or_else(unsigned_overflow)
        }
        (Value::Double(left), Value::Double(right)) => Ok(Value::Double(double(*left, *right))),
        _ => return None,
    })
}

/// The sum of two small values.
pub(crate) fn plus(left: &Value, right: &Value) -> Evaluated {
    sum(left, right, &Work::default())
}

pub(super) fn sum(left: &Value, right: &Value, work: &Work) -> Evaluated {
    if let Some(sum) = numbers((left, right), i64::checked_add, u64::checked_add, |left, right| left + right)
    {
        return sum;
    }
    let at = |time: &Timestamp, duration| {
        time.checked_add(duration).map(Value::Timestamp).map_err(|_| EvalError::other("timestamp overflow"))
    };
    match (left, right) {
        (Value::Text(left), Value::Text(right)) => {
            work.reserve((left.len() + right.len()) as u64)?;
            Ok(Value::text(&format!("{left}{right}")))
        }
        (Value::Bytes(left), Value::Bytes(right)) => {
            work.reserve((left.len() + right.len()) as u64)?;
            Ok(Value::Bytes([&left[..], &right[..]].concat().into()))
        }
        (Value::List(left), Value::List(right)) => Ok(Value::List(Arc::new(left.plus(right, work)?))),
        (Value::Timestamp(time), Value::Duration(duration))
        | (Value::Duration(duration), Value::Timestamp(time)) => at(time, *duration),
        (Value::Duration(left), Value::Duration(right)) => {
            left.checked_add(*right).map(Value::Duration).ok_or_else(|| EvalError::other("duration overflow"))
        }
        _ => Err(EvalError::NoSuchOverload),
    }
}

fn minus(left: &Value, right: &Value) -> Evaluated {
    if let Some(rest) = numbers((left, right), i64::checked_sub, u64::checked_sub, |left, right| left - right)
    {
        return rest;
    }
    match (left, right) {
        (Value::Timestamp(left), Value::Timestamp(right)) => Ok(Value::Duration(left.duration_since(*right))),
        (Value::Timestamp(_) | Value::Duration(_), Value::Duration(right)) => {
            let negated = right.checked_neg().ok_or_else(|| EvalError::other("duration overflow"))?;
            plus(left, &Value::Duration(negated))
        }
        _ => Err(EvalError::NoSuchOverload),
    }
}

fn times(left: &Value, right: &Value) -> Evaluated {
    numbers((left, right), i64::checked_mul, u64::checked_mul, |left, right| left * right)
        .unwrap_or(Err(EvalError::NoSuchOverload))
}

fn divided(left: &Value, right: &Value) -> Evaluated {
    match (left, right) {
        (_, Value::Int(0) | Value::Uint(0)) => Err(EvalError::other("division by zero")),
        (Value::Int(left), Value::Int(right)) => {
            left.checked_div(*right).map(Value::Int).ok_or_else(overflow)
        }
        (Value::Uint(left), Value::Uint(right)) => Ok(Value::Uint(left / right)),
        (Value::Double(left), Value::Double(right)) => Ok(Value::Double(left / right)),
        _ => Err(EvalError::NoSuchOverload),
    }
}

fn remainder(left: &Value, right: &Value) -> Evaluated {
    match (left, right) {
        (_, Value::Int(0) | Value::Uint(0)) => Err(EvalError::other("modulus by zero")),
        (Value::Int(left), Value::Int(right)) => {
            left.checked_rem(*right).map(Value::Int).ok_or_else(overflow)
        }
        (Value::Uint(left), Value::Uint(right)) => Ok(Value::Uint(left % right)),
        _ => Err(EvalError::NoSuchOverload),
    }
}
