//! CRD schemas: validation of x-kubernetes-list-type, list-map-keys and map-type.

use serde_json::Value;

use crate::failure::Cause;

const LIST_TYPE: &str = "x-kubernetes-list-type";
const MAP_KEYS: &str = "x-kubernetes-list-map-keys";
const MAP_TYPE: &str = "x-kubernetes-map-type";

/// The errors in the list and map types of a schema.
pub(super) fn errors(schema: &Value, path: &str) -> Vec<Cause> {
    let mut causes = map_errors(schema, path);
    causes.extend(list_errors(schema, path));
    if schema[LIST_TYPE] == "map" {
        causes.extend(keyed_list_errors(schema, path));
    }
    causes.extend(item_errors(schema, path));
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        causes.extend(errors(schema, &format!("{path}.properties[{name}]")));
    }
    for below in ["items", "additionalProperties"] {
        if schema[below].is_object() {
            causes.extend(errors(&schema[below], &format!("{path}.{below}")));
        }
    }
    causes
}

fn map_errors(schema: &Value, path: &str) -> Vec<Cause> {
    let Some(map_type) = schema[MAP_TYPE].as_str() else { return Vec::new() };
    let mut causes = not_of_type(schema, path, "object", MAP_TYPE);
    causes.extend(not_one_of(map_type, &["atomic", "granular"], format!("{path}.{MAP_TYPE}")));
    causes
}

fn list_errors(schema: &Value, path: &str) -> Vec<Cause> {
    let keyed = schema[MAP_KEYS].as_array().is_some_and(|keys| !keys.is_empty());
    let place = format!("{path}.{LIST_TYPE}");
    let detail = "must be map if x-kubernetes-list-map-keys is non-empty";
    let Some(list_type) = schema[LIST_TYPE].as_str() else {
        return keyed.then(|| Cause::required(place, detail)).into_iter().collect();
    };
    let mut causes = not_of_type(schema, path, "array", LIST_TYPE);
    if causes.is_empty() && list_type == "set" {
        causes.extend(not_atomic(&schema["items"], path));
    }
    causes.extend(not_one_of(list_type, &["atomic", "set", "map"], place.clone()));
    if keyed && list_type != "map" {
        causes.push(Cause::invalid(place, &list_type.into(), detail));
    }
    causes
}

/// The items of a set must be scalar or atomic.
fn not_atomic(items: &Value, path: &str) -> Option<Cause> {
    let (field, atomic) = match items["type"].as_str()? {
        "array" => (LIST_TYPE, matches!(items[LIST_TYPE].as_str(), None | Some("atomic"))),
        "object" => (MAP_TYPE, items[MAP_TYPE] == "atomic"),
        _ => return None,
    };
    let detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
    (!atomic).then(|| Cause::invalid(format!("{path}.items.{field}"), &items[LIST_TYPE], detail))
}

fn keyed_list_errors(schema: &Value, path: &str) -> Vec<Cause> {
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
        let detail = "must be object if parent array's x-kubernetes-list-type is map";
        causes.push(Cause::invalid(format!("{path}.items.type"), &items["type"], detail));
        return causes;
    }
    for (index, key) in keys.iter().enumerate() {
        let name = key.as_str().unwrap_or_default();
        match items["properties"].get(name) {
            Some(schema) if matches!(schema["type"].as_str(), Some("array" | "object")) => {
                let detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
                let place = format!("{path}.items.properties[{name}].type");
                causes.push(Cause::invalid(place, &items["type"], detail));
            }
            Some(_) => {}
            None => {
                let detail = "entries must all be names of item properties";
                causes.push(Cause::invalid(&place, &schema[MAP_KEYS], detail));
            }
        }
        if keys[..index].contains(key) {
            causes.push(Cause::invalid(&place, &schema[MAP_KEYS], "must not contain duplicate entries"));
        }
    }
    causes
}

/// Keys of items must be present and not null.
fn item_errors(schema: &Value, path: &str) -> Vec<Cause> {
    let (list_type, items) = (schema[LIST_TYPE].as_str().unwrap_or_default(), &schema["items"]);
    if !matches!(list_type, "set" | "map") || !items.is_object() {
        return Vec::new();
    }
    let mut causes = Vec::new();
    if items["nullable"] == true {
        let detail = format!("cannot be nullable when x-kubernetes-list-type is {list_type}");
        causes.push(Cause::forbidden(format!("{path}.items.nullable"), &detail));
    }
    let keys = schema[MAP_KEYS].as_array().into_iter().flatten().filter_map(Value::as_str);
    for key in keys.filter(|_| list_type == "map") {
        let Some(property) = items["properties"].get(key) else { continue };
        let place = format!("{path}.items.properties[{key}]");
        let required = items["required"].as_array().into_iter().flatten().any(|name| name == key);
        if !required && property["default"].is_null() {
            let detail = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property";
            causes.push(Cause::required(format!("{place}.default"), detail));
        }
        if property["nullable"] == true {
            let detail = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable";
            causes.push(Cause::forbidden(format!("{place}.nullable"), detail));
        }
    }
    causes
}

fn not_of_type(schema: &Value, path: &str, expected: &str, marker: &str) -> Vec<Cause> {
    let detail = format!("must be {expected} if {marker} is specified");
    let place = format!("{path}.type");
    match schema["type"].as_str() {
        Some(found) if found == expected => Vec::new(),
        None | Some("") => vec![Cause::required(place, &detail)],
        Some(found) => vec![Cause::invalid(place, &found.into(), &detail)],
    }
}

fn not_one_of(found: &str, supported: &[&str], place: String) -> Option<Cause> {
    (!supported.contains(&found)).then(|| Cause::not_supported(place, &format!("{found:?}"), supported))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(schema: &Value) -> Vec<String> {
        let schema = json!({"type": "object", "properties": {"x": schema}});
        errors(&schema, "s").iter().map(ToString::to_string).collect()
    }

    #[test]
    fn invalid_list_and_map_types_are_rejected() {
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
        for (schema, errors) in [
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
            assert_eq!(found(&schema).first(), Some(&errors), "{schema}");
        }
        for schema in
            [keyed(&item(&text)), with(list("set"), "items", text.clone()), json!({"type": "object"})]
        {
            assert_eq!(found(&schema), Vec::<String>::new(), "{schema}");
        }
    }
}
