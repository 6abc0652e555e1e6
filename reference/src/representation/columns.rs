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
    /// The number of entries in the maps at these pointers.
    Count(&'static [&'static str]),
    /// The text at a pointer.
    Text(&'static str),
    /// The value at a simple JSON path of the definition.
    Path(String),
}

pub(super) fn of(ty: &ResourceType) -> Vec<Column> {
    let custom = ty.custom.as_ref().map(|custom| custom.columns.as_slice()).unwrap_or_default();
    let name = column("Name", "string", "name", Content::Name);
    if !custom.is_empty() {
        return std::iter::once(name).chain(custom.iter().map(custom_column)).collect();
    }
    let age_kind = if ty.custom.is_some() { "date" } else { "string" };
    let age = column("Age", age_kind, "", Content::Age);
    let text = |name, pointer| column(name, "string", "", Content::Text(pointer));
    match ty.plural.as_str() {
        "configmaps" => {
            let data = column("Data", "string", "", Content::Count(&["/data", "/binaryData"]));
            vec![name, data, age]
        }
        "secrets" => {
            let data = column("Data", "string", "", Content::Count(&["/data"]));
            vec![name, text("Type", "/type"), data, age]
        }
        "namespaces" => vec![name, text("Status", "/status/phase"), age],
        "customresourcedefinitions" => vec![name, column("Created At", "date", "", Content::Age)],
        "events" => {
            vec![text("Type", "/type"), text("Reason", "/reason"), text("Message", "/message"), name, age]
        }
        _ => vec![name, age],
    }
}

fn column(name: &str, kind: &str, format: &str, content: Content) -> Column {
    let description = match content {
        Content::Name => "Name must be unique within its scope.",
        Content::Age => "When the object was created.",
        _ => "",
    };
    Column {
        name: name.to_owned(),
        kind: kind.to_owned(),
        format: format.to_owned(),
        description: description.to_owned(),
        priority: 0,
        content,
    }
}

fn custom_column(column: &Value) -> Column {
    let text = |name: &str| column[name].as_str().unwrap_or_default().to_owned();
    Column {
        name: text("name"),
        kind: text("type"),
        format: text("format"),
        description: text("description"),
        priority: column["priority"].as_i64().unwrap_or(0),
        content: Content::Path(text("jsonPath")),
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
        match &self.content {
            Content::Name => object["metadata"]["name"].as_str().unwrap_or_default().into(),
            Content::Age => age(&object["metadata"]["creationTimestamp"]).into(),
            Content::Count(pointers) => {
                let entries = |pointer: &&str| object.pointer(pointer)?.as_object().map(serde_json::Map::len);
                pointers.iter().filter_map(entries).sum::<usize>().into()
            }
            Content::Text(pointer) => object.pointer(pointer).and_then(Value::as_str).unwrap_or("").into(),
            Content::Path(path) => self.at(path, object),
        }
    }

    fn at(&self, path: &str, object: &Value) -> Value {
        let found = path.split('.').filter(|part| !part.is_empty()).try_fold(object, |value, part| {
            let (name, index) = part.trim_end_matches(']').split_once('[').unwrap_or((part, ""));
            let value = value.get(name)?;
            if index.is_empty() { Some(value) } else { value.get(index.parse::<usize>().ok()?) }
        });
        match found {
            None => Value::Null,
            Some(value) if self.kind == "date" => age(value).into(),
            Some(value) if self.kind == "string" && !value.is_string() => value.to_string().into(),
            Some(value) => value.clone(),
        }
    }
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
