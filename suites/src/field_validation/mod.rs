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

/// The request, with what is to become of unknown and duplicate fields.
fn at(level: &str, request: Request) -> Request {
    request.query("fieldValidation", level)
}

/// A field that no type has.
const UNKNOWN: &str = "assayUnknown";

/// A label that an object is given twice.
const TWICE: &str = "assay-twice";

/// An object with an unknown field at the top; not yet sent.
fn with_unknown(collection: &Collection, name: &str) -> Value {
    let mut body = collection.body(name, "first");
    body[UNKNOWN] = json!(1);
    body
}

/// An object with a label that stands there twice, as text: no JSON value can hold it.
fn with_duplicate(collection: &Collection, name: &str) -> String {
    duplicated(collection.body(name, "first"))
}

/// An object as text, with a label that stands there twice.
fn duplicated(mut object: Value) -> String {
    object["metadata"]["labels"][TWICE] = json!("1");
    let (once, twice) = (r#""assay-twice":"1""#, r#""assay-twice":"1","assay-twice":"2""#);
    object.to_string().replacen(once, twice, 1)
}

/// A create.
fn post(collection: &Collection, body: &Value) -> Request {
    Request::post(collection.path(), body)
}

/// A create whose body is sent as it stands.
fn post_text(collection: &Collection, body: &str) -> Request {
    crate::patch_types::raw(Request::new(harness::Method::POST, collection.path()), "application/json", body)
}

/// An update whose body is sent as it stands.
fn put_text(collection: &Collection, name: &str, body: &str) -> Request {
    crate::patch_types::raw(
        Request::new(harness::Method::PUT, collection.path_of(name)),
        "application/json",
        body,
    )
}
