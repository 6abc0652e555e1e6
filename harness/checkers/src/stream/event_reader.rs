//! Reads events from JSON.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::event::{Event, EventObject, WatchEventType};

/// The annotation of the bookmark that closes the initial events.
pub const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

/// The fields that make an object more than a version.
const CONTENT: [&str; 9] = [
    "/metadata/name",
    "/metadata/namespace",
    "/metadata/uid",
    "/metadata/labels",
    "/metadata/finalizers",
    "/data",
    "/spec",
    "/status",
    "/binaryData",
];

/// Reads an event; `None` if the JSON is not an event. Stores the labels in `labels`.
pub fn read<'a>(event: &'a Value, labels: &'a mut Vec<(&'a str, &'a str)>) -> Option<Event<'a>> {
    let object = event.get("object")?;
    let change = match event.get("type")?.as_str()? {
        "ADDED" => WatchEventType::Added,
        "MODIFIED" => WatchEventType::Modified,
        "DELETED" => WatchEventType::Deleted,
        "BOOKMARK" => return Some(bookmark(object)),
        "ERROR" => return Some(Event::Error { status: is_status(object) }),
        unknown => return Some(Event::Unknown(unknown)),
    };
    Some(Event::Change(change, event_object(object, labels)))
}

fn bookmark(object: &Value) -> Event<'_> {
    let table = text(object, "kind") == "Table";
    let metadata = &inner(object)["metadata"];
    let version = [metadata, &object["metadata"]].map(|metadata| text(metadata, "resourceVersion"));
    Event::Bookmark {
        version: if version[0].is_empty() { version[1] } else { version[0] },
        closes_state: metadata["annotations"][INITIAL_EVENTS_END] == "true",
        bare: table || CONTENT.iter().all(|place| object.pointer(place).is_none_or(is_empty)),
    }
}

/// Whether a value is empty in any notation: a bookmark of a Pod has a `spec` with `containers: null`.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.values().all(is_empty),
        // Bookmarks of some types have the zeros of their status, too.
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64() == Some(0.0),
    }
}

fn is_status(object: &Value) -> bool {
    object["kind"] == "Status" && object["apiVersion"] == "v1" && object["code"].is_u64()
}

/// The object, or the only one in a table.
fn inner(object: &Value) -> &Value {
    if text(object, "kind") == "Table" { &object["rows"][0]["object"] } else { object }
}

fn event_object<'a>(object: &'a Value, labels: &'a mut Vec<(&'a str, &'a str)>) -> EventObject<'a> {
    let (kind, api_version) = (text(object, "kind"), text(object, "apiVersion"));
    let metadata = &inner(object)["metadata"];
    labels.clear();
    let found = metadata["labels"].as_object().into_iter().flatten();
    labels.extend(found.map(|(key, value)| (key.as_str(), value.as_str().unwrap_or_default())));
    let whole = !matches!(kind, "Table" | "PartialObjectMetadata");
    let digests = whole.then(|| digests(object));
    EventObject {
        api_version,
        kind,
        namespace: text(metadata, "namespace"),
        name: text(metadata, "name"),
        version: text(metadata, "resourceVersion"),
        labels,
        digest: digests.map(|(content, _)| content),
        lasting: digests.filter(|_| !is_held(object)).map(|(_, lasting)| lasting),
    }
}

fn text<'a>(object: &'a Value, field: &str) -> &'a str {
    object[field].as_str().unwrap_or_default()
}

/// The digest of an object's content without its version, independent of the order of its fields.
pub fn digest(object: &Value) -> u64 {
    digests(object).0
}

/// The metadata that a server may change while it deletes an object.
const OF_DELETION: [&str; 3] = ["generation", "deletionGracePeriodSeconds", "managedFields"];

/// The digest of the content, and that of what a server must not change while it deletes the object.
fn digests(object: &Value) -> (u64, u64) {
    let (mut content, mut lasting) = (0_u64, 0_u64);
    let mut add = |name: &String, value: &Value, lasts: bool| {
        let digest = field((name, value));
        content = content.wrapping_add(digest);
        lasting = lasting.wrapping_add(if lasts { digest } else { 0 });
    };
    for (name, value) in object.as_object().into_iter().flatten() {
        match name.as_str() {
            "kind" | "apiVersion" => {}
            "metadata" => {
                let metadata = value.as_object().into_iter().flatten();
                for (name, value) in metadata.filter(|(name, _)| *name != "resourceVersion") {
                    add(name, value, !OF_DELETION.contains(&name.as_str()));
                }
            }
            _ => add(name, value, name != "status"),
        }
    }
    (content, lasting)
}

/// Whether the object is removed by the write that releases it: a server may show it as it was before or after that.
fn is_held(object: &Value) -> bool {
    let metadata = &object["metadata"];
    !is_empty(&metadata["deletionTimestamp"]) || !is_empty(&metadata["finalizers"])
}

/// The digest of a field, independent of the order of fields in it.
pub(super) fn field((name, value): (&String, &Value)) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    mix(value, &mut hasher);
    hasher.finish()
}

fn mix(value: &Value, hasher: &mut DefaultHasher) {
    match value {
        Value::Null => 0_u8.hash(hasher),
        Value::Bool(value) => value.hash(hasher),
        Value::Number(number) => number.hash(hasher),
        Value::String(text) => text.hash(hasher),
        Value::Array(items) => {
            items.len().hash(hasher);
            for item in items {
                mix(item, hasher);
            }
        }
        Value::Object(fields) => {
            (b'{', fields.iter().map(field).fold(0, u64::wrapping_add)).hash(hasher);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_digest_depends_on_the_content_alone() {
        let object = json!({"kind": "A", "metadata": {"name": "a", "resourceVersion": "1"}, "data": {"x": "1", "y": "2"}});
        let same = json!({"data": {"y": "2", "x": "1"}, "metadata": {"resourceVersion": "2", "name": "a"}});
        assert_eq!(digest(&object), digest(&same));
        for (place, value) in [("/data/x", json!("2")), ("/metadata/name", json!("b")), ("/data", json!({}))]
        {
            let mut other = object.clone();
            *other.pointer_mut(place).unwrap() = value;
            assert_ne!(digest(&object), digest(&other), "{place}");
        }
        assert_ne!(digest(&json!({"a": [1, 2]})), digest(&json!({"a": [2, 1]})));
    }

    #[test]
    fn a_deletion_may_change_some_fields() {
        let object = json!({"metadata": {"name": "a", "uid": "u", "resourceVersion": "1", "generation": 1, "labels": {"b": "c"}}, "spec": {"x": 1}, "status": {"y": 1}});
        let lasting = |place: &str, value: Value| {
            let mut other = object.clone();
            *other.pointer_mut(place).unwrap() = value;
            event_object(&other, &mut Vec::new()).lasting
        };
        let before = lasting("/metadata/resourceVersion", json!("1"));
        for place in ["/metadata/resourceVersion", "/metadata/generation", "/status"] {
            assert_eq!(lasting(place, json!("2")), before, "{place}");
        }
        for place in ["/metadata/uid", "/metadata/labels/b", "/spec"] {
            assert_ne!(lasting(place, json!("2")), before, "{place}");
        }
        for field in ["finalizers", "deletionTimestamp"] {
            assert_eq!(lasting("/metadata", json!({"name": "a", field: ["x"]})), None);
            assert!(lasting("/metadata", json!({"name": "a", field: null})).is_some());
        }
    }

    #[test]
    fn a_bookmark_without_content_is_bare() {
        let bare = |object: Value| {
            let event = json!({"type": "BOOKMARK", "object": object});
            let mut labels = Vec::new();
            matches!(read(&event, &mut labels), Some(Event::Bookmark { bare: true, version: "7", .. }))
        };
        let metadata = json!({"resourceVersion": "7", "creationTimestamp": null});
        assert!(bare(
            json!({"kind": "Pod", "metadata": metadata, "spec": {"containers": null}, "status": {}})
        ));
        assert!(bare(json!({"kind": "A", "metadata": metadata, "status": {"healthy": 0, "ready": false}})));
        assert!(bare(json!({"kind": "A", "metadata": metadata, "xOfTomorrow": {"a": 1}})));
        assert!(!bare(json!({"kind": "A", "metadata": metadata, "data": {"value": "1"}})));
        assert!(!bare(json!({"kind": "A", "metadata": {"resourceVersion": "7", "name": "a"}})));
    }

    #[test]
    fn a_row_of_a_table_has_its_object() {
        let object = json!({"metadata": {"name": "a", "namespace": "n", "resourceVersion": "7", "labels": {"b": "c"}}});
        let event =
            json!({"type": "ADDED", "object": {"kind": "Table", "rows": [{"cells": [], "object": object}]}});
        let mut labels = Vec::new();
        let Some(Event::Change(WatchEventType::Added, event_object)) = read(&event, &mut labels) else {
            panic!("no event")
        };
        assert_eq!(
            (event_object.namespace, event_object.name, event_object.version, event_object.digest),
            ("n", "a", "7", None)
        );
        assert_eq!(event_object.labels, [("b", "c")]);
    }
}
