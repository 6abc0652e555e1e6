//! JSON pointers: find, set and merge-patch the value at a pointer.

use serde_json::{Map, Value};

/// The steps of a pointer.
fn steps(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~")).collect()
}

/// A pointer in the notation of people: `spec.titles[0]`, `metadata.annotations["a/b"]`.
pub fn dotted(pointer: &str) -> String {
    let written = |step: String| match step {
        index if index.parse::<usize>().is_ok() => format!("[{index}]"),
        key if key.contains(['.', '/']) => format!("[{key:?}]"),
        name => format!(".{name}"),
    };
    let path: String = steps(pointer).into_iter().map(written).collect();
    path.trim_start_matches('.').to_owned()
}

/// Sets the value at a pointer; creates missing objects, but no entries of arrays.
pub(super) fn set(json: &mut Value, pointer: &str, value: Value) {
    let mut place = json;
    for step in steps(pointer) {
        place = match place {
            Value::Array(entries) => {
                let Ok(index) = step.parse::<usize>() else { return };
                let Some(entry) = entries.get_mut(index) else { return };
                entry
            }
            Value::Object(fields) => fields.entry(step).or_insert(Value::Null),
            other => {
                *other = Value::Object(Map::new());
                &mut other[step]
            }
        };
    }
    *place = value;
}

/// The merge patch that sets the value at a pointer in objects like this one.
///
/// A merge patch cannot address an entry of an array: it sends the whole array.
pub(super) fn merge_patch(like: &Value, pointer: &str, value: Value) -> Value {
    match (like, pointer.strip_prefix('/')) {
        (_, None) => value,
        (Value::Array(_), Some(_)) => {
            let mut whole = like.clone();
            set(&mut whole, pointer, value);
            whole
        }
        (_, Some(rest)) => {
            let (step, below) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
            let step = step.replace("~1", "/").replace("~0", "~");
            let inner = merge_patch(&like[&step], below, value);
            Value::Object(Map::from_iter([(step, inner)]))
        }
    }
}

/// The pointers to every field with exactly this text.
pub(super) fn find(json: &Value, text: &str) -> Vec<String> {
    let below = |step: String, value: &Value| -> Vec<String> {
        let step = step.replace('~', "~0").replace('/', "~1");
        find(value, text).into_iter().map(|rest| format!("/{step}{rest}")).collect()
    };
    match json {
        Value::String(known) if known == text => vec![String::new()],
        Value::Array(entries) => {
            entries.iter().enumerate().flat_map(|(index, entry)| below(index.to_string(), entry)).collect()
        }
        Value::Object(fields) => fields.iter().flat_map(|(name, value)| below(name.clone(), value)).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_pointer_is_written_in_the_notation_of_people() {
        assert_eq!(dotted("/spec/titles/0"), "spec.titles[0]");
        assert_eq!(
            dotted("/metadata/annotations/kube-assay.dev~1value"),
            "metadata.annotations[\"kube-assay.dev/value\"]"
        );
    }

    #[test]
    fn set_creates_missing_objects() {
        let mut object = json!({ "spec": { "rules": [{}, {}] } });
        set(&mut object, "/spec/rules/1/a~1b", json!("v"));
        set(&mut object, "/data/value", json!("w"));
        assert_eq!(object, json!({ "spec": { "rules": [{}, { "a/b": "v" }] }, "data": { "value": "w" } }));
    }

    #[test]
    fn a_merge_patch_sends_arrays_as_a_whole() {
        let like = json!({ "rules": [{ "names": ["a"], "verbs": ["get"] }] });
        let patch = merge_patch(&like, "/rules/0/names/0", json!("b"));
        assert_eq!(patch, json!({ "rules": [{ "names": ["b"], "verbs": ["get"] }] }));
        assert_eq!(merge_patch(&like, "/data/value", json!("b")), json!({ "data": { "value": "b" } }));
    }

    #[test]
    fn find_returns_whole_fields_only() {
        let object = json!({ "spec": { "a/b": "$VALUE", "list": ["x", "$VALUE"], "text": "of $VALUE" } });
        assert_eq!(find(&object, "$VALUE"), ["/spec/a~1b", "/spec/list/1"]);
    }
}
