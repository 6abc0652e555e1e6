//! Faults of types.

use super::{Fault, ListKind, REFUSED, Value, atomic, bool, each, failed, is_text, list, remove, text, yes};
use crate::cel::deviation::{Check::*, Deviation::*};
use crate::fault::expressions;

const NO_LIST_TYPES: crate::cel::deviation::Deviation =
    Sees(|schema| each(schema, |part| remove(part, "x-kubernetes-list-type")));
const ALL_SETS: crate::cel::deviation::Deviation = Sees(|schema| {
    each(schema, |part| {
        if part["type"] == "array" {
            part["x-kubernetes-list-type"] = "set".into();
        }
    });
});
const NO_FORMATS: crate::cel::deviation::Deviation = Sees(|schema| {
    each(schema, |part| {
        if ["date", "date-time", "duration"].iter().any(|format| part["format"] == *format) {
            remove(part, "format");
        }
    });
});
/// Fields of other formats have no type in rules.
const OPAQUE_FORMATS: crate::cel::deviation::Deviation = Sees(|schema| {
    each(schema, |part| {
        if part["format"] == "datetime" || part["format"] == "uuid" {
            remove(part, "type");
        }
    });
});

#[rustfmt::skip]
pub(in crate::faults) const FAULTS: &[Fault] = &[
    expressions("cel-types-crd-fully-checked", "the server checks only the syntax of rules", &[Skips(Types)]),
    expressions("cel-types-policy-partially-checked", "the variable request is dynamic", &[Skips(PolicyTypes)]),
    expressions("cel-types-policy-object-dynamic", "the variable object has only the fields of a ConfigMap", &[Skips(DynamicObject)]),
    expressions("cel-types-policy-missing-field-is-error", "a policy whose evaluation fails admits the request", &[Skips(PolicyErrors)]),
    expressions("cel-types-has-guard", "has() of an absent field is an error", &[Returns("has", |_, right| match right? { Value::Bool(true) => bool(true), _ => failed() })]),
    expressions("cel-types-object-with-properties", "objects have an index", &[Declares("_[_](A; string) dyn")]),
    expressions("cel-types-object-type-name", "objects of different types are comparable", &[Declares("_==_(A; B) bool")]),
    expressions("cel-types-object-with-additionalproperties", "maps have no index", &[Returns("_[_]", |_, _| REFUSED)]),
    expressions("cel-types-embedded-resource", "an embedded resource has only declared fields", &[Skips(RootMetadata)]),
    expressions("cel-types-root-metadata", "rules see no metadata", &[Skips(RootMetadata)]),
    expressions("cel-types-preserve-unknown-fields", "rules can read undeclared fields", &[Skips(Fields)]),
    expressions("cel-types-preserve-unknown-no-type", "rules can read fields without a type", &[Sees(|schema| each(schema, |part| {
        if part["type"].is_null() && part["x-kubernetes-preserve-unknown-fields"] == true {
            part["x-kubernetes-int-or-string"] = true.into();
        }
    }))]),
    expressions("cel-types-int-or-string", "an error of one side ends ||", &[Skips(ErrorAbsorption)]),
    expressions("cel-types-int-or-string-guard", "a string of digits is less than a larger number", &[Returns("_<_", |args, right| match (text(&args[0]).parse(), &args[1]) {
        (Ok(left), Value::Int(_)) => bool(Value::Int(left).compare(&args[1]).is_some_and(std::cmp::Ordering::is_lt)),
        _ => right,
    })]),
    expressions("cel-types-array", "indexes begin at 1", &[Returns("_[_]", |args, right| match &args[1] {
        Value::Int(index) => {
            let item = usize::try_from(*index - 1).ok().and_then(|index| list(&args[0]).get(index));
            item.map_or_else(failed, |item| Ok(item.clone()))
        }
        _ => right,
    })]),
    expressions("cel-types-array-atomic-equality", "all lists are sets", &[ALL_SETS]),
    expressions("cel-types-list-map-equality", "all lists are ordered", &[NO_LIST_TYPES]),
    expressions("cel-types-list-map-unique-keys", "entries of a list map can have the same key", &[Skips(UniqueEntries)]),
    expressions("cel-types-list-set-equality", "all lists are ordered", &[NO_LIST_TYPES]),
    expressions("cel-types-list-set-equality-literal", "a set and a literal are compared in order", &[NO_LIST_TYPES]),
    expressions("cel-types-list-set-unique-items", "items of a set can be equal", &[Skips(UniqueEntries)]),
    expressions("cel-types-boolean", "a bool is comparable with a number", &[Declares("_==_(bool; int) bool")]),
    expressions("cel-types-number", "a whole number is an int", &[Sees(|schema| each(schema, |part| {
        if part["type"] == "number" { part["x-kubernetes-int-or-string"] = true.into(); }
    }))]),
    expressions("cel-types-integer", "integers are compared as doubles", &[Returns("_==_", |args, right| match (&args[0], &args[1]) {
        #[allow(clippy::cast_precision_loss, clippy::float_cmp, reason = "the fault")]
        (Value::Int(left), Value::Int(right)) => bool(*left as f64 == *right as f64),
        _ => right,
    })]),
    expressions("cel-types-uint-no-equivalent", "an integer field is comparable with a uint", &[Declares("_==_(int; uint) bool")]),
    expressions("cel-types-null", "null is a string", &[Returns("type", |args, right| if matches!(args[0], Value::Null) { Ok(Value::Type("string".into())) } else { right })]),
    expressions("cel-types-null-valued-field-is-absent", "has() is true for every declared field", &[Returns("has", yes)]),
    expressions("cel-types-string", "size counts bytes", &[Returns("size", |args, right| if is_text(&args[0]) { Ok(Value::int(text(&args[0]).len())) } else { right })]),
    expressions("cel-types-string-byte", "bytes are compared as base64", &[Returns("_==_", |args, right| match (&args[0], &args[1]) {
        (Value::Bytes(left), Value::Bytes(right)) => {
            use base64::Engine;
            bool(base64::engine::general_purpose::STANDARD.encode(left).as_bytes() == &**right)
        }
        _ => right,
    })]),
    expressions("cel-types-string-date", "date fields are strings", &[NO_FORMATS]),
    expressions("cel-types-string-datetime", "date-time fields are strings", &[NO_FORMATS]),
    expressions("cel-types-string-datetime-spelling", "datetime fields have no type", &[OPAQUE_FORMATS]),
    expressions("cel-types-string-duration", "duration fields are strings", &[NO_FORMATS]),
    expressions("cel-types-string-other-formats", "uuid fields have no type", &[OPAQUE_FORMATS]),
    expressions("cel-types-set-plus-union", "+ keeps duplicates of sets", &[NO_LIST_TYPES]),
    expressions("cel-types-set-plus-equality-of-result", "the sum of sets is ordered", &[Returns("_+_", |_, right| right.map(|sum| if matches!(sum, Value::List(_)) { atomic(&sum) } else { sum }))]),
    expressions("cel-types-map-plus-merge", "+ keeps duplicates of list maps", &[NO_LIST_TYPES]),
    expressions("cel-types-atomic-plus-concat", "the sum of lists is a set", &[ALL_SETS]),
    expressions("cel-types-list-map-in", "in compares only the keys of list maps", &[Returns("@in", |args, right| match &args[1] {
        Value::List(entries) => match &entries.kind {
            ListKind::Map(keys) => bool(entries.items.iter().any(|entry| crate::cel::value::have_same_key(keys, entry, &args[0]))),
            _ => right,
        },
        _ => right,
    })]),
];
