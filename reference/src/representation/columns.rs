//! Table columns of each type, and the cell values.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::resource_type::ResourceType;

pub(super) struct Column {
    name: String,
    kind: String,
    format: String,
    description: String,
    priority: i64,
    content: Content,
}

/// The source of a cell.
enum Content {
    Name,
    Age,
    /// The time of creation as it is.
    Created,
    /// A value of the object.
    Of(fn(&Value) -> Value),
    /// The value at a simple JSON path of the definition.
    Path(String),
}

const NAME: &str = "Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";
const CREATED: &str = "CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

pub(super) fn of(ty: &ResourceType) -> Vec<Column> {
    let custom = ty.custom.as_ref().map(|custom| custom.columns.as_slice()).unwrap_or_default();
    let name = Column { format: "name".to_owned(), ..column("Name", NAME, Content::Name) };
    let age = column("Age", CREATED, Content::Age);
    let date = |name, content| Column { kind: "date".to_owned(), ..column(name, CREATED, content) };
    if !custom.is_empty() {
        return std::iter::once(name).chain(custom.iter().map(custom_column)).collect();
    }
    if ty.custom.is_some() {
        return vec![name, date("Age", Content::Age)];
    }
    match ty.plural.as_str() {
        "clusterroles" | "customresourcedefinitions" | "limitranges" | "roles" => {
            vec![name, date("Created At", Content::Created)]
        }
        "configmaps" => vec![name, cell("Data", |map| entries(map, &["/data", "/binaryData"])), age],
        "secrets" => {
            let data = cell("Data", |secret| entries(secret, &["/data"]));
            vec![name, cell("Type", |secret| text(secret, "/type")), data, age]
        }
        "namespaces" => vec![name, cell("Status", |namespace| text(namespace, "/status/phase")), age],
        "deployments" => deployment(name, age),
        "events" => {
            let kind = cell("Type", |event| text(event, "/type"));
            let reason = cell("Reason", |event| text(event, "/reason"));
            let message = cell("Message", |event| text(event, "/message"));
            vec![kind, reason, message, Column { priority: 1, ..name }]
        }
        _ => vec![name, age],
    }
}

fn deployment(name: Column, age: Column) -> Vec<Column> {
    let wide = |name, of| Column { priority: 1, ..cell(name, of) };
    vec![
        name,
        cell("Ready", |deployment| {
            format!("{}/{}", count(deployment, "/status/readyReplicas"), count(deployment, "/spec/replicas"))
                .into()
        }),
        cell("Up-to-date", |deployment| count(deployment, "/status/updatedReplicas").into()),
        cell("Available", |deployment| count(deployment, "/status/availableReplicas").into()),
        age,
        wide("Containers", |deployment| of_containers(deployment, "name")),
        wide("Images", |deployment| of_containers(deployment, "image")),
        wide("Selector", selector),
    ]
}

fn column(name: &str, description: &str, content: Content) -> Column {
    Column {
        name: name.to_owned(),
        kind: "string".to_owned(),
        format: String::new(),
        description: description.to_owned(),
        priority: 0,
        content,
    }
}

fn cell(name: &str, of: fn(&Value) -> Value) -> Column {
    column(name, "", Content::Of(of))
}

fn custom_column(column: &Value) -> Column {
    let text = |name: &str| column[name].as_str().unwrap_or_default().to_owned();
    let path = text("jsonPath");
    let described = column["description"].as_str().map(str::to_owned);
    Column {
        name: text("name"),
        kind: text("type"),
        format: text("format"),
        description: described
            .unwrap_or_else(|| format!("Custom resource definition column (in JSONPath format): {path}")),
        priority: column["priority"].as_i64().unwrap_or(0),
        content: Content::Path(path),
    }
}

impl Column {
    pub(super) fn definition(&self) -> Value {
        json!({
            "name": self.name,
            "type": self.kind,
            "format": self.format,
            "description": self.description,
            "priority": self.priority,
        })
    }

    pub(super) fn cell(&self, object: &Value) -> Value {
        let created = &object["metadata"]["creationTimestamp"];
        match &self.content {
            Content::Name => object["metadata"]["name"].as_str().unwrap_or_default().into(),
            Content::Age => age(created).into(),
            Content::Created => created.clone(),
            Content::Of(of) => of(object),
            Content::Path(path) => self.at(path, object),
        }
    }

    fn at(&self, path: &str, object: &Value) -> Value {
        let found = path.split('.').filter(|part| !part.is_empty()).try_fold(object, |value, part| {
            let (name, index) = part.trim_end_matches(']').split_once('[').unwrap_or((part, ""));
            let value = value.get(name)?;
            if index.is_empty() { Some(value) } else { value.get(index.parse::<usize>().ok()?) }
        });
        let Some(value) = found else { return Value::Null };
        match self.kind.as_str() {
            "date" => age(value).into(),
            "string" if !value.is_string() => value.to_string().into(),
            "integer" | "number" if !value.is_number() => Value::Null,
            "boolean" if !value.is_boolean() => Value::Null,
            _ => value.clone(),
        }
    }
}

/// The number of entries in the maps at these pointers.
fn entries(object: &Value, pointers: &[&str]) -> Value {
    let count = |pointer: &&str| object.pointer(pointer)?.as_object().map(serde_json::Map::len);
    pointers.iter().filter_map(count).sum::<usize>().into()
}

fn text(object: &Value, pointer: &str) -> Value {
    object.pointer(pointer).and_then(Value::as_str).unwrap_or_default().into()
}

fn count(object: &Value, pointer: &str) -> i64 {
    object.pointer(pointer).and_then(Value::as_i64).unwrap_or_default()
}

fn of_containers(deployment: &Value, field: &str) -> Value {
    let containers = deployment.pointer("/spec/template/spec/containers").and_then(Value::as_array);
    let texts: Vec<_> =
        containers.into_iter().flatten().filter_map(|container| container[field].as_str()).collect();
    texts.join(",").into()
}

fn selector(deployment: &Value) -> Value {
    let labels = deployment.pointer("/spec/selector/matchLabels").and_then(Value::as_object);
    let label = |(name, value): (&String, &Value)| format!("{name}={}", value.as_str().unwrap_or_default());
    labels.into_iter().flatten().map(label).collect::<Vec<_>>().join(",").into()
}

/// The age of a timestamp in the format of kubectl.
fn age(timestamp: &Value) -> String {
    let created = timestamp.as_str().and_then(|text| text.parse::<Timestamp>().ok());
    let Some(created) = created else { return "<unknown>".to_owned() };
    let seconds = (Timestamp::now().as_second() - created.as_second()).max(0);
    match seconds {
        0..120 => format!("{seconds}s"),
        120..600 => format!("{}m{}s", seconds / 60, seconds % 60),
        600..7200 => format!("{}m", seconds / 60),
        7200..172_800 => format!("{}h", seconds / 3600),
        _ => format!("{}d", seconds / 86_400),
    }
}
