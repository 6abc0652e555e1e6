//! Events: one storage for the core group and events.k8s.io.

use serde_json::Value;

use crate::failure::Cause;

/// The group of the second API for events.
pub(crate) const GROUP: &str = "events.k8s.io";

/// The renamed fields: the name in the core group, and in `events.k8s.io`.
const FIELDS: [(&str, &str); 6] = [
    ("involvedObject", "regarding"),
    ("message", "note"),
    ("source", "deprecatedSource"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("count", "deprecatedCount"),
];

/// The name in `events.k8s.io` of a core event's field.
pub(crate) fn name_in_its_group(field: &str) -> &str {
    FIELDS.iter().find(|(before, _)| *before == field).map_or(field, |(_, after)| after)
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
    fn an_event_is_in_the_namespace_of_its_object() {
        let event = |own: &str, involved: &str| json!({"metadata": {"namespace": own}, "involvedObject": {"namespace": involved}});
        for (own, involved) in [("a", "a"), ("default", ""), ("default", "default")] {
            assert!(namespace_error(&event(own, involved)).is_none(), "{own} {involved}");
        }
        assert!(namespace_error(&event("a", "")).is_some());
        assert_eq!((name_in_its_group("message"), name_in_its_group("reason")), ("note", "reason"));
    }
}
