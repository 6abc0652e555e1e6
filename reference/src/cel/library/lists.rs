//! Functions of lists.

use std::cmp::Ordering;

use crate::cel::evaluator::{EvalError, Evaluated};
use crate::cel::operators;
use crate::cel::value::Value;
use crate::cel::work::{ITEM, Work, position};

/// The most items of `lists.range`.
const MAX_RANGE: i64 = 1_000_000;

pub(super) fn call(name: &str, args: &[Value], work: &Work) -> Option<Evaluated> {
    if let ("lists.range", [Value::Int(end)]) = (name, args) {
        return Some(match end {
            ..=MAX_RANGE => range(*end, work),
            _ => Err(EvalError::other("the range is too large")),
        });
    }
    let [Value::List(list), args @ ..] = args else { return None };
    let items = list.items.as_slice();
    Some(match (name, args) {
        ("isSorted", []) => Ok(Value::Bool(items.is_sorted_by(|left, right| order(left, right).is_le()))),
        ("min", []) => extreme(items, "min", Ordering::is_lt),
        ("max", []) => extreme(items, "max", Ordering::is_gt),
        ("sum", []) => sum(items, &Value::Int(0), work),
        ("sum", [zero]) => sum(items, zero, work),
        ("indexOf", [value]) => index(position(items, |item| item.is_equal(value, work))),
        ("lastIndexOf", [value]) => {
            let from_end = position(items.iter().rev(), |item| item.is_equal(value, work));
            index(from_end.map(|found| found.map(|found| items.len() - 1 - found)))
        }
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
        ("distinct", []) => distinct(items, work),
        ("flatten", []) => flattened(items, 1, work),
        ("flatten", [Value::Int(depth)]) if *depth < 0 => Err(EvalError::other("level must be non-negative")),
        ("flatten", [Value::Int(depth)]) => flattened(items, *depth, work),
        ("slice", [Value::Int(start), Value::Int(end)]) => slice(items, *start, *end),
        ("first", []) => Ok(items.first().map_or(Value::Optional(None), |item| Value::some(item.clone()))),
        ("last", []) => Ok(items.last().map_or(Value::Optional(None), |item| Value::some(item.clone()))),
        ("includes", [value]) => list.contains(value, work).map(Value::Bool),
        _ => return None,
    })
}

fn order(left: &Value, right: &Value) -> Ordering {
    left.compare(right).unwrap_or(Ordering::Equal)
}

fn index(found: Result<Option<usize>, EvalError>) -> Evaluated {
    Ok(found?.map_or(Value::Int(-1), Value::int))
}

fn range(end: i64, work: &Work) -> Evaluated {
    work.reserve(end.max(0).unsigned_abs() * ITEM)?;
    Ok(Value::list((0..end).map(Value::Int).collect()))
}

fn distinct(items: &[Value], work: &Work) -> Evaluated {
    let mut distinct: Vec<Value> = Vec::new();
    for item in items {
        if position(&distinct, |known| known.is_equal(item, work))?.is_none() {
            distinct.push(item.clone());
        }
    }
    Ok(Value::list(distinct))
}

fn extreme(items: &[Value], name: &str, better: fn(Ordering) -> bool) -> Evaluated {
    let found = items.iter().reduce(|best, item| if better(order(item, best)) { item } else { best });
    found.cloned().ok_or_else(|| EvalError::other(format!("{name} called on empty list")))
}

fn sum(items: &[Value], zero: &Value, work: &Work) -> Evaluated {
    let Some((first, rest)) = items.split_first() else { return Ok(zero.clone()) };
    rest.iter().try_fold(first.clone(), |sum, item| {
        let sum = operators::sum(&sum, item, work)?;
        work.made(&sum)?;
        Ok(sum)
    })
}

fn flattened(items: &[Value], depth: i64, work: &Work) -> Evaluated {
    let mut all = Vec::new();
    flatten(items, depth, work, &mut all)?;
    Ok(Value::list(all))
}

fn flatten(items: &[Value], depth: i64, work: &Work, all: &mut Vec<Value>) -> Result<(), EvalError> {
    for item in items {
        work.visit(item)?;
        match item {
            Value::List(list) if depth > 0 => flatten(&list.items, depth - 1, work, all)?,
            item => all.push(item.clone()),
        }
        work.reserve(all.len() as u64 * ITEM)?;
    }
    Ok(())
}

fn slice(items: &[Value], start: i64, end: i64) -> Evaluated {
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    let part = range.and_then(|(start, end)| items.get(start..end));
    part.map(|part| Value::list(part.to_vec())).ok_or_else(|| {
        EvalError::other(format!("cannot slice({start}, {end}), list is length {}", items.len()))
    })
}
