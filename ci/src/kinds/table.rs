//! The table: one line per kind, and one per field. `reference/src/kind.rs` describes the format.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;

use super::documents::{Schemas, reference, scalar, short};
use super::messages::Messages;

/// The table of all kinds, sorted by name.
pub(super) fn write(schemas: &Schemas, messages: &Messages) -> String {
    let names = names(schemas, messages);
    let mut kinds = BTreeMap::new();
    for (full, schema) in schemas.all() {
        let number = |field: &str| messages.number(full, schema, field);
        kinds.insert(names[full].clone(), fields(schema, &|full| name(schemas, &names, full), &number));
    }
    let mut table = String::new();
    for (name, (atomic, fields)) in kinds {
        // Writing to a String cannot fail.
        let _ = write!(table, "{name}{}\n{fields}", if atomic { " atomic" } else { "" });
    }
    table
}

type Names = BTreeMap<String, String>;

/// The names in the table: with group only if two groups have different kinds of the same name, with group and version
/// if a group has them in two versions. A selected kind is called as in objects; of two versions, the newer one.
fn names(schemas: &Schemas, messages: &Messages) -> Names {
    let mut names = Names::new();
    let mut first = BTreeMap::new();
    let mut all: Vec<_> = schemas.all().collect();
    all.sort_by_key(|(full, _)| newest_first(full));
    let (selected, parts): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(full, _)| schemas.is_selected(full));
    for (full, schema) in selected.into_iter().chain(parts) {
        let number = |field: &str| messages.number(full, schema, field);
        let fields = fields(schema, &|full| short(full).to_owned(), &number);
        let (group, version) = package(full);
        let known = first.entry(short(full)).or_insert_with(|| ((group, version), fields.clone()));
        // The parts of two versions of a kind may differ where the kinds themselves do not.
        let is_older = known.0.0 == group && known.0.1 != version;
        let name = match short(full) {
            name if known.1 == fields && !(is_older && schemas.is_selected(full)) => name.to_owned(),
            name if is_older => format!("{group}.{version}.{name}"),
            name => format!("{group}.{name}"),
        };
        names.insert(full.clone(), name);
    }
    names
}

/// The group and the version in a full name, such as `io.k8s.api.core.v1.Pod`.
fn package(full: &str) -> (&str, &str) {
    let mut parts = full.rsplit('.').skip(1);
    let version = parts.next().unwrap_or_default();
    (parts.next().unwrap_or_default(), version)
}

/// The order of full names in which the versions of a group are the newest first.
fn newest_first(full: &str) -> (&str, Reverse<&str>, &str) {
    let (_, version) = package(full);
    let before = full.split(&format!(".{version}.")).next().unwrap_or_default();
    (before, Reverse(version), short(full))
}

fn name(schemas: &Schemas, names: &Names, full: &str) -> String {
    let known = || names.get(full).cloned();
    scalar(full)
        .map(str::to_owned)
        .or_else(known)
        .filter(|_| !schemas.is_opaque(full))
        .unwrap_or_else(|| "any".into())
}

/// Whether a kind is atomic, and the lines of its fields.
fn fields(
    schema: &Value,
    name: &dyn Fn(&str) -> String,
    number: &dyn Fn(&str) -> Option<String>,
) -> (bool, String) {
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let line = |(field, schema): (&String, &Value)| {
        let required = if required.iter().any(|one| one == field) { "required" } else { "" };
        let words = [
            shape(schema, name),
            number(field).map(|number| format!("at {number}")).unwrap_or_default(),
            merge(schema),
            ownership(schema),
            required.into(),
            choices(schema),
            default(schema),
        ];
        let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
        format!("  {field} {}\n", words.join(" "))
    };
    let mut lines: Vec<String> = schema["properties"].as_object().into_iter().flatten().map(line).collect();
    lines.sort_unstable();
    (schema["x-kubernetes-map-type"] == "atomic", lines.concat())
}

fn shape(schema: &Value, name: &dyn Fn(&str) -> String) -> String {
    if let Some(full) = reference(schema) {
        return name(full);
    }
    let format = schema["format"].as_str().unwrap_or_default();
    match (schema["type"].as_str().unwrap_or_default(), format) {
        ("array", _) => format!("[{}]", shape(&schema["items"], name)),
        ("object", _) if schema["additionalProperties"].is_object() => {
            format!("{{{}}}", shape(&schema["additionalProperties"], name))
        }
        ("string", "byte") => "bytes".into(),
        ("string", _) => "string".into(),
        ("integer", "int32") => "int32".into(),
        ("integer", _) => "int64".into(),
        ("boolean", _) => "bool".into(),
        ("number", _) => "number".into(),
        _ => "any".into(),
    }
}

/// The merge strategy of a list; empty if a patch replaces it.
fn merge(schema: &Value) -> String {
    match (merges(schema), schema["x-kubernetes-patch-merge-key"].as_str()) {
        (false, _) => String::new(),
        (true, None) => "as set".into(),
        (true, Some(key)) => format!("by {key}"),
    }
}

fn merges(schema: &Value) -> bool {
    let strategy = schema["x-kubernetes-patch-strategy"].as_str().unwrap_or_default();
    strategy.split(',').any(|word| word == "merge")
}

/// The ownership of a list or map, unless it follows from the merge strategy.
fn ownership(schema: &Value) -> String {
    let merge_key = schema["x-kubernetes-patch-merge-key"].as_str();
    let keys: Vec<&str> = schema["x-kubernetes-list-map-keys"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let implied = merges(schema);
    match schema["x-kubernetes-list-type"].as_str() {
        Some("atomic") if implied => "atomic".into(),
        Some("set") if !implied => "unique".into(),
        Some("map") if !implied || merge_key.is_none_or(|key| keys != [key]) => {
            format!("keyed {}", keys.join(","))
        }
        None if schema["x-kubernetes-map-type"] == "atomic" => "atomic".into(),
        _ => String::new(),
    }
}

/// The values of an enumeration, or of a list of them; as one word.
fn choices(schema: &Value) -> String {
    match schema.get("enum").or_else(|| schema["items"].get("enum")) {
        Some(values) => format!("enum {}", values.to_string().replace(' ', "\\u0020")),
        None => String::new(),
    }
}

fn default(schema: &Value) -> String {
    match &schema["default"] {
        Value::Null | Value::Object(_) => String::new(),
        value => format!("default {value}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::documents::Selection;
    use super::*;
    use crate::task_error::TaskError;

    const SELECTION: &str = r#"
        [kinds]
        core = ["Pod"]
        other = ["Claim"]
        [opaque]
        Schema = "it contains itself"
    "#;

    fn reference(name: &str) -> Value {
        json!({"default": {}, "allOf": [{"$ref": format!("#/components/schemas/{name}")}]})
    }

    /// The table of these documents.
    fn table(documents: &[(&str, Value)]) -> Result<String, TaskError> {
        let selection = Selection::parse(SELECTION)?;
        let mut schemas = Schemas::without(selection.opaque);
        for (document, parts) in documents {
            let document_text = json!({"components": {"schemas": parts}}).to_string();
            schemas.add(&document_text, &selection.kinds[*document])?;
        }
        Ok(write(&schemas, &Messages::default()))
    }

    #[test]
    fn the_table_has_selected_kinds_and_their_parts() {
        let list = |kind: &str, more: Value| {
            let mut list = json!({"type": "array", "items": reference(kind)});
            list.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
            list
        };
        let ports = json!({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["port", "protocol"],
            "x-kubernetes-patch-merge-key": "port", "x-kubernetes-patch-strategy": "merge"});
        let pod = json!({"properties": {
            "ports": list("core.v1.Port", ports), "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "selector": {"type": "object", "additionalProperties": {"type": "string"}, "x-kubernetes-map-type": "atomic"},
            "memory": reference("resource.Quantity"), "schema": reference("core.v1.Schema"),
            "args": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "atomic"},
            "hosts": {"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"},
            "modes": {"type": "array", "items": {"type": "string", "enum": ["A"]}, "x-kubernetes-list-type": "atomic"},
        }, "required": ["args"]});
        let port = json!({"x-kubernetes-map-type": "atomic", "properties": {
            "port": {"type": "integer", "format": "int32", "default": 0}, "protocol": {"type": "string", "default": "TCP", "enum": ["TCP", "a b"]}}, "required": ["protocol"]});
        let unused = json!({"properties": {"a": {"type": "string"}}});

        let parts = json!({"core.v1.Pod": pod, "core.v1.Port": port, "core.v1.Unused": unused,
            "resource.Quantity": {}, "core.v1.Schema": {"properties": {"not": reference("core.v1.Schema")}}});
        let table = table(&[("core", parts)]).expect("a table");

        let expected = "Pod\n  args [string] required\n  hosts [string] unique\n  labels {string}\n  memory quantity\n  modes [string] enum [\"A\"]\n  \
            ports [Port] by port keyed port,protocol\n  schema any\n  selector {string} atomic\nPort atomic\n  \
            port int32 default 0\n  protocol string required enum [\"TCP\",\"a\\u0020b\"] default \"TCP\"\n";
        assert_eq!(table, expected);
    }

    #[test]
    fn different_kinds_of_one_name_have_their_groups() {
        let part = |field: &str| json!({"properties": {field: {"type": "boolean"}}});
        let core = json!({"core.v1.Pod": {"properties": {"a": reference("core.v1.Part")}}, "core.v1.Part": part("x")});
        let other = json!({"other.v1.Claim": {"properties": {"b": reference("other.v1.Part")}}, "other.v1.Part": part("y")});

        let table = table(&[("core", core), ("other", other)]).expect("a table");

        assert_eq!(table, "Claim\n  b other.Part\nPart\n  x bool\nPod\n  a Part\nother.Part\n  y bool\n");
    }

    #[test]
    fn a_selected_kind_has_no_group_in_its_name() {
        let part = |field: &str| json!({"properties": {field: {"type": "boolean"}}});
        let core = json!({"core.v1.Pod": {"properties": {"a": reference("core.v1.Claim")}}, "core.v1.Claim": part("x")});
        let other = json!({"other.v1.Claim": part("y")});

        let table = table(&[("core", core), ("other", other)]).expect("a table");

        assert_eq!(table, "Claim\n  y bool\nPod\n  a core.Claim\ncore.Claim\n  x bool\n");
    }

    #[test]
    fn a_missing_kind_is_named() {
        let task_error = table(&[("core", json!({"core.v1.Node": {}}))]).expect_err("there is no Pod");

        assert_eq!(task_error.to_string(), "the document has 0 kinds called Pod");
    }
}
