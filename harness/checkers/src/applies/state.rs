//! The visible state of an object: the values of its cells, and their owners.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::Value;

use super::cell::Piece;
use super::field_paths;
use super::kind::AppliedType;

/// A manager with an operation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Owner {
    /// The name of the manager.
    pub manager: String,
    /// `Apply` or `Update`, with the subresource, if any.
    pub operation: String,
}

impl Owner {
    pub(super) fn new(manager: &str, operation: &str) -> Self {
        Self { manager: manager.to_owned(), operation: operation.to_owned() }
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.manager, self.operation)
    }
}

/// The values of the present cells, by name.
pub(super) type Values = BTreeMap<&'static str, Value>;

/// The cells of each owner; an owner without cells is absent.
pub(super) type Owners = BTreeMap<Owner, BTreeSet<&'static str>>;

/// An object as the server returned it.
#[derive(Debug, Clone, PartialEq)]
pub struct AppliedObject {
    /// `metadata.resourceVersion`.
    pub(super) version: String,
    pub(super) values: Values,
    pub(super) owners: Owners,
    /// The whole object.
    pub(super) json: Value,
}

impl AppliedObject {
    /// Reads an object.
    pub fn read(json: &Value, kind: &AppliedType) -> Self {
        let values = kind.all().filter_map(|cell| Some((cell.name, field_paths::get(json, &cell.pieces)?)));
        let mut owners = Owners::new();
        let entries = json["metadata"]["managedFields"].as_array().into_iter().flatten();
        for entry in entries {
            let owned: BTreeSet<_> = kind
                .all()
                .filter(|cell| owns(&entry["fieldsV1"], &cell.owned()))
                .map(|cell| cell.name)
                .collect();
            if !owned.is_empty() {
                owners.entry(owner(entry)).or_default().extend(owned);
            }
        }
        let version = json["metadata"]["resourceVersion"].as_str().unwrap_or_default().to_owned();
        Self { version, values: values.collect(), owners, json: json.clone() }
    }
}

fn owner(entry: &Value) -> Owner {
    let text = |field: &str| entry[field].as_str().unwrap_or_default();
    let slash = if text("subresource").is_empty() { "" } else { "/" };
    Owner::new(text("manager"), &format!("{}{slash}{}", text("operation"), text("subresource")))
}

/// Whether the leaves of a `fieldsV1` tree include this path.
fn owns(fields: &Value, pieces: &[Piece]) -> bool {
    let Some((first, rest)) = pieces.split_first() else {
        return fields.as_object().is_some_and(|below| below.keys().all(|step| step == "."));
    };
    let mut below = fields.as_object().into_iter().flatten().filter(|(step, _)| is_step(step, first));
    below.any(|(_, below)| owns(below, rest))
}

/// Whether a key of `fieldsV1` is this piece, with the key fields of an item in any order.
fn is_step(step: &str, piece: &Piece) -> bool {
    let known = |text: &str| serde_json::from_str::<BTreeMap<String, Value>>(text).ok();
    match (step.strip_prefix("k:"), piece) {
        (Some(text), Piece::Item(keys)) => {
            let keys = keys.iter().map(|(field, value)| ((*field).to_owned(), value.clone()));
            known(text).is_some_and(|known| known == keys.collect())
        }
        _ => step == piece.key(),
    }
}
