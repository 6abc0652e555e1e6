//! The maximum size of a stored object: that of a request to etcd.

use serde_json::Value;

use crate::failure::Failure;
use crate::store::Decision;

/// The maximum size, in bytes: etcd's default.
pub(crate) const MOST: usize = 3 << 19;

/// Puts an object without its `managedFields` if there is no space for them.
///
/// Fails if there is no space for the rest either, or if the write is an apply, which needs them.
pub(crate) fn put(mut object: Value, is_apply: bool) -> Result<Decision, Failure> {
    if size(&object) <= MOST {
        return Ok(Decision::Put(object));
    }
    if !is_apply && let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.remove("managedFields");
        if size(&object) <= MOST {
            return Ok(Decision::Put(object));
        }
    }
    Err(too_large())
}

/// The failure for a larger object.
pub(crate) fn too_large() -> Failure {
    Failure::untranslated("etcdserver: request is too large")
}

/// The size of a field in an object.
pub(crate) fn field(name: &str, value: &Value) -> usize {
    2 + name.len() + size(value)
}

/// The size of a value, about as in Protobuf: texts, with two bytes for each type and length.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => 2 + text.len(),
        Value::Array(items) => 2 + items.iter().map(size).sum::<usize>(),
        Value::Object(fields) => 2 + fields.iter().map(|(name, value)| field(name, value)).sum::<usize>(),
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn stored(object: Value, is_apply: bool) -> Option<Value> {
        match put(object, is_apply) {
            Ok(Decision::Put(object)) => Some(object),
            _ => None,
        }
    }

    #[test]
    fn managed_fields_give_way_to_a_large_object() {
        let object = |payload: usize, managed: usize| {
            let entries = json!([{ "manager": "a".repeat(managed) }]);
            json!({ "metadata": { "name": "a", "managedFields": entries }, "data": { "a": "a".repeat(payload) } })
        };
        let small = object(MOST / 4, MOST / 2);
        assert_eq!(stored(small.clone(), true), Some(small));
        let without = stored(object(MOST / 2, MOST / 2), false).unwrap();
        assert_eq!(without["metadata"], json!({ "name": "a" }));
        assert_eq!(stored(object(MOST / 2, MOST / 2), true), None);
        assert_eq!(stored(object(MOST, 0), false), None);
    }
}
