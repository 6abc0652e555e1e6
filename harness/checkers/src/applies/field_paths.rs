//! Reads and writes the fields of objects by their paths.

use serde_json::{Map, Value, json};

use super::cell::{Piece, object};

/// The value at a path; `true` for an item or a value of a set.
pub(super) fn get(json: &Value, pieces: &[Piece]) -> Option<Value> {
    match pieces {
        [] => Some(json.clone()),
        [Piece::Field(name), rest @ ..] => get(json.get(name)?, rest),
        [Piece::Member(value), ..] => position(json, |one| one == value).map(|_| json!(true)),
        [Piece::Item(keys), rest @ ..] => {
            let item = json.get(position(json, |one| is_item(one, keys))?)?;
            if rest.is_empty() { Some(json!(true)) } else { get(item, rest) }
        }
    }
}

/// Sets a value; creates the path to it.
pub(super) fn set(json: &mut Value, pieces: &[Piece], value: &Value) {
    match pieces {
        [] => *json = value.clone(),
        [Piece::Field(name), rest @ ..] => {
            if !json.is_object() {
                *json = Value::Object(Map::new());
            }
            set(&mut json[name.as_str()], rest, value);
        }
        [Piece::Member(value), ..] => {
            find_or_push(json, |one| one == value, || json!(value));
        }
        [Piece::Item(keys), rest @ ..] => {
            let item = find_or_push(json, |one| is_item(one, keys), || object(keys));
            if let (Some(item), false) = (item, rest.is_empty()) {
                set(item, rest, value);
            }
        }
    }
}

/// Removes a field.
pub(super) fn remove(json: &mut Value, pieces: &[Piece]) {
    match pieces {
        [] => {}
        [Piece::Field(name), rest @ ..] => {
            let Some(fields) = json.as_object_mut() else { return };
            if rest.is_empty() {
                fields.shift_remove(name);
            } else if let Some(below) = fields.get_mut(name) {
                remove(below, rest);
            }
        }
        [Piece::Member(value), ..] => {
            if let Some(values) = json.as_array_mut() {
                values.retain(|one| one != value);
            }
        }
        [Piece::Item(keys), rest @ ..] => {
            let Some(items) = json.as_array_mut() else { return };
            if rest.is_empty() {
                items.retain(|one| !is_item(one, keys));
            } else if let Some(item) = items.iter_mut().find(|one| is_item(one, keys)) {
                remove(item, rest);
            }
        }
    }
}

fn is_item(one: &Value, keys: &[(&'static str, Value)]) -> bool {
    keys.iter().all(|(field, value)| one[*field] == *value)
}

fn position(json: &Value, is: impl Fn(&Value) -> bool) -> Option<usize> {
    json.as_array()?.iter().position(is)
}

fn find_or_push(
    json: &mut Value,
    is: impl Fn(&Value) -> bool,
    new: impl Fn() -> Value,
) -> Option<&mut Value> {
    let index = position(json, is);
    if !json.is_array() {
        *json = Value::Array(Vec::new());
    }
    let all = json.as_array_mut()?;
    let index = index.unwrap_or_else(|| {
        all.push(new());
        all.len() - 1
    });
    all.get_mut(index)
}
