//! Unknown fields variant: an additional field, as a newer server sends.

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Value, json};

use crate::fault::json_body;

/// The name of the field. Requests lose it, like any unknown field.
const FIELD: &str = "xOfTomorrow";

/// Adds the field to a document and its nested objects.
pub(super) fn write(body: &mut Value) {
    each(body, &mut |fields| {
        fields.insert(FIELD.to_owned(), json!({ "kind": "Surprise", "items": [1, null, "ü"] }));
    });
}

/// Adds the field to a watch event and its object.
#[allow(clippy::unnecessary_wraps, reason = "other changes of a line drop it")]
pub(super) fn event(mut event: Value) -> Option<Value> {
    write(&mut event["object"]);
    event[FIELD] = json!(true);
    Some(event)
}

/// Removes the field from a request.
pub(super) fn read(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |json| {
        each(json, &mut |fields| {
            fields.shift_remove(FIELD);
        });
    });
}

type Fields = serde_json::Map<String, Value>;

/// Visits the document, its metadata and details, and those of its items.
fn each(json: &mut Value, visit: &mut impl FnMut(&mut Fields)) {
    for list in ["items", "rows"] {
        for item in json.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            at(item, &["", "/metadata", "/object", "/object/metadata"], visit);
        }
    }
    at(json, &["/metadata", "/details", ""], visit);
}

fn at(json: &mut Value, places: &[&str], visit: &mut impl FnMut(&mut Fields)) {
    for place in places {
        if let Some(Value::Object(fields)) = json.pointer_mut(place) {
            visit(fields);
        }
    }
}
