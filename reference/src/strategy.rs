//! What is particular to a type when its objects are written: defaults, what may change, what is valid.

use serde_json::{Value, json};

use crate::body::is_text_map;
use crate::failure::{Cause, Failure};
use crate::metadata;
use crate::resource::ResourceType;
use crate::{definition, schema, validation};

/// Which part of an object an update is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// All but what has a subresource of its own.
    Main,
    /// The status.
    Status,
    /// A namespace's finalizers in its spec.
    Finalize,
}

/// Completes and checks a new object.
pub(crate) fn create(ty: &ResourceType, object: &mut Value) -> Result<(), Failure> {
    check_shape(ty, object)?;
    prune(ty, object);
    match ty.plural.as_str() {
        "namespaces" if ty.group.is_empty() => {
            let name = metadata::text(object, "name").to_owned();
            object["metadata"]["labels"]["kubernetes.io/metadata.name"] = name.into();
            object["spec"]["finalizers"] = json!(["kubernetes"]);
            object["status"] = json!({"phase": "Active"});
            metadata::tidy(object);
        }
        "secrets" if ty.custom.is_none() => complete_secret(object),
        "customresourcedefinitions" if ty.custom.is_none() => definition::complete(object),
        _ => {}
    }
    if ty.custom.is_some() && ty.has_status() {
        remove(object, "status");
    }
    schema::complete(ty, object);
    validate(ty, object)
}

/// Completes and checks an update of a part of an object. What is not of that part stays.
pub(crate) fn update(
    ty: &ResourceType,
    part: Part,
    current: &Value,
    object: &mut Value,
) -> Result<(), Failure> {
    check_shape(ty, object)?;
    prune(ty, object);
    keep_other_parts(ty, part, current, object);
    metadata::keep_system_fields(current, object);
    schema::complete(ty, object);
    count_generation(ty, current, object);
    check_change(ty, current, object)?;
    validate(ty, object)
}

/// What an update is not about stays as it was.
fn keep_other_parts(ty: &ResourceType, part: Part, current: &Value, object: &mut Value) {
    match part {
        Part::Main if ty.has_status() => keep(current, object, "status"),
        Part::Main => {}
        Part::Status => *object = with_part(current, object, "status"),
        Part::Finalize => {
            let finalizers = object["spec"]["finalizers"].take();
            *object = current.clone();
            object["spec"]["finalizers"] = finalizers;
        }
    }
    if part == Part::Main && ty.plural == "namespaces" {
        keep(current, object, "spec");
    }
    if ty.plural == "secrets" && ty.custom.is_none() {
        complete_secret(object);
    }
    if ty.plural == "customresourcedefinitions" && ty.custom.is_none() && part == Part::Main {
        definition::complete(object);
        keep(current, object, "status");
    }
}

/// Drops the fields that a built-in type does not have.
fn prune(ty: &ResourceType, object: &mut Value) {
    let known: &[&str] = match ty.plural.as_str() {
        _ if ty.custom.is_some() => return,
        "configmaps" => &["data", "binaryData", "immutable"],
        "secrets" => &["data", "stringData", "immutable", "type"],
        "namespaces" | "customresourcedefinitions" => &["spec", "status"],
        _ => return,
    };
    if let Some(fields) = object.as_object_mut() {
        let envelope = ["kind", "apiVersion", "metadata"];
        fields.retain(|name, _| envelope.contains(&name.as_str()) || known.contains(&name.as_str()));
    }
}

fn with_part(current: &Value, object: &mut Value, part: &str) -> Value {
    let mut merged = current.clone();
    match object.get_mut(part).map(Value::take) {
        Some(value) if !value.is_null() => merged[part] = value,
        _ => remove(&mut merged, part),
    }
    merged
}

fn keep(current: &Value, object: &mut Value, field: &str) {
    match current.get(field) {
        Some(value) => object[field] = value.clone(),
        None => remove(object, field),
    }
}

fn remove(object: &mut Value, field: &str) {
    if let Some(fields) = object.as_object_mut() {
        fields.shift_remove(field);
    }
}

/// A change of anything but metadata and status is a new generation.
fn count_generation(ty: &ResourceType, current: &Value, object: &mut Value) {
    let wanted = |object: &Value| {
        let fields = object.as_object().into_iter().flatten();
        let not_wanted = |name: &str| name == "metadata" || (name == "status" && ty.has_status());
        fields
            .filter(|(name, _)| !not_wanted(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect::<std::collections::BTreeMap<_, _>>()
    };
    if metadata::counts_generations(ty) && wanted(current) != wanted(object) {
        let generation = current["metadata"]["generation"].as_u64().unwrap_or(0);
        object["metadata"]["generation"] = (generation + 1).into();
        metadata::tidy(object);
    }
}

fn check_change(ty: &ResourceType, current: &Value, object: &Value) -> Result<(), Failure> {
    let mut causes = Vec::new();
    if metadata::is_deleted(current) {
        let had =
            |name: &Value| current["metadata"]["finalizers"].as_array().is_some_and(|had| had.contains(name));
        let new: Vec<_> = object["metadata"]["finalizers"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|name| !had(name))
            .collect();
        if !new.is_empty() {
            let shown = serde_json::to_string(&new).unwrap_or_default();
            let why = "no new finalizers can be added if the object is being deleted, found new finalizers []string";
            let shown = shown.replace('[', "{").replace(']', "}");
            causes.push(Cause::forbidden("metadata.finalizers", &format!("{why}{shown}")));
        }
    }
    if ty.custom.is_none() && matches!(ty.plural.as_str(), "configmaps" | "secrets") {
        causes.extend(immutable_changes(current, object));
    }
    refuse(ty, object, &causes)
}

fn immutable_changes(current: &Value, object: &Value) -> Vec<Cause> {
    let mut causes = Vec::new();
    if current["immutable"] == true {
        let why = "field is immutable when `immutable` is set";
        for field in ["immutable", "data", "binaryData"] {
            if current.get(field) != object.get(field) {
                causes.push(Cause::forbidden(field, why));
            }
        }
    }
    if current.get("type") != object.get("type") {
        causes.push(Cause::immutable("type", &object["type"]));
    }
    causes
}

/// What cannot even be decoded is refused with 400.
fn check_shape(ty: &ResourceType, object: &Value) -> Result<(), Failure> {
    crate::body::check_metadata(ty, object)?;
    let misshapen = |field: &&&str| !(object[**field].is_object() || object[**field].is_null());
    if let Some(field) = ["spec", "status"].iter().find(misshapen).filter(|_| ty.custom.is_none()) {
        let why = format!("json: cannot unmarshal into Go struct field {}.{field}", ty.kind);
        return Err(Failure::bad_request(format!("{} cannot be handled: {why}", ty.kind)));
    }
    let fields: &[&str] = match ty.plural.as_str() {
        _ if ty.custom.is_some() => &[],
        "configmaps" => &["data", "binaryData"],
        "secrets" => &["data", "stringData"],
        _ => &[],
    };
    for field in fields {
        if !is_text_map(&object[*field]) {
            let message = format!(
                "{kind} in version {version:?} cannot be handled as a {kind}: json: cannot unmarshal into Go struct field \
                 {kind}.{field} of type string",
                kind = ty.kind,
                version = ty.version
            );
            return Err(Failure::bad_request(message));
        }
    }
    Ok(())
}

fn validate(ty: &ResourceType, object: &Value) -> Result<(), Failure> {
    let mut causes = validation::metadata(ty, &object["metadata"]);
    if ty.custom.is_none() && matches!(ty.plural.as_str(), "configmaps" | "secrets") {
        causes.extend(config_keys(object));
    }
    if ty.custom.is_none() && ty.plural == "customresourcedefinitions" {
        causes.extend(definition::validate(object));
    }
    causes.extend(schema::validate(ty, object));
    refuse(ty, object, &causes)
}

fn refuse(ty: &ResourceType, object: &Value, causes: &[Cause]) -> Result<(), Failure> {
    match causes {
        [] => Ok(()),
        causes => Err(Failure::invalid(&ty.group, &ty.kind, metadata::text(object, "name"), causes)),
    }
}

fn config_keys(object: &Value) -> Vec<Cause> {
    const WHY: &str = "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  \
         or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
    let fine = |key: &str| {
        let word =
            key.chars().all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character));
        word && !key.is_empty() && key.len() <= 253 && key != "." && key != ".."
    };
    let keys_of = |field: &'static str| {
        object[field].as_object().into_iter().flat_map(|map| map.keys()).map(move |key| (field, key))
    };
    let wrong = |(field, key): (&str, &String)| {
        (!fine(key)).then(|| Cause::invalid(format!("{field}[{key}]"), &key.as_str().into(), WHY))
    };
    keys_of("data").chain(keys_of("binaryData")).filter_map(wrong).collect()
}

fn complete_secret(object: &mut Value) {
    use base64::Engine;
    if let Some(Value::Object(texts)) = object.get_mut("stringData").map(Value::take) {
        for (key, text) in texts {
            let encoded = base64::engine::general_purpose::STANDARD.encode(text.as_str().unwrap_or_default());
            object["data"][key] = encoded.into();
        }
    }
    remove(object, "stringData");
    if object.get("type").is_none() {
        object["type"] = "Opaque".into();
    }
}
