//! Object metadata: server-set fields and field order.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::resource_type::ResourceType;

/// The fields of metadata, in the order of responses.
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

/// The fields that clients cannot set or change.
const SYSTEM: &[&str] = &[
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
];

/// The maximum length of a `generateName` prefix in a name.
const LONGEST_PREFIX: usize = 58;

/// The current time in RFC 3339.
pub(crate) fn now() -> String {
    after(0)
}

/// The time some seconds from now.
fn after(seconds: i64) -> String {
    let time = Timestamp::now().checked_add(SignedDuration::from_secs(seconds)).unwrap_or(Timestamp::MAX);
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A string in an object's metadata; empty if it is absent.
pub(crate) fn text<'a>(object: &'a Value, field: &str) -> &'a str {
    object["metadata"][field].as_str().unwrap_or_default()
}

/// Removes a finalizer.
pub(crate) fn release(object: &mut Value, finalizer: &str) {
    if let Some(finalizers) = object["metadata"]["finalizers"].as_array_mut() {
        finalizers.retain(|name| name != finalizer);
    }
    tidy(object);
}

/// Sorts the fields of metadata, and removes unknown and empty ones.
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

/// Sets the metadata of a new object: name, UID, time and (for some types) generation.
pub(crate) fn stamp_new(ty: &ResourceType, namespace: &str, object: &mut Value) {
    let has_generation = has_generations(ty);
    let metadata = &mut object["metadata"];
    for field in SYSTEM.iter().chain(&["namespace"]) {
        // For types without generations, the generation of the request remains.
        if let Some(fields) = metadata.as_object_mut().filter(|_| has_generation || *field != "generation") {
            fields.shift_remove(*field);
        }
    }
    let prefix = metadata["generateName"].as_str().unwrap_or_default();
    if metadata["name"].as_str().unwrap_or_default().is_empty() && !prefix.is_empty() {
        let truncated: String = prefix.chars().take(LONGEST_PREFIX).collect();
        metadata["name"] = format!("{truncated}{}", suffix()).into();
    }
    if ty.namespaced {
        metadata["namespace"] = namespace.into();
    }
    metadata["uid"] = uid().into();
    metadata["creationTimestamp"] = now().into();
    if has_generation {
        metadata["generation"] = 1.into();
    }
    tidy(object);
}

/// Copies the system fields and the namespace of the current object to its update.
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

/// Sets the deletion timestamp, now or after a grace period in seconds. A second deletion can only shorten the period.
/// Namespaces have no period.
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

/// Whether a change of the spec increases the generation of a type.
pub(crate) fn has_generations(ty: &ResourceType) -> bool {
    let counted = [
        "cronjobs",
        "customresourcedefinitions",
        "daemonsets",
        "deployments",
        "endpointslices",
        "flowschemas",
        "ingressclasses",
        "ingresses",
        "jobs",
        "mutatingwebhookconfigurations",
        "networkpolicies",
        "poddisruptionbudgets",
        "pods",
        "prioritylevelconfigurations",
        "replicasets",
        "replicationcontrollers",
        "statefulsets",
        "validatingadmissionpolicies",
        "validatingadmissionpolicybindings",
        "validatingwebhookconfigurations",
    ];
    ty.custom.is_some() || counted.contains(&ty.plural.as_str())
}

/// Whether a grace period or finalizers keep an object.
pub(crate) fn remains_after_deletion(object: &Value) -> bool {
    let has_grace_period =
        object["metadata"]["deletionGracePeriodSeconds"].as_i64().is_some_and(|seconds| seconds > 0);
    has_grace_period || has_finalizers(object)
}

/// Whether an object has finalizers.
pub(crate) fn has_finalizers(object: &Value) -> bool {
    let not_empty = |list: &Value| list.as_array().is_some_and(|list| !list.is_empty());
    let is_namespace = object["kind"] == "Namespace" && object["apiVersion"] == "v1";
    not_empty(&object["metadata"]["finalizers"]) || (is_namespace && not_empty(&object["spec"]["finalizers"]))
}

/// Whether an object is being deleted.
pub(crate) fn is_deleted(object: &Value) -> bool {
    object["metadata"].get("deletionTimestamp").is_some()
}

/// Checks the preconditions of an update: resource version and UID. Empty ones hold.
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
        let detail =
            "the object has been modified; please apply your changes to the latest version and try again";
        return Err(Failure::conflict(ty, name, detail));
    }
    Ok(())
}

/// The failure of an update with the UID of another object.
pub(crate) fn other_uid(ty: &ResourceType, namespace: &str, name: &str, uid: &str, found: &str) -> Failure {
    let key = format!("/registry/{}/{}", ty.plural, ty.key(namespace, name));
    let detail = format!(
        "StorageError: invalid object, Code: 4, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition \
         failed: UID in precondition: {uid}, UID in object meta: {found}"
    );
    Failure::conflict(ty, name, &detail)
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
