//! CRD schemas: validation of x-kubernetes-list-type, list-map-keys and map-type.

use serde_json::Value;

use crate::failure::Cause;

const LIST_TYPE: &str = "x-kubernetes-list-type";
const MAP_KEYS: &str = "x-kubernetes-list-map-keys";
const MAP_TYPE: &str = "x-kubernetes-map-type";

/// What is wrong with the types of the lists and maps in a schema.
pub(super) fn wrong(schema: &Value, path: &str) -> Vec<Cause> {
    let mut causes = wrong_map(schema, path);
    causes.extend(wrong_list(schema, path));
    if schema[LIST_TYPE] == "map" {
        causes.extend(wrong_keyed(schema, path));
    }
    causes.extend(wrong_items(schema, path));
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        causes.extend(wrong(schema, &format!("{path}.properties[{name}]")));
    }
    for below in ["items", "additionalProperties"] {
        if schema[below].is_object() {
            causes.extend(wrong(&schema[below], &format!("{path}.{below}")));
        }
    }
    causes
}

fn wrong_map(schema: &Value, path: &str) -> Vec<Cause> {
    let Some(map_type) = schema[MAP_TYPE].as_str() else { return Vec::new() };
    let mut causes = not_of_type(schema, path, "object", MAP_TYPE);
    causes.extend(not_one_of(map_type, &["atomic", "granular"], format!("{path}.{MAP_TYPE}")));
    causes
}

fn wrong_list(schema: &Value, path: &str) -> Vec<Cause> {
    let keyed = schema[MAP_KEYS].as_array().is_some_and(|keys| !keys.is_empty());
    let place = format!("{path}.{LIST_TYPE}");
    let why = "must be map if x-kubernetes-list-map-keys is non-empty";
    let Some(list_type) = schema[LIST_TYPE].as_str() else {
        return keyed.then(|| Cause::required(place, why)).into_iter().collect();
    };
    let mut causes = not_of_type(schema, path, "array", LIST_TYPE);
    if causes.is_empty() && list_type == "set" {
        causes.extend(not_atomic(&schema["items"], path));
    }
    causes.extend(not_one_of(list_type, &["atomic", "set", "map"], place.clone()));
    if keyed && list_type != "map" {
        causes.push(Cause::invalid(place, &list_type.into(), why));
    }
    causes
}

/// The items of a set are one value each.
fn not_atomic(items: &Value, path: &str) -> Option<Cause> {
    let (field, atomic) = match items["type"].as_str()? {
        "array" => (LIST_TYPE, matches!(items[LIST_TYPE].as_str(), None | Some("atomic"))),
        "object" => (MAP_TYPE, items[MAP_TYPE] == "atomic"),
        _ => return None,
    };
    let why = "must be atomic as item of a list with x-kubernetes-list-type=set";
    (!atomic).then(|| Cause::invalid(format!("{path}.items.{field}"), &items[LIST_TYPE], why))
}

fn wrong_keyed(schema: &Value, path: &str) -> Vec<Cause> {
    let mut causes = Vec::new();
    let place = format!("{path}.{MAP_KEYS}");
    let keys = schema[MAP_KEYS].as_array().map(Vec::as_slice).unwrap_or_default();
    if keys.is_empty() {
        causes.push(Cause::required(&place, "must not be empty if x-kubernetes-list-type is map"));
    }
    let items = &schema["items"];
    if !items.is_object() {
        causes.push(Cause::required(
            format!("{path}.items"),
            "must have a schema if x-kubernetes-list-type is map",
        ));
        return causes;
    }
    if items["type"] != "object" {
        let why = "must be object if parent array's x-kubernetes-list-type is map";
        causes.push(Cause::invalid(format!("{path}.items.type"), &items["type"], why));
        return causes;
    }
    for (index, key) in keys.iter().enumerate() {
        let name = key.as_str().unwrap_or_default();
        match items["properties"].get(name) {
            Some(schema) if matches!(schema["type"].as_str(), Some("array" | "object")) => {
                let why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
                let place = format!("{path}.items.properties[{name}].type");
                causes.push(Cause::invalid(place, &items["type"], why));
            }
            Some(_) => {}
            None => {
                let why = "entries must all be names of item properties";
                causes.push(Cause::invalid(&place, &schema[MAP_KEYS], why));
            }
        }
        if keys[..index].contains(key) {
            causes.push(Cause::invalid(&place, &schema[MAP_KEYS], "must not contain duplicate entries"));
        }
    }
    causes
}

/// What tells items apart is always there, and never nothing.
fn wrong_items(schema: &Value, path: &str) -> Vec<Cause> {
    let (list_type, items) = (schema[LIST_TYPE].as_str().unwrap_or_default(), &schema["items"]);
    if !matches!(list_type, "set" | "map") || !items.is_object() {
        return Vec::new();
    }
    let mut causes = Vec::new();
    if items["nullable"] == true {
        let why = format!("cannot be nullable when x-kubernetes-list-type is {list_type}");
        causes.push(Cause::forbidden(format!("{path}.items.nullable"), &why));
    }
    let keys = schema[MAP_KEYS].as_array().into_iter().flatten().filter_map(Value::as_str);
    for key in keys.filter(|_| list_type == "map") {
        let Some(property) = items["properties"].get(key) else { continue };
        let place = format!("{path}.items.properties[{key}]");
        let required = items["required"].as_array().into_iter().flatten().any(|name| name == key);
        if !required && property["default"].is_null() {
            let why = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
            causes.push(Cause::required(format!("{place}.default"), why));
        }
        if property["nullable"] == true {
            let why = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
            causes.push(Cause::forbidden(format!("{place}.nullable"), why));
        }
    }
    causes
}

fn not_of_type(schema: &Value, path: &str, wanted: &str, marker: &str) -> Vec<Cause> {
    let why = format!("must be {wanted} if {marker} is specified");
    let place = format!("{path}.type");
    match schema["type"].as_str() {
        Some(found) if found == wanted => Vec::new(),
        None | Some("") => vec![Cause::required(place, &why)],
        Some(found) => vec![Cause::invalid(place, &found.into(), &why)],
    }
}

fn not_one_of(found: &str, known: &[&str], place: String) -> Option<Cause> {
    (!known.contains(&found)).then(|| Cause::not_supported(place, &format!("{found:?}"), known))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(schema: &Value) -> Vec<String> {
        let schema = json!({"type": "object", "properties": {"x": schema}});
        wrong(&schema, "s").iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_a_schema_cannot_say_is_refused() {
        let item = |key: &Value| json!({"type": "object", "required": ["name"], "properties": {"name": key}});
        let (text, list) =
            (json!({"type": "string"}), |kind: &str| json!({"type": "array", LIST_TYPE: kind}));
        let with = |mut schema: Value, field: &str, value: Value| {
            schema[field] = value;
            schema
        };
        let keyed =
            |items: &Value| with(with(list("map"), "items", items.clone()), MAP_KEYS, json!(["name"]));
        let x = "s.properties[x]";
        for (schema, wrong) in [
            (
                with(list("granular"), "items", text.clone()),
                format!("FieldValueNotSupported {x}.{LIST_TYPE}"),
            ),
            (with(list("map"), "items", item(&text)), format!("FieldValueRequired {x}.{MAP_KEYS}")),
            (keyed(&text), format!("FieldValueInvalid {x}.items.type")),
            (
                keyed(&item(&json!({"type": "object"}))),
                format!("FieldValueInvalid {x}.items.properties[name].type"),
            ),
            (with(list("set"), "items", item(&text)), format!("FieldValueInvalid {x}.items.{MAP_TYPE}")),
            (
                with(keyed(&item(&text)), LIST_TYPE, "set".into()),
                format!("FieldValueInvalid {x}.items.{MAP_TYPE}"),
            ),
            (json!({"type": "object", MAP_TYPE: "set"}), format!("FieldValueNotSupported {x}.{MAP_TYPE}")),
            (json!({"type": "string", MAP_TYPE: "atomic"}), format!("FieldValueInvalid {x}.type")),
            (
                keyed(&json!({"type": "object", "properties": {"name": text}})),
                format!("FieldValueRequired {x}.items.properties[name].default"),
            ),
        ] {
            assert_eq!(found(&schema).first(), Some(&wrong), "{schema}");
        }
        for schema in
            [keyed(&item(&text)), with(list("set"), "items", text.clone()), json!({"type": "object"})]
        {
            assert_eq!(found(&schema), Vec::<String>::new(), "{schema}");
        }
    }
}
