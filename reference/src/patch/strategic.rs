//! Strategic merge patch, with its directives.
//!
//! Maps are merged, lists are merged if their field has a merge strategy, and other values are replaced. The directives
//! are `$patch`, `$retainKeys`, `$setElementOrder/…` and `$deleteFromPrimitiveList/…`.

mod lists;

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::kind::{self, Kind, Merge, Shape};
use lists::{direct_lists, merge_list};

const PATCH: &str = "$patch";
const RETAIN_KEYS: &str = "$retainKeys";
const ORDER: &str = "$setElementOrder/";
const DELETE_FROM: &str = "$deleteFromPrimitiveList/";

type Fields = Map<String, Value>;

/// Merges a patch into an object of a kind, if the kind is known.
pub(super) fn merge(kind: Option<&Kind>, target: &mut Value, patch: &Value) -> Result<(), String> {
    let Value::Object(changes) = patch else {
        *target = patch.clone();
        return Ok(());
    };
    match directive(changes)? {
        Directive::Merge => {}
        Directive::Replace => {
            *target = Value::Object(without_directives(changes));
            return Ok(());
        }
        Directive::Delete => {
            *target = Value::Object(Fields::new());
            return Ok(());
        }
    }
    if !target.is_object() {
        *target = Value::Object(Fields::new());
    }
    let Some(fields) = target.as_object_mut() else { return Ok(()) };
    if let Some(kept) = changes.get(RETAIN_KEYS).and_then(Value::as_array) {
        let kept: HashSet<&str> = kept.iter().filter_map(Value::as_str).collect();
        fields.retain(|name, _| kept.contains(name.as_str()));
    }
    // All at once: each removal moves the later fields.
    fields.retain(|name, _| !is_removal(name, changes.get(name)));
    let merged =
        changes.iter().filter(|(name, change)| !name.starts_with('$') && !is_removal(name, Some(change)));
    for (name, change) in merged {
        merge_field(kind, fields, name, change, changes)?;
    }
    direct_lists(kind, fields, changes)
}

enum Directive {
    Merge,
    Replace,
    Delete,
}

fn directive(changes: &Fields) -> Result<Directive, String> {
    match changes.get(PATCH).map(|directive| directive.as_str().unwrap_or_default()) {
        None | Some("merge") => Ok(Directive::Merge),
        Some("replace") => Ok(Directive::Replace),
        Some("delete") => Ok(Directive::Delete),
        Some(other) => Err(format!("unknown patch type: {other} in map: {}", Value::Object(changes.clone()))),
    }
}

/// Whether a change removes its field.
fn is_removal(name: &str, change: Option<&Value>) -> bool {
    change.is_some_and(|change| !name.starts_with('$') && (change.is_null() || change[PATCH] == "delete"))
}

fn merge_field(
    kind: Option<&Kind>,
    fields: &mut Fields,
    name: &str,
    change: &Value,
    changes: &Fields,
) -> Result<(), String> {
    let field = kind.and_then(|kind| kind.field(name));
    let value = fields.entry(name).or_insert(Value::Null);
    match (change.as_array(), field) {
        (Some(items), Some(field)) if field.merge != Merge::Replace => {
            merge_list(field, value, items, changes.get(&format!("{ORDER}{name}")))
        }
        _ => merge(field.and_then(|field| kind_of(&field.shape)), value, change),
    }
}

fn kind_of(shape: &Shape) -> Option<&'static Kind> {
    match shape {
        Shape::Kind(name) => kind::of(name),
        Shape::List(item) => kind_of(item),
        _ => None,
    }
}

fn without_directives(changes: &Fields) -> Fields {
    changes
        .iter()
        .filter(|(name, value)| !name.starts_with('$') && !value.is_null())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}
