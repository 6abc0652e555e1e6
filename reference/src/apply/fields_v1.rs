//! `FieldsV1`: conversion between field sets and JSON.

use serde_json::{Map, Value, json};

use super::field_set::FieldSet;
use super::path::Element;

/// The key of a tree for its own field.
const ITSELF: &str = ".";

impl FieldSet {
    /// Parses a set: `None` if the JSON is not a valid `FieldsV1`.
    pub(crate) fn from_fields_v1(json: &Value) -> Option<Self> {
        let mut set = Self::default();
        for (name, below) in json.as_object()? {
            if name == ITSELF {
                continue;
            }
            let step = Element::parse(name)?;
            let tree = below.as_object()?;
            if tree.is_empty() || tree.contains_key(ITSELF) {
                set.members.insert(step.clone());
            }
            let below = Self::from_fields_v1(below)?;
            if !below.is_empty() {
                set.children.insert(step, below);
            }
        }
        Some(set)
    }

    /// Writes a set, sorted by element.
    pub(crate) fn to_fields_v1(&self) -> Value {
        let mut steps: Vec<&Element> = self.members.iter().chain(self.children.keys()).collect();
        steps.sort();
        steps.dedup();
        let mut tree = Map::new();
        for step in steps {
            let mut below = Map::new();
            if let Some(children) = self.children.get(step) {
                if self.members.contains(step) {
                    below.insert(ITSELF.to_owned(), json!({}));
                }
                if let Value::Object(mut fields) = children.to_fields_v1() {
                    below.append(&mut fields);
                }
            }
            tree.insert(step.text(), Value::Object(below));
        }
        Value::Object(tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply::Path;

    #[test]
    fn a_written_set_parses_to_the_same_set() {
        let json = json!({
            "f:data": {".": {}, "f:a.b/c": {}},
            "f:spec": {
                "f:ports": {"k:{\"port\":80,\"protocol\":\"TCP\"}": {".": {}, "f:port": {}}},
                "f:tags": {"v:\"a\"": {}, "v:5": {}},
            },
        });
        let set = FieldSet::from_fields_v1(&json).unwrap();
        let paths: Vec<_> = set.paths().iter().map(Path::to_string).collect();
        let ports = ".spec.ports[port=80,protocol=\"TCP\"]";
        let port = format!("{ports}.port");
        let tags = [".spec.tags[=5]", ".spec.tags[=\"a\"]"];
        assert_eq!(paths, [".data", ".data.a.b/c", ports, &port, tags[0], tags[1]]);
        assert_eq!(FieldSet::from_fields_v1(&set.to_fields_v1()), Some(set));
    }

    #[test]
    fn invalid_fields_v1_does_not_parse() {
        for json in
            [json!([]), json!({"data": {}}), json!({"f:data": 1}), json!({"k:{": {}}), json!({"x:a": {}})]
        {
            assert_eq!(FieldSet::from_fields_v1(&json), None, "{json}");
        }
    }
}
