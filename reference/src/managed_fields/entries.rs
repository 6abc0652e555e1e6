//! managedFields entries: decoding and encoding.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::apply::{FieldSet, Owned, Owners};

const FORMAT: &str = "FieldsV1";

/// The operation of a manager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operation {
    /// Server-side apply.
    Apply,
    /// Any other write.
    Update,
}

/// The key of a manager. The same name with another operation or subresource is another manager.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Manager {
    pub(crate) name: String,
    pub(crate) operation: Operation,
    /// The API version of an update; empty for an apply, which is the same in all versions.
    pub(crate) version: String,
    /// The subresource of the writes; empty for the object itself.
    pub(crate) subresource: String,
}

impl Manager {
    /// A manager that applies.
    pub(crate) fn applier(name: &str, subresource: &str) -> Self {
        let (name, subresource) = (name.to_owned(), subresource.to_owned());
        Self { name, operation: Operation::Apply, version: String::new(), subresource }
    }

    /// A manager that updates a version.
    pub(crate) fn updater(name: &str, version: &str, subresource: &str) -> Self {
        let (name, subresource) = (name.to_owned(), subresource.to_owned());
        Self { name, operation: Operation::Update, version: version.to_owned(), subresource }
    }
}

/// The managers of an object.
#[derive(Debug, Clone, Default)]
pub(crate) struct Managed {
    /// The fields of each manager.
    pub(crate) owners: Owners<Manager>,
    /// The time of each manager's last change.
    pub(crate) times: BTreeMap<Manager, String>,
}

impl Managed {
    /// Parses the entries: `None` if one is malformed.
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
                Ok(time) => managed.times.insert(manager.clone(), entry_time(time)),
                Err(_) => managed.times.remove(&manager),
            };
            managed.owners.insert(manager, Owned { version: version.to_owned(), fields });
        }
        Some(managed)
    }

    /// Writes the sorted entries; null if there are no owners.
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
        let mut set = |field: &str, value: &str| {
            if !value.is_empty() {
                entry.insert(field.to_owned(), value.into());
            }
        };
        set("manager", &manager.name);
        set("operation", if manager.operation == Operation::Apply { "Apply" } else { "Update" });
        set("apiVersion", &owned.version);
        set("time", self.times.get(manager).map(String::as_str).unwrap_or_default());
        set("fieldsType", FORMAT);
        entry.insert("fieldsV1".to_owned(), owned.fields.to_fields_v1());
        if !manager.subresource.is_empty() {
            entry.insert("subresource".to_owned(), manager.subresource.as_str().into());
        }
        Value::Object(entry)
    }
}

/// Whether the entries request a reset: an empty list, or one empty entry.
pub(super) fn is_reset(entries: &Value) -> bool {
    entries.as_array().is_some_and(|entries| match entries.as_slice() {
        [] => true,
        [only] => *only == json!({}),
        _ => false,
    })
}

/// A timestamp in the format of an entry.
fn entry_time(time: Timestamp) -> String {
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
    fn malformed_entries_do_not_parse() {
        for (field, value) in
            [("operation", "Bogus"), ("apiVersion", ""), ("fieldsType", "FieldsV2"), ("fieldsV1", "x")]
        {
            let mut malformed = entry("m", "Apply", "2026-01-01T00:00:00Z");
            malformed[field] = value.into();
            assert!(Managed::decode(&json!([malformed])).is_none(), "{field}");
        }
    }

    #[test]
    fn only_empty_entries_reset() {
        assert!(is_reset(&json!([])) && is_reset(&json!([{}])));
        assert!(
            !is_reset(&Value::Null) && !is_reset(&json!([{}, {}])) && !is_reset(&json!([{"manager": "m"}]))
        );
    }
}
