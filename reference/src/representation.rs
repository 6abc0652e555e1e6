//! Representations: full objects, `PartialObjectMetadata` and Tables.

mod columns;
mod list;
mod table;

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::content_negotiation::{Choice, Representation};
use crate::failure::Failure;
use crate::query::Query;
use crate::resource_type::ResourceType;
use crate::route::Verb;
use crate::schema;
use list::List;

/// The representation of the objects of one response.
#[derive(Debug, Clone)]
pub(crate) struct View {
    representation: Representation,
    include: Include,
    drops_managers: bool,
}

/// The part of an object in table rows (`includeObject`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Include {
    Nothing,
    Metadata,
    Object,
}

impl View {
    /// The view that a request selects.
    pub(crate) fn of(choice: Choice, query: &Query) -> Result<Self, Failure> {
        let Choice { representation, drops_managers, .. } = choice;
        let include = match query.first("includeObject") {
            "" | "Metadata" => Include::Metadata,
            "None" => Include::Nothing,
            "Object" => Include::Object,
            other if matches!(representation, Representation::Table(_)) => {
                let message = format!(
                    "Unable to convert to Table as requested: includeObject: Invalid value: {other:?}: must be 'Metadata', 'Object', 'None', or empty"
                );
                return Err(Failure::bad_request(message));
            }
            _ => Include::Metadata,
        };
        Ok(Self { representation, include, drops_managers })
    }

    /// Fails if the representation is that of a list and the response an object, or the other way round.
    pub(crate) fn check(&self, verb: Verb) -> Result<(), Failure> {
        let lists = matches!(verb, Verb::List | Verb::DeleteCollection);
        let (requested, is) = match self.representation {
            Representation::Metadata(_) if lists => ("PartialObjectMetadata", "is a list"),
            Representation::MetadataList(_) if !lists && verb != Verb::Watch => {
                ("PartialObjectMetadataList", "is not a list")
            }
            _ => return Ok(()),
        };
        let message = format!("you requested {requested}, but the requested object {is}");
        Err(Failure::unavailable_representation(message))
    }

    /// Whether objects are shown as they are, and whole.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.representation, Representation::Object) && !self.drops_managers
    }

    /// One object.
    pub(crate) fn object(&self, ty: &ResourceType, object: &Value) -> Value {
        let object = in_version(ty, object);
        let object = object.as_ref();
        match self.representation {
            Representation::Object if self.drops_managers => without_managers(whole(ty, object)),
            Representation::Object => whole(ty, object),
            Representation::Metadata(version) | Representation::MetadataList(version) => {
                partial(object, version)
            }
            Representation::Table(version) => {
                let resource_version = &object["metadata"]["resourceVersion"];
                let metadata = json!({"resourceVersion": resource_version});
                table::table(ty, version, &metadata, &[object], self.include, true)
            }
        }
    }

    /// A list of stored objects.
    pub(crate) fn list<'a>(
        &'a self,
        ty: &'a ResourceType,
        metadata: Map<String, Value>,
        objects: &'a [impl AsRef<Value>],
    ) -> impl Serialize + 'a {
        List { view: self, ty, metadata, objects }
    }

    /// An item of a list.
    fn item(&self, ty: &ResourceType, object: &Value) -> Value {
        let object = in_version(ty, object);
        let item = match (self.representation, &ty.custom) {
            (Representation::Metadata(version) | Representation::MetadataList(version), _) => {
                return partial(&object, version);
            }
            // Only items of custom types have kind and apiVersion.
            (_, Some(_)) => whole(ty, &object),
            (_, None) => Value::Object(fields(ty, &object).collect()),
        };
        if self.drops_managers { without_managers(item) } else { item }
    }

    /// The object of a watch event. Only the first table of a watch has column definitions.
    pub(crate) fn event(&self, ty: &ResourceType, object: &Value, first: bool) -> Value {
        match self.representation {
            Representation::Table(version) => {
                let object = in_version(ty, object);
                let object = object.as_ref();
                let metadata = json!({"resourceVersion": object["metadata"]["resourceVersion"]});
                table::table(ty, version, &metadata, &[object], self.include, first)
            }
            _ => self.object(ty, object),
        }
    }
}

/// A stored object of a built-in type in the version of the request. Only objects have a UID.
fn in_version<'a>(ty: &ResourceType, object: &'a Value) -> Cow<'a, Value> {
    let differs = ty.is_older_autoscaler() && object["metadata"]["uid"].is_string();
    if differs { Cow::Owned(ty.in_version(object)) } else { Cow::Borrowed(object) }
}

/// A stored object in the version of its type: kind and apiVersion first.
pub(crate) fn whole(ty: &ResourceType, object: &Value) -> Value {
    let mut object_fields = Map::new();
    let kind = ("kind".to_owned(), Value::from(ty.kind.as_str()));
    let version = ("apiVersion".to_owned(), Value::from(ty.api_version()));
    object_fields.extend(if ty.custom.is_some() { [version, kind] } else { [kind, version] });
    object_fields.extend(fields(ty, object));
    let mut object_fields = Value::Object(object_fields);
    // Objects stored before a default existed have it as well, as far as an object has space. Bookmarks are no objects.
    if let Some(custom) = ty.custom.as_ref().filter(|_| object["metadata"]["uid"].is_string()) {
        let _ = schema::complete(custom, &mut object_fields);
    }
    object_fields
}

fn fields(ty: &ResourceType, object: &Value) -> impl Iterator<Item = (String, Value)> {
    let fields = object.as_object().into_iter().flatten();
    fields
        .filter(|(name, _)| *name != "kind" && *name != "apiVersion")
        .map(|(name, value)| (ty.name_of_field(name).to_owned(), value.clone()))
}

fn without_managers(mut object: Value) -> Value {
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.shift_remove("managedFields");
    }
    object
}

fn partial(object: &Value, version: &str) -> Value {
    json!({
        "kind": "PartialObjectMetadata",
        "apiVersion": format!("meta.k8s.io/{version}"),
        "metadata": object["metadata"],
    })
}

/// The metadata without the fields of full lists.
fn without_list_fields(mut metadata: Map<String, Value>) -> Map<String, Value> {
    metadata.retain(|name, value| !(name == "continue" && value == "") && name != "shardInfo");
    metadata
}
