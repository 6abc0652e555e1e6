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

/// Values that writers of this scenario alone change, with their pointers: an object and an array of the metadata, and
/// the first integer and boolean that the object has.
fn values(object: &Object) -> Vec<(String, Value)> {
    const OF_METADATA: [&str; 3] = ["/metadata/labels", "/metadata/finalizers", "/metadata/generation"];
    const OF_THE_SERVER: [&str; 4] = ["apiVersion", "kind", "metadata", "status"];
    let json = object.json();
    let of_metadata = OF_METADATA.iter().filter_map(|at| Some(((*at).to_owned(), json.pointer(at)?.clone())));
    let written = json.as_object().into_iter().flatten();
    let written: Vec<_> = written.filter(|(name, _)| !OF_THE_SERVER.contains(&name.as_str())).collect();
    let first =
        |is: fn(&Value) -> bool| written.iter().find_map(|(name, value)| find(value, format!("/{name}"), is));
    of_metadata.chain(first(Value::is_i64)).chain(first(Value::is_boolean)).collect()
}

/// The first value of a kind in a document, with its pointer.
fn find(value: &Value, at: String, is: fn(&Value) -> bool) -> Option<(String, Value)> {
    let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Object(fields) => {
            fields.iter().find_map(|(name, value)| find(value, format!("{at}/{}", escaped(name)), is))
        }
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(index, item)| find(item, format!("{at}/{index}"), is))
        }
        value => is(value).then(|| (at, value.clone())),
    }
}

/// Another value of the same type.
fn other(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let more = [("kube-assay".to_owned(), Value::from("other"))];
            fields.clone().into_iter().chain(more).collect()
        }
        Value::Array(items) => items.iter().skip(1).cloned().collect(),
        Value::Bool(value) => (!value).into(),
        Value::Number(number) => number.as_i64().map(|number| number.wrapping_add(1)).into(),
        _ => "other".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_type_are_found() {
        let object = Object::new(json!({
            "kind": "Widget", "metadata": { "labels": { "a": "b" }, "generation": 1, "name": "a" },
            "spec": { "a/b": [{ "size": 3, "on": true }] }, "status": { "count": 4 },
        }));
        let expected = [
            ("/metadata/labels", json!({ "a": "b" })),
            ("/metadata/generation", json!(1)),
            ("/spec/a~1b/0/size", json!(3)),
            ("/spec/a~1b/0/on", json!(true)),
        ];
        let found = values(&object);
        assert_eq!(found, expected.map(|(path, value)| (path.to_owned(), value)));
        let others: Vec<_> = found.iter().map(|(_, value)| other(value)).collect();
        assert_eq!(json!(others), json!([{ "a": "b", "kube-assay": "other" }, 2, 4, false]));
    }
}
