//! The cost of a call with these arguments, as cel-go and kube-apiserver count it.

use super::cost::factor;
use super::evaluator::EvalError;
use super::value::Value;
use super::work::Work;

/// The part of a unit for each byte of a text.
const TRAVERSAL: f64 = 0.1;
/// The part of a unit for each byte of a pattern.
const PATTERN: f64 = 0.25;
/// The length of the patterns of formats.
const FORMAT_PATTERN: u64 = 128;
/// The cost of a call with a new list.
const NEW_LIST: u64 = 11;
/// The cost of a check of the authorizer: two of them are possible in an expression.
pub(super) const CHECK: u64 = 350_000;

/// The cost of a function, method or operator, as far as it depends on its arguments.
pub(super) fn of_arguments(name: &str, args: &[Value], work: &Work) -> Result<u64, EvalError> {
    let size = |index: usize| args.get(index).map_or(1, size_of);
    let traversal = |units: u64| factor(units, TRAVERSAL);
    let text = matches!(args.first(), Some(Value::Text(_) | Value::Bytes(_)));
    Ok(match name {
        "_&&_" | "_||_" | "_?_:_" | "join" | "slice" | "flatten" | "reverse" | "lists.range" => 0,
        "_==_" | "_!=_" => match args.first() {
            Some(
                Value::Quantity(_)
                | Value::Ip(_)
                | Value::Cidr(_)
                | Value::Format(_)
                | Value::Url(_)
                | Value::Semver(_)
                | Value::Authorizer(_),
            ) => 1,
            _ => traversal(size(0).min(size(1))),
        },
        "_<_" | "_<=_" | "_>_" | "_>=_" if text => traversal(size(0).min(size(1))),
        "_+_" if text => traversal(size(0) + size(1)),
        "@in" if matches!(args.get(1), Some(Value::List(_))) => size(1),
        "bytes" | "string" | "ip" if text => traversal(size(0)),
        "contains" => traversal(size(0)) * traversal(size(1)),
        "matches" | "find" | "findAll" => traversal(size(0) + 1) * factor(size(1), PATTERN),
        "check" => CHECK,
        "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" => {
            args.first().map_or(Ok(0), |value| traversal_of(value, work))?
        }
        "startsWith"
        | "endsWith"
        | "strings.quote"
        | "format"
        | "url"
        | "lowerAscii"
        | "upperAscii"
        | "substring"
        | "trim"
        | "jsonpatch.escapeKey"
        | "cidr"
        | "isIP"
        | "isCIDR"
        | "quantity"
        | "isQuantity"
        | "semver"
        | "isSemver" => traversal(size(0)),
        "replace" | "split" | "ip.isCanonical" => factor(size(0), 2.0 * TRAVERSAL),
        "validate" => traversal(size(1) + 1) * factor(FORMAT_PATTERN, PATTERN),
        "sort" | "distinct" => size(0).saturating_mul(size(0)).saturating_mul(2).saturating_add(NEW_LIST),
        "@sortByAssociatedKeys" => size(1).saturating_mul(size(1)).saturating_mul(2).saturating_add(NEW_LIST),
        _ => 1,
    })
}

/// The cost of a function or method, as far as it depends on its result.
pub(super) fn of_result(name: &str, result: Option<&Value>) -> u64 {
    match name {
        "join" => factor(result.map_or(0, size_of), 2.0 * TRAVERSAL),
        "slice" | "flatten" | "reverse" | "lists.range" => result.map_or(1, size_of) + NEW_LIST,
        _ => 0,
    }
}

/// The number of characters, items or entries; 1 for other values.
fn size_of(value: &Value) -> u64 {
    match value {
        Value::Text(text) => text.chars().count() as u64,
        Value::Bytes(bytes) => bytes.len() as u64,
        Value::List(list) => list.items.len() as u64,
        Value::Map(map) => map.len() as u64,
        Value::Optional(Some(value)) => size_of(value),
        Value::Ip(address) => address.bytes(),
        Value::Cidr(cidr) => cidr.address().bytes(),
        _ => 1,
    }
}

/// The cost of a traversal of a value and everything in it.
fn traversal_of(value: &Value, work: &Work) -> Result<u64, EvalError> {
    work.visit(value)?;
    let mut cost = 0;
    match value {
        Value::Text(text) => {
            cost = factor(text.len() as u64, TRAVERSAL).saturating_sub(u64::from(text.len() % 10 != 0));
        }
        Value::Bytes(bytes) => cost = bytes.len() as u64 / 10,
        Value::List(list) => {
            for item in &list.items {
                cost += traversal_of(item, work)?;
            }
        }
        Value::Map(map) => {
            for (key, value) in map.iter() {
                cost += traversal_of(&key.0, work)? + traversal_of(value, work)?;
            }
        }
        Value::Object(object) => {
            for value in object.fields.values() {
                cost += 1 + traversal_of(value, work)?;
            }
        }
        _ => cost = 1,
    }
    Ok(cost)
}
