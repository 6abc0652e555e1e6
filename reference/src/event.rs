//! Events: one storage for the core group and events.k8s.io.

use serde_json::Value;

use crate::failure::Cause;

/// The group in which they are shown as well.
pub(crate) const GROUP: &str = "events.k8s.io";

/// The fields that have other names there: in the core group, and in the other.
const FIELDS: [(&str, &str); 6] = [
    ("involvedObject", "regarding"),
    ("message", "note"),
    ("source", "deprecatedSource"),
    ("firstTimestamp", "deprecatedFirstTimestamp"),
    ("lastTimestamp", "deprecatedLastTimestamp"),
    ("count", "deprecatedCount"),
];

/// What a field of an event of the core group is called in the other.
pub(crate) fn name_in_its_group(field: &str) -> &str {
    FIELDS.iter().find(|(before, _)| *before == field).map_or(field, |(_, after)| after)
}

/// An event is where the object is that it is about; those about objects of no namespace are in the default one.
pub(crate) fn wrong_namespace(event: &Value) -> Option<Cause> {
    let namespace = &event["metadata"]["namespace"];
    let about = event["involvedObject"]["namespace"].as_str().unwrap_or_default();
    let fits = *namespace == about || (about.is_empty() && *namespace == "default");
    (!fits)
        .then(|| Cause::invalid("involvedObject.namespace", &about.into(), "does not match event.namespace"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_event_is_where_that_is_what_it_is_about() {
        let event = |own: &str, about: &str| json!({"metadata": {"namespace": own}, "involvedObject": {"namespace": about}});
        for (own, about) in [("a", "a"), ("default", ""), ("default", "default")] {
            assert!(wrong_namespace(&event(own, about)).is_none(), "{own} {about}");
        }
        assert!(wrong_namespace(&event("a", "")).is_some());
        assert_eq!((name_in_its_group("message"), name_in_its_group("reason")), ("note", "reason"));
    }
}
