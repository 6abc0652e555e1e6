//! Faults of CEL, by area.

mod cost;
mod differential;
mod escaping;
mod language;
mod libraries;
mod types;

use serde_json::Value as Json;

use crate::cel::evaluator::{EvalError, Evaluated};
use crate::cel::library;
use crate::cel::value::{ListKind, Value};
use crate::cel::work::Work;
use crate::fault::Fault;

/// The tables of all areas of CEL.
pub(super) const TABLES: &[&[Fault]] = &[
    language::FAULTS,
    types::FAULTS,
    escaping::FAULTS,
    cost::FAULTS,
    libraries::standard::FAULTS,
    libraries::strings::FAULTS,
    libraries::lists::FAULTS,
    libraries::urls::FAULTS,
    libraries::authorizer::FAULTS,
    libraries::quantities::FAULTS,
    libraries::networks::FAULTS,
    libraries::formats::FAULTS,
    differential::FAULTS,
];

/// The function has no such signature.
const REFUSED: Evaluated = Err(EvalError::NoSuchOverload);

fn is_text(value: &Value) -> bool {
    matches!(value, Value::Text(_))
}

fn text(value: &Value) -> &str {
    if let Value::Text(text) = value { text } else { "" }
}

fn list(value: &Value) -> &[Value] {
    if let Value::List(list) = value { &list.items } else { &[] }
}

#[allow(clippy::unnecessary_wraps, reason = "every function of a fault has the type of an evaluation")]
fn bool(value: bool) -> Evaluated {
    Ok(Value::Bool(value))
}

/// The other value of a bool.
fn negated(_: &[Value], right: Evaluated) -> Evaluated {
    Ok(Value::Bool(!matches!(right?, Value::Bool(true))))
}

fn yes(_: &[Value], _: Evaluated) -> Evaluated {
    bool(true)
}

/// Another function with the same arguments.
fn call(name: &str, args: &[Value]) -> Evaluated {
    library::call(name, args, &Work::default())
}

fn failed() -> Evaluated {
    Err(EvalError::Other("failed".to_owned()))
}

/// The same lists without the types of their schemas.
fn atomic(value: &Value) -> Value {
    Value::list(list(value).to_vec())
}

/// Changes every part of a schema.
fn each(schema: &mut Json, change: fn(&mut Json)) {
    each_with(schema, &change);
}

/// The same with a closure.
fn each_with(schema: &mut Json, change: &dyn Fn(&mut Json)) {
    change(schema);
    if let Some(properties) = schema.get_mut("properties").and_then(Json::as_object_mut) {
        properties.values_mut().for_each(|property| each_with(property, change));
    }
    for below in ["items", "additionalProperties"] {
        if let Some(schema) = schema.get_mut(below).filter(|schema| schema.is_object()) {
            each_with(schema, change);
        }
    }
}

fn remove(schema: &mut Json, field: &str) {
    if let Some(fields) = schema.as_object_mut() {
        fields.shift_remove(field);
    }
}

/// Rules do not see the properties with these names.
fn hide(schema: &mut Json, hidden: fn(&str) -> bool) {
    if let Some(properties) = schema.get_mut("properties").and_then(Json::as_object_mut) {
        properties.retain(|name, _| !hidden(name));
        properties.values_mut().for_each(|property| hide(property, hidden));
    }
}
