//! Decoder of built-in kinds: unknown fields are dropped and reported, wrong types rejected.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::kind::{self, Kind, Shape};
use crate::quantity;

/// Decodes an object of a built-in kind, and adds the paths of unknown fields to `unknown`.
pub(crate) fn object(kind: &Kind, object: &mut Value, unknown: &mut Vec<String>) -> Result<(), String> {
    let envelope = |fields: &Map<String, Value>| {
        let named = |name: &str| Some((name.to_owned(), fields.get(name)?.clone()));
        ["kind", "apiVersion"].into_iter().filter_map(named).collect::<Map<_, _>>()
    };
    let Some(fields) = object.as_object_mut() else { return Err("not an object".to_owned()) };
    let mut decoded = envelope(&*fields);
    fields.retain(|name, _| name != "kind" && name != "apiVersion");
    Decoder { unknown, root: kind::type_name(kind.name) }.fields(kind, fields, "")?;
    decoded.append(fields);
    *fields = decoded;
    Ok(())
}

/// Decodes metadata at a path; absent metadata stays absent.
pub(crate) fn metadata(metadata: &mut Value, path: &str, unknown: &mut Vec<String>) -> Result<(), String> {
    let Some(kind) = kind::of("ObjectMeta").filter(|_| !metadata.is_null()) else { return Ok(()) };
    let json_type = json_type(metadata);
    let Some(fields) = metadata.as_object_mut() else {
        return Err(format!("json: cannot unmarshal {json_type} into Go value of type v1.ObjectMeta"));
    };
    Decoder { unknown, root: kind::type_name(kind.name) }.fields(kind, fields, path)?;
    // Unlike in a built-in kind, an empty managedFields is the same as an absent one.
    if fields.get("managedFields").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        fields.shift_remove("managedFields");
    }
    Ok(())
}

struct Decoder<'a> {
    unknown: &'a mut Vec<String>,
    root: &'static str,
}

impl Decoder<'_> {
    fn fields(&mut self, kind: &Kind, fields: &mut Map<String, Value>, path: &str) -> Result<(), String> {
        let mut decoded = Map::new();
        for (name, mut value) in std::mem::take(fields) {
            let field_path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            let Some(field) = kind.field(&name) else {
                self.unknown.push(field_path);
                continue;
            };
            if !value.is_null() {
                self.value(&field.shape, &mut value, &field_path, kind::type_name(kind.name))?;
            }
            if !is_absent(&field.shape, &value) {
                decoded.insert(name, value);
            }
        }
        *fields = decoded;
        Ok(())
    }

    fn value(&mut self, shape: &Shape, value: &mut Value, path: &str, owner: &str) -> Result<(), String> {
        if !has_shape(shape, value)? {
            let (json_type, expected) = (json_type(value), go_type(shape));
            let field = if path.is_empty() { self.root.to_owned() } else { format!("{owner}.{path}") };
            return Err(format!(
                "json: cannot unmarshal {json_type} into Go struct field {field} of type {expected}"
            ));
        }
        if let Some(normalized) = normalized(shape, value)? {
            *value = normalized;
            return Ok(());
        }
        match (shape, value) {
            (Shape::Kind(name), Value::Object(fields)) => match kind::of(name) {
                Some(kind) => self.fields(kind, fields, path),
                None => Ok(()),
            },
            (Shape::List(item), Value::Array(items)) => items
                .iter_mut()
                .enumerate()
                .try_for_each(|(index, value)| self.item(item, value, &format!("{path}[{index}]"), owner)),
            (Shape::Map(item), Value::Object(fields)) => {
                fields.values_mut().try_for_each(|value| self.item(item, value, path, owner))
            }
            _ => Ok(()),
        }
    }

    /// An element of a list or map; null becomes the zero value.
    fn item(&mut self, shape: &Shape, value: &mut Value, path: &str, owner: &str) -> Result<(), String> {
        if value.is_null() {
            *value = match shape {
                Shape::Kind(_) | Shape::Map(_) => Value::Object(Map::new()),
                Shape::List(_) => Value::Array(Vec::new()),
                Shape::Int32 | Shape::Int64 | Shape::Number => 0.into(),
                Shape::Bool => false.into(),
                Shape::Quantity => "0".into(),
                Shape::Any => Value::Null,
                _ => "".into(),
            };
        }
        self.value(shape, value, path, owner)
    }
}

fn has_shape(shape: &Shape, value: &Value) -> Result<bool, String> {
    Ok(match shape {
        Shape::Kind(_) | Shape::Map(_) => value.is_object(),
        Shape::List(_) => value.is_array(),
        Shape::Text => value.is_string(),
        Shape::Bytes => return bytes(value),
        Shape::Time | Shape::MicroTime => return time(value),
        Shape::Int32 => value.as_i64().is_some_and(|number| i32::try_from(number).is_ok()),
        Shape::Int64 => value.is_i64(),
        Shape::Bool => value.is_boolean(),
        Shape::Number => value.is_number(),
        Shape::Quantity => value.is_string() || value.is_number(),
        Shape::IntOrText => value.is_string() || value.is_i64(),
        Shape::Any => true,
    })
}

fn bytes(value: &Value) -> Result<bool, String> {
    let Some(text) = value.as_str() else { return Ok(false) };
    STANDARD.decode(text).map(|_| true).map_err(|_| "illegal base64 data at input byte 0".to_owned())
}

fn time(value: &Value) -> Result<bool, String> {
    let Some(text) = value.as_str() else { return Ok(false) };
    if text.parse::<Timestamp>().is_ok() {
        return Ok(true);
    }
    let layout = "2006-01-02T15:04:05Z07:00";
    Err(format!("parsing time {text:?} as {layout:?}: cannot parse {text:?} as \"2006\""))
}

/// The normalized text of times and quantities.
fn normalized(shape: &Shape, value: &Value) -> Result<Option<Value>, String> {
    let instant = || value.as_str().and_then(|text| text.parse::<Timestamp>().ok());
    let text = match shape {
        Shape::Time => instant().map(|time| time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
        Shape::MicroTime => instant().map(|time| time.strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string()),
        Shape::Quantity => {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            Some(quantity::canonical(&text)?)
        }
        _ => None,
    };
    Ok(text.map(Value::String))
}

/// Whether the decoder treats a field as absent.
fn is_absent(shape: &Shape, value: &Value) -> bool {
    match (shape, value) {
        (_, Value::Null) => true,
        // An empty managedFields resets the managers: it differs from an absent one.
        (Shape::List(item), Value::Array(items)) => {
            items.is_empty() && **item != Shape::Kind("ManagedFieldsEntry")
        }
        (Shape::Map(_), Value::Object(fields)) => fields.is_empty(),
        _ => false,
    }
}

fn json_type(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => "bool".to_owned(),
        Value::Number(number) if number.is_f64() => format!("number {number}"),
        Value::Number(_) => "number".to_owned(),
        Value::String(_) => "string".to_owned(),
        Value::Array(_) => "array".to_owned(),
        Value::Object(_) => "object".to_owned(),
    }
}

fn go_type(shape: &Shape) -> String {
    match shape {
        Shape::Kind(name) => format!("v1.{}", kind::type_name(name)),
        Shape::List(item) => format!("[]{}", go_type(item)),
        Shape::Map(item) => format!("map[string]{}", go_type(item)),
        Shape::Bytes => "[]uint8".to_owned(),
        Shape::Int32 => "int32".to_owned(),
        Shape::Int64 => "int64".to_owned(),
        Shape::Bool => "bool".to_owned(),
        Shape::Number => "float64".to_owned(),
        Shape::Quantity => "resource.Quantity".to_owned(),
        Shape::IntOrText => "intstr.IntOrString".to_owned(),
        Shape::Text | Shape::Time | Shape::MicroTime | Shape::Any => "string".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn decode(kind: &str, mut value: Value) -> (Result<Value, String>, Vec<String>) {
        let mut unknown = Vec::new();
        let result = object(kind::of(kind).unwrap(), &mut value, &mut unknown);
        (result.map(|()| value), unknown)
    }

    #[test]
    fn unknown_fields_are_dropped_at_every_depth() {
        let (object, unknown) = decode(
            "Deployment",
            json!({
                "kind": "Deployment", "Spec": {}, "metadata": {"name": "a", "x": 1},
                "spec": {"template": {"spec": {"containers": [{"name": "c"}, {"name": "d", "y": 1}]}}},
            }),
        );
        assert_eq!(unknown, ["Spec", "metadata.x", "spec.template.spec.containers[1].y"]);
        let containers = json!([{"name": "c"}, {"name": "d"}]);
        assert_eq!(
            object.unwrap(),
            json!({
                "kind": "Deployment", "metadata": {"name": "a"},
                "spec": {"template": {"spec": {"containers": containers}}},
            })
        );
    }

    #[test]
    fn a_type_error_names_the_field() {
        let error = |kind, value| decode(kind, value).0.unwrap_err();
        assert_eq!(
            error("ConfigMap", json!({"data": {"k": 5}})),
            "json: cannot unmarshal number into Go struct field ConfigMap.data of type string"
        );
        assert_eq!(
            error("Deployment", json!({"spec": {"replicas": 1.5}})),
            "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32"
        );
        assert_eq!(
            error("ConfigMap", json!({"metadata": {"finalizers": "x"}})),
            "json: cannot unmarshal string into Go struct field ObjectMeta.metadata.finalizers of type []string"
        );
        for value in [json!({"metadata": 5}), json!({"metadata": {"creationTimestamp": "x"}})] {
            assert!(!error("ConfigMap", value).is_empty());
        }
        assert!(error("Secret", json!({"data": {"k": "!"}})).contains("base64"));
    }

    #[test]
    fn null_and_empty_fields_are_dropped() {
        let sent =
            json!({"data": {}, "immutable": null, "binaryData": {"k": "AA=="}, "metadata": {"labels": null}});
        let kept = json!({"binaryData": {"k": "AA=="}, "metadata": {}});
        assert_eq!(decode("ConfigMap", sent).0, Ok(kept));
    }
}
