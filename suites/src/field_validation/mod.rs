//! Area `field-validation`: types of values, and unknown, duplicate and required fields.

mod apply;
mod discovery;
mod levels;
mod patches;
pub(crate) mod preserve_unknown_fields;
mod rejections;
mod required_fields;
mod strict;
mod types;
mod unknown_fields;
mod warn;
mod yaml;

use crate::patch_types::raw;
use crate::prelude::*;
use crate::warning;

suite![
    "field-validation",
    types,
    unknown_fields,
    levels,
    warn,
    strict,
    patches,
    apply,
    yaml,
    rejections,
    required_fields,
    preserve_unknown_fields,
    discovery
];

/// Every level, mildest first.
const LEVELS: [&str; 3] = ["Ignore", "Warn", "Strict"];

/// The request with a level of `fieldValidation`.
fn at(level: &str, request: Request) -> Request {
    request.query("fieldValidation", level)
}

/// A field that no type has.
const UNKNOWN: &str = "assayUnknown";

/// A duplicate label.
const TWICE: &str = "assay-twice";

/// An object with an unknown field at the top; not yet sent.
fn with_unknown(collection: &Collection, name: &str) -> Value {
    let mut body = collection.body(name, "first");
    body[UNKNOWN] = json!(1);
    body
}

/// An object with a duplicate label, as text, because no JSON value can have one.
fn with_duplicate(collection: &Collection, name: &str) -> String {
    duplicated(collection.body(name, "first"))
}

/// The object as text, with a duplicate label.
fn duplicated(mut object: Value) -> String {
    object["metadata"]["labels"][TWICE] = json!("1");
    twice(&object.to_string())
}

/// The text with a second value of the label.
fn twice(text: &str) -> String {
    let (once, twice) = (r#""assay-twice":"1""#, r#""assay-twice":"1","assay-twice":"2""#);
    text.replacen(once, twice, 1)
}

/// A create.
fn post(collection: &Collection, body: &Value) -> Request {
    Request::post(collection.path(), body)
}

/// A create with a body as text.
fn post_text(collection: &Collection, body: &str) -> Request {
    raw(Request::new(Method::POST, collection.path()), "application/json", body)
}

/// An update with a body as text.
fn put_text(collection: &Collection, name: &str, body: &str) -> Request {
    raw(Request::new(Method::PUT, collection.path_of(name)), "application/json", body)
}
