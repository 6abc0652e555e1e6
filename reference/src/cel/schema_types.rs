//! The types of a structural schema, the worst-case sizes of their values, and values of JSON.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::checker::Environment;
use super::escaping::escape;
use super::library::conversions::decoded;
use super::library::time::{format_duration, timestamp};
use super::types::Type;
use super::value::{List, ListKind, Object, Value};

/// The largest request, in bytes.
pub(super) const MAX_REQUEST: u64 = 3 * 1024 * 1024;

/// The type of a schema that expressions can read.
#[derive(Debug, Clone)]
pub(crate) struct Declared {
    pub(super) ty: Type,
    /// The most items, entries or bytes.
    pub(super) max_elements: u64,
    /// The bytes of the smallest JSON.
    pub(super) min_size: u64,
    shape: Shape,
    list: ListKind,
}

#[derive(Debug, Clone)]
enum Shape {
    Scalar,
    List(Arc<Declared>),
    Map(Arc<Declared>),
    /// The fields by their escaped names, with their own names.
    Object(Arc<BTreeMap<String, (String, Declared)>>),
}

impl Declared {
    /// The type of a schema, or `None` if expressions cannot read it.
    pub(crate) fn of(schema: &Json, name: &str, is_root: bool) -> Option<Self> {
        if schema["x-kubernetes-int-or-string"] == true {
            let most = schema["maxLength"].as_u64().map_or(MAX_REQUEST - 2, |most| most.saturating_mul(4));
            return Some(Self::scalar(Type::Dyn, most, 1));
        }
        let length = schema["maxLength"].as_u64();
        Some(match schema["type"].as_str()? {
            "array" => {
                let items = &schema["items"];
                let item = Self::of(items, &format!("{name}.@idx"), is_embedded(items))?;
                let most = (MAX_REQUEST - 2) / (item.min_size + 1);
                Self {
                    ty: Type::list(item.ty.clone()),
                    max_elements: schema["maxItems"].as_u64().unwrap_or(most),
                    min_size: 2,
                    shape: Shape::List(Arc::new(item)),
                    list: list_kind(schema),
                }
            }
            "object" if schema["additionalProperties"].is_object() => {
                let values = &schema["additionalProperties"];
                let value = Self::of(values, &format!("{name}.@elem"), is_embedded(values))?;
                let most = (MAX_REQUEST - 2) / (value.min_size + 6);
                Self {
                    ty: Type::map(Type::Text, value.ty.clone()),
                    max_elements: schema["maxProperties"].as_u64().unwrap_or(most),
                    min_size: 2,
                    shape: Shape::Map(Arc::new(value)),
                    list: ListKind::Atomic,
                }
            }
            "object" => Self::object(schema, name, is_root),
            "string" => match schema["format"].as_str().unwrap_or_default() {
                "byte" => Self::scalar(Type::Bytes, length.unwrap_or(MAX_REQUEST - 2), 2),
                "duration" => Self::scalar(Type::Duration, 32, 3),
                "date" => Self::scalar(Type::Timestamp, 12, 12),
                "date-time" => Self::scalar(Type::Timestamp, 32, 21),
                _ => {
                    let longest = schema["enum"].as_array().map(|options| {
                        options.iter().filter_map(Json::as_str).map(str::len).max().unwrap_or_default() as u64
                    });
                    let most =
                        length.map(|most| most.saturating_mul(4)).or(longest).unwrap_or(MAX_REQUEST - 2);
                    Self::scalar(Type::Text, most, 2)
                }
            },
            "boolean" => Self::scalar(Type::Bool, 0, 4),
            "number" => Self::scalar(Type::Double, 0, 1),
            "integer" => Self::scalar(Type::Int, 0, 1),
            _ => return None,
        })
    }

    fn scalar(ty: Type, max_elements: u64, min_size: u64) -> Self {
        Self { ty, max_elements, min_size, shape: Shape::Scalar, list: ListKind::Atomic }
    }

    fn object(schema: &Json, name: &str, is_root: bool) -> Self {
        let mut properties = schema["properties"].as_object().cloned().unwrap_or_default();
        if is_root {
            let text = json!({"type": "string"});
            properties.insert("kind".to_owned(), text.clone());
            properties.insert("apiVersion".to_owned(), text.clone());
            let metadata = json!({"type": "object", "properties": {"name": text, "generateName": text}});
            properties.insert("metadata".to_owned(), metadata);
        }
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        let mut min_size = 2;
        let mut fields = BTreeMap::new();
        for (property, schema) in &properties {
            let escaped = escape(property);
            let path = format!("{name}.{}", escaped.as_deref().unwrap_or(property));
            let Some(field) = Self::of(schema, &path, is_embedded(schema)) else { continue };
            if required.contains(&property.as_str()) && schema.get("default").is_none() {
                min_size += property.len() as u64 + field.min_size + 4;
            }
            if let Some(escaped) = escaped {
                fields.insert(escaped, (property.clone(), field));
            }
        }
        Self {
            ty: Type::object(name),
            max_elements: 0,
            min_size,
            shape: Shape::Object(Arc::new(fields)),
            list: ListKind::Atomic,
        }
    }

    /// The part at a path of escaped names, `@items`, `@keys` and `@values`.
    pub(super) fn at(&self, path: &[String]) -> Option<&Self> {
        let Some((first, rest)) = path.split_first() else { return Some(self) };
        match (&self.shape, first.as_str()) {
            (Shape::List(item), "@items") => item.at(rest),
            (Shape::Map(value), "@values") => value.at(rest),
            // Keys are texts without a length.
            (Shape::Map(_), "@keys") => rest.is_empty().then_some(&KEY),
            (Shape::Object(fields), name) => fields.get(name)?.1.at(rest),
            _ => None,
        }
    }

    /// The type of a property.
    pub(crate) fn field(&self, name: &str) -> Option<&Self> {
        match &self.shape {
            Shape::Object(fields) => Some(&fields.get(&escape(name)?)?.1),
            _ => None,
        }
    }

    /// The type of items or values.
    pub(crate) fn element(&self) -> Option<&Self> {
        match &self.shape {
            Shape::List(element) | Shape::Map(element) => Some(element),
            _ => None,
        }
    }

    /// An environment with variables of this type.
    pub(crate) fn environment(&self, variables: &[(&str, Type)]) -> Environment {
        let mut environment = Environment::default();
        for (name, ty) in variables {
            environment.variables.insert((*name).to_owned(), ty.clone());
        }
        self.collect(&mut environment.objects);
        environment
    }

    pub(crate) fn ty(&self) -> Type {
        self.ty.clone()
    }

    fn collect(&self, objects: &mut HashMap<Arc<str>, BTreeMap<String, Type>>) {
        match &self.shape {
            Shape::Scalar => {}
            Shape::List(element) | Shape::Map(element) => element.collect(objects),
            Shape::Object(fields) => {
                let types =
                    fields.iter().map(|(name, (_, field))| (name.clone(), field.ty.clone())).collect();
                if let Type::Object(name) = &self.ty {
                    objects.insert(name.clone(), types);
                }
                fields.values().for_each(|(_, field)| field.collect(objects));
            }
        }
    }

    /// The value of JSON that fits the schema.
    pub(crate) fn value(&self, json: &Json) -> Value {
        match (&self.shape, json) {
            (_, Json::Null) => Value::Null,
            (Shape::List(item), Json::Array(items)) => Value::List(Arc::new(List {
                items: items.iter().map(|json| item.value(json)).collect(),
                kind: self.list.clone(),
            })),
            (Shape::Map(value), Json::Object(fields)) => {
                Value::map(fields.iter().map(|(name, json)| (name.clone(), value.value(json))))
            }
            (Shape::Object(fields), Json::Object(properties)) => {
                let present = fields.iter().filter_map(|(escaped, (name, field))| {
                    // Null counts as absent.
                    let json = properties.get(name).filter(|json| !json.is_null())?;
                    Some((escaped.clone(), field.value(json)))
                });
                let type_name = match &self.ty {
                    Type::Object(name) => name.clone(),
                    _ => Arc::from("object"),
                };
                Value::Object(Arc::new(Object { type_name, fields: present.collect() }))
            }
            (_, json) => self.scalar_value(json),
        }
    }

    fn scalar_value(&self, json: &Json) -> Value {
        let typed = match (&self.ty, json) {
            (Type::Double, Json::Number(number)) => number.as_f64().map(Value::Double),
            #[allow(
                clippy::cast_possible_truncation,
                reason = "integers of JSON can have a fraction of zero"
            )]
            (Type::Int, Json::Number(number)) => {
                number.as_i64().or_else(|| number.as_f64().map(|number| number as i64)).map(Value::Int)
            }
            (Type::Bytes, Json::String(text)) => decoded(text).map(|bytes| Value::Bytes(bytes.into())),
            (Type::Duration, Json::String(text)) => format_duration(text).map(Value::Duration),
            (Type::Timestamp, Json::String(text)) => {
                let midnight = format!("{text}T00:00:00Z");
                timestamp(text).or_else(|| timestamp(&midnight)).map(Value::Timestamp)
            }
            _ => None,
        };
        typed.unwrap_or_else(|| Value::dynamic(json))
    }
}

/// The type of the keys of maps.
static KEY: Declared =
    Declared { ty: Type::Text, max_elements: 0, min_size: 2, shape: Shape::Scalar, list: ListKind::Atomic };

fn is_embedded(schema: &Json) -> bool {
    schema["x-kubernetes-embedded-resource"] == true
}

fn list_kind(schema: &Json) -> ListKind {
    match schema["x-kubernetes-list-type"].as_str() {
        Some("set") => ListKind::Set,
        Some("map") => {
            let keys = schema["x-kubernetes-list-map-keys"].as_array().into_iter().flatten();
            ListKind::Map(keys.filter_map(Json::as_str).filter_map(escape).collect())
        }
        _ => ListKind::Atomic,
    }
}
