//! managedFields entries: decoding and encoding.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::apply::{FieldSet, Owned, Owners};

const FORMAT: &str = "FieldsV1";

/// How a manager came to its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operation {
    /// It applied them.
    Apply,
    /// It wrote them in any other way.
    Update,
}

/// What tells a manager from others. The same name under another operation or subresource is another manager.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Manager {
    /// Its name.
    pub(crate) name: String,
    /// How it writes.
    pub(crate) operation: Operation,
    /// The version that it updates; empty for one that applies, which is the same in all versions.
    pub(crate) version: String,
    /// The subresource that it writes through; empty for the object itself.
    pub(crate) subresource: String,
}

impl Manager {
    /// One that applies.
    pub(crate) fn applier(name: &str, subresource: &str) -> Self {
        let (name, subresource) = (name.to_owned(), subresource.to_owned());
        Self { name, operation: Operation::Apply, version: String::new(), subresource }
    }

    /// One that updates a version.
    pub(crate) fn updater(name: &str, version: &str, subresource: &str) -> Self {
        let (name, subresource) = (name.to_owned(), subresource.to_owned());
        Self { name, operation: Operation::Update, version: version.to_owned(), subresource }
    }
}

/// The managers of an object.
#[derive(Debug, Clone, Default)]
pub(crate) struct Managed {
    /// What each manages.
    pub(crate) owners: Owners<Manager>,
    /// When each has last changed what it manages.
    pub(crate) times: BTreeMap<Manager, String>,
}

impl Managed {
    /// Reads the entries; none if they are not well formed.
    pub(crate) fn decode(entries: &Value) -> Option<Self> {
        let mut managed = Self::default();
        for entry in entries.as_array().into_iter().flatten() {
            let text = |field: &str| entry[field].as_str().unwrap_or_default();
            let (name, version, subresource) = (text("manager"), text("apiVersion"), text("subresource"));
            let manager = match text("operation") {
                "Apply" => Manager::applier(name, subresource),
                "Update" => Manager::updater(name, version, subresource),
                _ => return None,
            };
            if version.is_empty() || text("fieldsType") != FORMAT {
                return None;
            }
            let fields = match &entry["fieldsV1"] {
                Value::Null => FieldSet::default(),
                fields => FieldSet::from_fields_v1(fields)?,
            };
            match text("time").parse::<Timestamp>() {
                Ok(time) => managed.times.insert(manager.clone(), written(time)),
                Err(_) => managed.times.remove(&manager),
            };
            managed.owners.insert(manager, Owned { version: version.to_owned(), fields });
        }
        Some(managed)
    }

    /// Writes the entries in their order; null if there are none.
    pub(crate) fn encode(&self) -> Value {
        let mut owners: Vec<_> = self.owners.iter().collect();
        owners.sort_by_key(|(manager, owned)| {
            let time = self.times.get(*manager).map(String::as_str).unwrap_or_default();
            (manager.operation, time, &manager.name, &owned.version, &manager.subresource)
        });
        let entries: Vec<_> = owners.into_iter().map(|(manager, owned)| self.entry(manager, owned)).collect();
        if entries.is_empty() { Value::Null } else { Value::Array(entries) }
    }

    fn entry(&self, manager: &Manager, owned: &Owned) -> Value {
        let mut entry = Map::new();
        let mut say = |field: &str, value: &str| {
            if !value.is_empty() {
                entry.insert(field.to_owned(), value.into());
            }
        };
        say("manager", &manager.name);
        say("operation", if manager.operation == Operation::Apply { "Apply" } else { "Update" });
        say("apiVersion", &owned.version);
        say("time", self.times.get(manager).map(String::as_str).unwrap_or_default());
        say("fieldsType", FORMAT);
        entry.insert("fieldsV1".to_owned(), owned.fields.to_fields_v1());
        if !manager.subresource.is_empty() {
            entry.insert("subresource".to_owned(), manager.subresource.as_str().into());
        }
        Value::Object(entry)
    }
}

/// Whether entries ask for all of them to be dropped: none at all, or one that says nothing.
pub(super) fn is_reset(entries: &Value) -> bool {
    entries.as_array().is_some_and(|entries| match entries.as_slice() {
        [] => true,
        [only] => *only == json!({}),
        _ => false,
    })
}

/// A time as it stands in an entry.
fn written(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, operation: &str, time: &str) -> Value {
        json!({
            "manager": name, "operation": operation, "apiVersion": "v1", "time": time, "fieldsType": "FieldsV1",
            "fieldsV1": {"f:data": {"f:a": {}}},
        })
    }

    #[test]
    fn entries_are_sorted_by_operation_time_and_name() {
        let (early, late) = ("2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z");
        let sorted = json!([
            entry("z", "Apply", early),
            entry("a", "Apply", late),
            entry("b", "Apply", late),
            entry("a", "Update", early),
        ]);
        let mut mixed = sorted.clone();
        mixed.as_array_mut().unwrap().reverse();
        assert_eq!(Managed::decode(&mixed).unwrap().encode(), sorted);
        assert_eq!(Managed::default().encode(), Value::Null);
    }

    #[test]
    fn malformed_entries_are_not_read() {
        for (field, value) in
            [("operation", "Bogus"), ("apiVersion", ""), ("fieldsType", "FieldsV2"), ("fieldsV1", "x")]
        {
            let mut wrong = entry("m", "Apply", "2026-01-01T00:00:00Z");
            wrong[field] = value.into();
            assert!(Managed::decode(&json!([wrong])).is_none(), "{field}");
        }
    }

    #[test]
    fn only_nothing_resets() {
        assert!(is_reset(&json!([])) && is_reset(&json!([{}])));
        assert!(
            !is_reset(&Value::Null) && !is_reset(&json!([{}, {}])) && !is_reset(&json!([{"manager": "m"}]))
        );
    }
}
