//! Functions of lists.

use std::cmp::Ordering;

use crate::cel::evaluator::{EvalError, Evaluated};
use crate::cel::operators::plus;
use crate::cel::value::Value;

/// The most items of `lists.range`.
const MAX_RANGE: i64 = 1_000_000;

pub(super) fn call(name: &str, args: &[Value]) -> Option<Evaluated> {
    if let ("lists.range", [Value::Int(end)]) = (name, args) {
        return Some(match end {
            ..=MAX_RANGE => Ok(Value::list((0..*end).map(Value::Int).collect())),
            _ => Err(EvalError::other("the range is too large")),
        });
    }
    let [Value::List(list), args @ ..] = args else { return None };
    let items = list.items.as_slice();
    Some(match (name, args) {
        ("isSorted", []) => Ok(Value::Bool(items.is_sorted_by(|left, right| order(left, right).is_le()))),
        ("min", []) => extreme(items, "min", Ordering::is_lt),
        ("max", []) => extreme(items, "max", Ordering::is_gt),
        ("sum", []) => sum(items, &Value::Int(0)),
        ("sum", [zero]) => sum(items, zero),
        ("indexOf", [value]) => Ok(position(items.iter().position(|item| item.equals(value)))),
        ("lastIndexOf", [value]) => Ok(position(items.iter().rposition(|item| item.equals(value)))),
        ("sort", []) => {
            let mut sorted = items.to_vec();
            sorted.sort_by(order);
            Ok(Value::list(sorted))
        }
        ("@sortByAssociatedKeys", [Value::List(keys)]) => {
            let mut pairs: Vec<_> = keys.items.iter().zip(items).collect();
            pairs.sort_by(|(left, _), (right, _)| order(left, right));
            Ok(Value::list(pairs.into_iter().map(|(_, item)| item.clone()).collect()))
        }
        ("reverse", []) => Ok(Value::list(items.iter().rev().cloned().collect())),
        ("distinct", []) => {
            let mut distinct: Vec<Value> = Vec::new();
            for item in items {
                if !distinct.iter().any(|known| known.equals(item)) {
                    distinct.push(item.clone());
                }
            }
            Ok(Value::list(distinct))
        }
        ("flatten", []) => Ok(Value::list(flattened(items, 1))),
        ("flatten", [Value::Int(depth)]) if *depth < 0 => Err(EvalError::other("level must be non-negative")),
        ("flatten", [Value::Int(depth)]) => Ok(Value::list(flattened(items, *depth))),
        ("slice", [Value::Int(start), Value::Int(end)]) => slice(items, *start, *end),
        ("first", []) => Ok(items.first().map_or(Value::Optional(None), |item| Value::some(item.clone()))),
        ("last", []) => Ok(items.last().map_or(Value::Optional(None), |item| Value::some(item.clone()))),
        ("includes", [value]) => Ok(Value::Bool(list.contains(value))),
        _ => return None,
    })
}

fn order(left: &Value, right: &Value) -> Ordering {
    left.compare(right).unwrap_or(Ordering::Equal)
}

fn position(found: Option<usize>) -> Value {
    found.map_or(Value::Int(-1), Value::int)
}

fn extreme(items: &[Value], name: &str, better: fn(Ordering) -> bool) -> Evaluated {
    let found = items.iter().reduce(|best, item| if better(order(item, best)) { item } else { best });
    found.cloned().ok_or_else(|| EvalError::other(format!("{name} called on empty list")))
}

fn sum(items: &[Value], zero: &Value) -> Evaluated {
    let Some((first, rest)) = items.split_first() else { return Ok(zero.clone()) };
    rest.iter().try_fold(first.clone(), |sum, item| plus(&sum, item))
}

fn flattened(items: &[Value], depth: i64) -> Vec<Value> {
    let mut all = Vec::new();
    for item in items {
        match item {
            Value::List(list) if depth > 0 => all.extend(flattened(&list.items, depth - 1)),
            item => all.push(item.clone()),
        }
    }
    all
}

fn slice(items: &[Value], start: i64, end: i64) -> Evaluated {
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    let part = range.and_then(|(start, end)| items.get(start..end));
    part.map(|part| Value::list(part.to_vec())).ok_or_else(|| {
        EvalError::other(format!("cannot slice({start}, {end}), list is length {}", items.len()))
    })
}
