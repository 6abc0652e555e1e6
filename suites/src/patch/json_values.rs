//! JSON Patch `test` with values of every type: RFC 6902, 4.6 defines when two of them are equal.

use super::rejections::failing;
use crate::finalizers::{HOLD, WAIT, and_release};
use crate::object_fixture::owner_reference;
use crate::patch_types::raw_patch;
use crate::prelude::*;
use crate::string_map;

rows![patch_json_test_success];

async fn patch_json_test_success(cx: Context, collection: Collection) -> Checked {
    let mut body = string_map::body(&collection, NAME, &[("k", "v")]);
    body["metadata"]["finalizers"] = json!([HOLD, WAIT]);
    body["metadata"]["labels"]["assay"] = "yes".into();
    collection.create_body(&body).await?;

    and_release(&collection, async {
        let read = collection.get(NAME).await?.written()?;
        let mut operations: Vec<_> = values(&read).iter().map(|(path, value)| test(path, value)).collect();
        operations.push(test("@/k", &json!("v")));

        let response = cx.send(patch_after(&collection, operations)).await?;

        string_map::expect_stored(&collection, NAME, &response, &[("k", Some("w"))]).await
    })
    .await
}

/// JSON patches whose test fails, with a value of each type that differs from the object's.
pub(super) fn failing_by_type(a: &StoredObject) -> Vec<Request> {
    let differing = values(&a.read).into_iter().map(|(path, value)| (path, other(&value)));
    // Nearly every object has managedFields; without them, or with an empty list removed, the test fails as well.
    let others = [("/metadata/managedFields", json!([])), ("@/k", Value::Null)];
    let others = others.into_iter().map(|(path, value)| (path.to_owned(), value));
    let each = differing.chain(others);
    let patches = each.map(|(path, value)| patch_after(&a.collection, vec![test(&path, &value)]));
    [failing(a), failing_on_boolean(a)].into_iter().chain(patches).collect()
}

/// A patch that tests a boolean of its own: few objects have one. It adds an owner, which the server never stores.
fn failing_on_boolean(a: &StoredObject) -> Request {
    let mut owner = owner_reference(&a.read);
    owner["controller"] = true.into();
    let add = json!({ "op": "add", "path": "/metadata/ownerReferences", "value": [owner] });
    patch_after(&a.collection, vec![add, test("/metadata/ownerReferences/0/controller", &json!(false))])
}

/// Sets the text `k` after these tests; `@` is the path of the texts.
fn patch_after(collection: &Collection, mut tests: Vec<Value>) -> Request {
    tests.push(json!({ "op": "replace", "path": "@/k", "value": "w" }));
    let operations = string_map::operations(collection, &Value::Array(tests).to_string());
    raw_patch(collection, NAME, JSON, &operations)
}

fn test(path: &str, value: &Value) -> Value {
    json!({ "op": "test", "path": path, "value": value })
}

/// An object, an array and a number that the object has, with their pointers. A later version of the API may show more
/// fields than are stored, so no other ones.
fn values(object: &Object) -> Vec<(String, Value)> {
    const PLACES: [&str; 3] = ["/metadata/labels", "/metadata/finalizers", "/metadata/generation"];
    let value = |at: &str| Some((at.to_owned(), object.json().pointer(at)?.clone()));
    PLACES.into_iter().filter_map(value).collect()
}

/// Another value of the same type.
fn other(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let more = [("kube-assay".to_owned(), Value::from("other"))];
            fields.clone().into_iter().chain(more).collect()
        }
        Value::Array(items) => items.iter().skip(1).cloned().collect(),
        Value::Number(number) => number.as_i64().map(|number| number.wrapping_add(1)).into(),
        _ => "other".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_value_has_the_same_type() {
        let object =
            Object::new(json!({ "metadata": { "labels": { "a": "b" }, "generation": 1, "name": "a" } }));
        let expected = [("/metadata/labels", json!({ "a": "b" })), ("/metadata/generation", json!(1))];
        let found = values(&object);
        assert_eq!(found, expected.map(|(path, value)| (path.to_owned(), value)));
        let others: Vec<_> = found.iter().map(|(_, value)| other(value)).collect();
        assert_eq!(json!(others), json!([{ "a": "b", "kube-assay": "other" }, 2]));
    }
}
