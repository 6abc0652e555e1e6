//! Events: one storage for the core group and events.k8s.io.

use serde_json::Value;

use crate::failure::Cause;
use crate::resource_type::ResourceType;

/// The group of the second API for events.
pub(crate) const GROUP: &str = "events.k8s.io";

/// The renamed fields: the name in the core group, as stored, and in `events.k8s.io`.
const FIELDS: [(&str, &str); 7] = [
    ("involvedObject", "regarding"),
    ("message", "note"),
    ("source", "deprecatedSource"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("count", "deprecatedCount"),
    ("reportingComponent", "reportingController"),
];

/// The name in `events.k8s.io` of a core event's field.
pub(crate) fn name_in_its_group(field: &str) -> &str {
    FIELDS.iter().find(|(before, _)| *before == field).map_or(field, |(_, after)| after)
}

/// The stored name of a field in `events.k8s.io`. A name of the core group has no meaning there: it becomes the other one,
/// which no stored event has.
fn stored_name(field: &str) -> &str {
    let other = FIELDS.iter().find_map(|(core, own)| match field {
        _ if field == *own => Some(*core),
        _ if field == *core => Some(*own),
        _ => None,
    });
    other.unwrap_or(field)
}

/// Renames the fields of an event in `events.k8s.io`, or of a part of one, to the stored names.
pub(crate) fn rename_fields(event: &mut Value) {
    if let Some(fields) = event.as_object_mut() {
        let renamed = std::mem::take(fields).into_iter();
        *fields = renamed.map(|(name, value)| (stored_name(&name).to_owned(), value)).collect();
    }
}

/// The same for the paths of a JSON patch.
pub(crate) fn rename_paths(operations: &mut Value) {
    let operations = operations.as_array_mut().into_iter().flatten();
    for path in operations.flat_map(|operation| operation.as_object_mut().into_iter().flatten()) {
        let (name, Value::String(pointer)) = path else { continue };
        if name == "path" || name == "from" {
            let mut parts: Vec<&str> = pointer.split('/').collect();
            if let Some(field) = parts.get_mut(1) {
                *field = stored_name(field);
            }
            *pointer = parts.join("/");
        }
    }
}

/// The name in a request of a field that is stored under another name: a path such as `regarding.name`.
pub(crate) fn name_in_request(field: &str) -> String {
    let (first, rest) = field.split_at(field.find(['.', '[']).unwrap_or(field.len()));
    format!("{}{rest}", stored_name(first))
}

/// The errors of a new event. Those of the core group may have the fields of before.
pub(crate) fn creation_errors(ty: &ResourceType, event: &Value) -> Vec<Cause> {
    let in_group = ty.group == GROUP;
    let mut causes = Vec::new();
    if event["eventTime"].is_string() {
        causes.extend(required_errors(in_group, event));
    } else if in_group {
        causes.push(Cause::required("eventTime", ""));
    }
    if in_group {
        causes.extend(own_errors(event));
    }
    causes
}

/// The required fields of an event with `eventTime`.
fn required_errors(in_group: bool, event: &Value) -> Vec<Cause> {
    let name = |field: &str| if in_group { name_in_its_group(field) } else { field }.to_owned();
    let fields = ["reportingComponent", "reportingInstance", "action", "reason"].into_iter();
    let absent = fields.filter(|field| event[*field].as_str().unwrap_or_default().is_empty());
    absent.map(|field| Cause::required(name(field), "")).collect()
}

/// The errors of a new event of the group: the type, fields of the core group, and the series.
fn own_errors(event: &Value) -> Vec<Cause> {
    let nothing = Value::from("");
    let mut causes = Vec::new();
    let event_type = event["type"].as_str().unwrap_or_default();
    if !["Normal", "Warning"].contains(&event_type) {
        causes.push(Cause::invalid("type", &nothing, &format!("has invalid value: {event_type}")));
    }
    for field in ["firstTimestamp", "lastTimestamp", "count", "source"] {
        let value = &event[field];
        if !value.is_null() && *value != 0 && value.as_object().is_none_or(|fields| !fields.is_empty()) {
            causes.push(Cause::invalid(field, &nothing, "needs to be unset"));
        }
    }
    if event["series"].is_object() {
        if event["series"]["count"].as_i64().unwrap_or(0) < 2 {
            causes.push(Cause::invalid("series.count", &nothing, "should be at least 2"));
        }
        if event["series"]["lastObservedTime"].is_null() {
            causes.push(Cause::required("series.lastObservedTime", ""));
        }
    }
    causes
}

/// An event must be in the namespace of its object, or in `default` for a cluster-scoped object.
pub(crate) fn namespace_error(event: &Value) -> Option<Cause> {
    let namespace = &event["metadata"]["namespace"];
    let involved = event["involvedObject"]["namespace"].as_str().unwrap_or_default();
    let fits = *namespace == involved || (involved.is_empty() && *namespace == "default");
    (!fits).then(|| {
        Cause::invalid("involvedObject.namespace", &involved.into(), "does not match event.namespace")
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_new_event_of_the_group_has_all_fields_and_none_of_the_core_group() {
        let errors = |group: &str, event: Value| -> Vec<String> {
            let ty = ResourceType { group: group.to_owned(), ..ResourceType::default() };
            creation_errors(&ty, &event).iter().map(ToString::to_string).collect()
        };
        assert!(errors("", json!({"type": "Info", "count": 3})).is_empty());
        assert_eq!(
            errors(GROUP, json!({"type": "Info", "count": 3, "source": {}, "series": {"count": 1}})),
            [
                "FieldValueRequired eventTime",
                "FieldValueInvalid type",
                "FieldValueInvalid count",
                "FieldValueInvalid series.count",
                "FieldValueRequired series.lastObservedTime",
            ]
        );
        let timed = json!({"eventTime": "x", "type": "Normal", "action": "a", "reportingInstance": "i"});
        let reporter =
            |name: &str| vec![format!("FieldValueRequired {name}"), "FieldValueRequired reason".to_owned()];
        assert_eq!(errors(GROUP, timed.clone()), reporter("reportingController"));
        assert_eq!(errors("", timed), reporter("reportingComponent"));
    }

    #[test]
    fn fields_of_the_group_get_their_stored_names() {
        let mut event = json!({"note": "a", "message": "b", "reason": "c"});
        rename_fields(&mut event);
        assert_eq!(event, json!({"message": "a", "note": "b", "reason": "c"}));
        let mut patch = json!([{"op": "move", "from": "/note", "path": "/regarding/name"}]);
        rename_paths(&mut patch);
        assert_eq!(patch, json!([{"op": "move", "from": "/message", "path": "/involvedObject/name"}]));
    }

    #[test]
    fn an_event_is_in_the_namespace_of_its_object() {
        let event = |own: &str, involved: &str| json!({"metadata": {"namespace": own}, "involvedObject": {"namespace": involved}});
        for (own, involved) in [("a", "a"), ("default", ""), ("default", "default")] {
            assert!(namespace_error(&event(own, involved)).is_none(), "{own} {involved}");
        }
        assert!(namespace_error(&event("a", "")).is_some());
        assert_eq!(name_in_request("regarding.x"), "involvedObject.x");
        assert_eq!((name_in_its_group("message"), name_in_its_group("reason")), ("note", "reason"));
    }
}
