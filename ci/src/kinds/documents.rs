//! The schemas of the selected kinds and of their parts.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::task_error::TaskError;

/// The selected kinds.
#[derive(Debug, Default)]
pub(super) struct Selection {
    /// The kinds of objects, by document.
    pub(super) kinds: BTreeMap<String, Vec<String>>,
    /// The kinds without fields in the table.
    pub(super) opaque: BTreeSet<String>,
}

impl Selection {
    /// Parses the selection file.
    pub(super) fn parse(text: &str) -> Result<Self, TaskError> {
        let table: toml::Table = text.parse().map_err(TaskError::failed_to("read the selection"))?;
        let section =
            |name: &str| table.get(name).and_then(toml::Value::as_table).cloned().unwrap_or_default();
        let names = |list: &toml::Value| {
            let names = list.as_array().into_iter().flatten();
            names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
        };
        let kinds = section("kinds").iter().map(|(document, list)| (document.clone(), names(list))).collect();
        Ok(Self { kinds, opaque: section("opaque").keys().cloned().collect() })
    }
}

/// Schemas by their full names, such as `io.k8s.api.core.v1.Pod`.
#[derive(Debug)]
pub(super) struct Schemas {
    all: BTreeMap<String, Value>,
    selected: BTreeSet<String>,
    opaque: BTreeSet<String>,
}

impl Schemas {
    /// No schemas yet. Opaque kinds never get one.
    pub(super) fn without(opaque: BTreeSet<String>) -> Self {
        Self { all: BTreeMap::new(), selected: BTreeSet::new(), opaque }
    }

    /// Adds kinds of a document, with their parts.
    pub(super) fn add(&mut self, document: &str, kinds: &[String]) -> Result<(), TaskError> {
        let document: Value =
            serde_json::from_str(document).map_err(TaskError::failed_to("read an OpenAPI document"))?;
        let schemas = &document["components"]["schemas"];
        for kind in kinds {
            let names = schemas.as_object().into_iter().flat_map(|all| all.keys());
            let named: Vec<&String> = names.filter(|name| short(name) == kind).collect();
            let [name] = named.as_slice() else {
                return Err(TaskError::new(format!("the document has {} kinds called {kind}", named.len())));
            };
            self.walk(schemas, name);
            self.selected.insert((*name).clone());
        }
        Ok(())
    }

    /// All schemas, by full name.
    pub(super) fn all(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.all.iter()
    }

    /// Whether a kind is selected, and no mere part of one.
    pub(super) fn is_selected(&self, name: &str) -> bool {
        self.selected.contains(name)
    }

    /// Whether the table omits the fields of a kind.
    pub(super) fn is_opaque(&self, name: &str) -> bool {
        self.opaque.contains(short(name))
    }

    fn walk(&mut self, schemas: &Value, name: &str) {
        if self.all.contains_key(name) || self.is_opaque(name) || scalar(name).is_some() {
            return;
        }
        let schema = &schemas[name];
        self.all.insert(name.to_owned(), schema.clone());
        let mut references = Vec::new();
        collect(schema, &mut references);
        for reference in references {
            self.walk(schemas, reference);
        }
    }
}

/// The last part of a full name.
pub(super) fn short(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The shape of a kind with its own JSON form.
pub(super) fn scalar(name: &str) -> Option<&'static str> {
    Some(match short(name) {
        "IntOrString" => "int-or-string",
        "MicroTime" => "micro-time",
        "Quantity" => "quantity",
        "Time" => "time",
        _ => return None,
    })
}

/// The full name in a schema's reference, if it is one.
pub(super) fn reference(schema: &Value) -> Option<&str> {
    let direct = schema["$ref"].as_str();
    direct.or_else(|| schema["allOf"][0]["$ref"].as_str())?.rsplit('/').next()
}

fn collect<'a>(schema: &'a Value, references: &mut Vec<&'a str>) {
    references.extend(schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()));
    match schema {
        Value::Object(fields) => fields.values().for_each(|value| collect(value, references)),
        Value::Array(items) => items.iter().for_each(|value| collect(value, references)),
        _ => {}
    }
}
