//! Object metadata: server-set fields and field order.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::resource_type::ResourceType;

/// The fields of an object's metadata, in the order in which they are shown.
const FIELDS: &[&str] = &[
    "name",
    "generateName",
    "namespace",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
    "managedFields",
];

/// The fields that no client can set or change.
const SYSTEM: &[&str] = &[
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
];

/// How long names may be before a random suffix is added.
const LONGEST_PREFIX: usize = 58;

/// Now, as timestamps are written.
pub(crate) fn now() -> String {
    after(0)
}

/// Some seconds from now.
fn after(seconds: i64) -> String {
    let then = Timestamp::now().checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX);
    then.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A text in an object's metadata; empty if it is not there.
pub(crate) fn text<'a>(object: &'a Value, field: &str) -> &'a str {
    object["metadata"][field].as_str().unwrap_or_default()
}

/// Removes a finalizer.
pub(crate) fn release(object: &mut Value, finalizer: &str) {
    if let Some(finalizers) = object["metadata"]["finalizers"].as_array_mut() {
        finalizers.retain(|known| known != finalizer);
    }
    tidy(object);
}

/// Drops what is no field of metadata, and what is empty; puts the rest in order.
pub(crate) fn tidy(object: &mut Value) {
    let metadata = &mut object["metadata"];
    let mut tidied = Map::new();
    for field in FIELDS {
        if let Some(value) = metadata.get_mut(*field).map(Value::take).filter(|value| !is_empty(value)) {
            tidied.insert((*field).to_owned(), value);
        }
    }
    *metadata = Value::Object(tidied);
}

/// Makes the metadata of a new object: identity, time and (for custom types) generation.
pub(crate) fn stamp_new(ty: &ResourceType, namespace: &str, object: &mut Value) {
    let counts = counts_generations(ty);
    let metadata = &mut object["metadata"];
    for field in SYSTEM.iter().chain(&["namespace"]) {
        // Where nobody counts generations, one that is said stays.
        if let Some(fields) = metadata.as_object_mut().filter(|_| counts || *field != "generation") {
            fields.shift_remove(*field);
        }
    }
    let prefix = metadata["generateName"].as_str().unwrap_or_default();
    if metadata["name"].as_str().unwrap_or_default().is_empty() && !prefix.is_empty() {
        let kept: String = prefix.chars().take(LONGEST_PREFIX).collect();
        metadata["name"] = format!("{kept}{}", suffix()).into();
    }
    if ty.namespaced {
        metadata["namespace"] = namespace.into();
    }
    metadata["uid"] = uid().into();
    metadata["creationTimestamp"] = now().into();
    if counts {
        metadata["generation"] = 1.into();
    }
    tidy(object);
}

/// Gives an updated object the metadata that only the server changes.
pub(crate) fn keep_system_fields(current: &Value, object: &mut Value) {
    for field in SYSTEM.iter().chain(&["namespace"]) {
        match current["metadata"].get(*field) {
            Some(value) => object["metadata"][*field] = value.clone(),
            None => {
                object["metadata"].as_object_mut().and_then(|fields| fields.remove(*field));
            }
        }
    }
    tidy(object);
}

/// Marks an object as being deleted: now, or once a period is over. A marked one only gets a shorter period. Namespaces
/// have none.
pub(crate) fn mark_deleted(object: &mut Value, period: Option<i64>) {
    let metadata = &mut object["metadata"];
    let new = metadata.get("deletionTimestamp").is_none();
    let before = metadata["deletionGracePeriodSeconds"].as_i64().unwrap_or(0);
    if !new && period.is_none_or(|period| period >= before) {
        return;
    }
    if new && let Some(generation) = metadata["generation"].as_u64() {
        metadata["generation"] = (generation + 1).into();
    }
    metadata["deletionTimestamp"] = after(period.unwrap_or(0)).into();
    if let Some(period) = period {
        metadata["deletionGracePeriodSeconds"] = period.into();
    }
    tidy(object);
}

/// Whether the server counts the changes of what is wanted of an object of a type.
pub(crate) fn counts_generations(ty: &ResourceType) -> bool {
    let counted = [
        "customresourcedefinitions",
        "deployments",
        "jobs",
        "poddisruptionbudgets",
        "pods",
        "replicationcontrollers",
        "validatingadmissionpolicies",
        "validatingadmissionpolicybindings",
        "validatingwebhookconfigurations",
    ];
    ty.custom.is_some() || counted.contains(&ty.plural.as_str())
}

/// Whether something holds an object's deletion back.
pub(crate) fn is_held(object: &Value) -> bool {
    let waits = object["metadata"]["deletionGracePeriodSeconds"].as_i64().is_some_and(|seconds| seconds > 0);
    waits || has_finalizers(object)
}

/// Whether somebody wants to do something before an object goes.
pub(crate) fn has_finalizers(object: &Value) -> bool {
    let listed = |list: &Value| list.as_array().is_some_and(|list| !list.is_empty());
    let is_namespace = object["kind"] == "Namespace" && object["apiVersion"] == "v1";
    listed(&object["metadata"]["finalizers"]) || (is_namespace && listed(&object["spec"]["finalizers"]))
}

/// Whether an object is being deleted.
pub(crate) fn is_deleted(object: &Value) -> bool {
    object["metadata"].get("deletionTimestamp").is_some()
}

/// The version and identity that an update premises must be those of the object.
pub(crate) fn check_premise(
    ty: &ResourceType,
    current: &Value,
    version: &str,
    uid: &str,
) -> Result<(), Failure> {
    let name = text(current, "name");
    let found = text(current, "uid");
    if !uid.is_empty() && uid != found {
        return Err(other_uid(ty, text(current, "namespace"), name, uid, found));
    }
    if !matches!(version, "" | "0") && version != text(current, "resourceVersion") {
        let why =
            "the object has been modified; please apply your changes to the latest version and try again";
        return Err(Failure::conflict(ty, name, why));
    }
    Ok(())
}

/// The refusal of an update that premises an object of the same name.
pub(crate) fn other_uid(ty: &ResourceType, namespace: &str, name: &str, uid: &str, found: &str) -> Failure {
    let key = format!("/registry/{}/{}", ty.plural, ty.key(namespace, name));
    let why = format!(
        "StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition \
         failed: UID in precondition: {uid}, UID in object meta: {found}"
    );
    Failure::conflict(ty, name, &why)
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

fn uid() -> String {
    let bits = fastrand::u128(..) & !(0xf000 << 64) & !(0xc000 << 48) | (0x4000 << 64) | (0x8000 << 48);
    let hex = format!("{bits:032x}");
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

fn suffix() -> String {
    // No vowels and no digits that look like letters: kubectl users read these aloud.
    const ALPHABET: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
    (0..5).map(|_| char::from(ALPHABET[fastrand::usize(..ALPHABET.len())])).collect()
}
