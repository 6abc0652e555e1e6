//! Name and namespace edits, for the faults of metadata.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::header::HOST;
use http::request::Parts;

use crate::fault::json_body;
use crate::faults::rewrite;

/// The first namespace or collection of each name, on each server.
static KNOWN_NAMES: Mutex<Option<HashMap<String, String>>> = Mutex::new(None);

fn known_names<'a>() -> MutexGuard<'a, Option<HashMap<String, String>>> {
    KNOWN_NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The value of a key on the server of the request; a new key gets this value.
fn first_value(parts: &Parts, key: &str, value: &str) -> String {
    let key = format!("{:?} {key}", parts.headers.get(HOST));
    known_names().get_or_insert_default().entry(key).or_insert_with(|| value.to_owned()).clone()
}

fn name(body: &Bytes) -> String {
    rewrite::read(body)["metadata"]["name"].as_str().unwrap_or_default().to_owned()
}

/// Redirects a create to the namespace of the first object with that name.
pub(in crate::faults) fn redirect_to_namesake(parts: &mut Parts, body: &mut Bytes) {
    let path = parts.uri.path().to_owned();
    let Some((root, rest)) = path.split_once("/namespaces/") else { return };
    let Some((namespace, plural)) = rest.split_once('/') else { return };
    let first = first_value(parts, &format!("{plural} {}", name(body)), namespace);
    rewrite::set_path(parts, &format!("{root}/namespaces/{first}/{plural}"));
}

/// Rejects a name that another collection of the namespace has.
pub(in crate::faults) fn reject_shared_names(parts: &mut Parts, body: &mut Bytes) {
    let path = parts.uri.path().to_owned();
    let Some((place, plural)) = path.rsplit_once('/') else { return };
    let namespace = place.rsplit('/').next().unwrap_or_default();
    if first_value(parts, &format!("{namespace} {}", name(body)), plural) != plural {
        edit_name(parts, body, |_| "Taken!".to_owned());
    }
}

/// Lower-cases the name in the path.
pub(super) fn lowercase_path_name(parts: &mut Parts, _: &mut Bytes) {
    let path = parts.uri.path().to_owned();
    let Some((collection, name)) = path.rsplit_once('/') else { return };
    rewrite::set_path(parts, &format!("{collection}/{}", name.to_lowercase()));
}

pub(in crate::faults) fn redirect_to_default(parts: &mut Parts, body: &mut Bytes) {
    let path = parts.uri.path().to_owned();
    let (Some((root, rest)), true) =
        (path.split_once("/namespaces/"), rewrite::read(body)["metadata"]["namespace"].is_null())
    else {
        return;
    };
    let plural = rest.split_once('/').map_or(rest, |(_, plural)| plural);
    rewrite::set_path(parts, &format!("{root}/namespaces/default/{plural}"));
}

/// Edits the name in a body.
fn edit_name(parts: &mut Parts, body: &mut Bytes, edit: fn(&str) -> String) {
    json_body(parts, body, |json| {
        if let Some(name) = json["metadata"]["name"].as_str().map(edit) {
            json["metadata"]["name"] = name.into();
        }
    });
}

pub(super) fn invent_name(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |json| {
        if json["metadata"]["name"].is_null() && json["metadata"]["generateName"].is_null() {
            json["metadata"]["name"] = "invented".into();
        }
    });
}

pub(super) fn lowercase_name(parts: &mut Parts, body: &mut Bytes) {
    edit_name(parts, body, str::to_lowercase);
}

pub(super) fn replace_slashes(parts: &mut Parts, body: &mut Bytes) {
    edit_name(parts, body, |name| name.replace('/', "-"));
}

pub(super) fn replace_dots(parts: &mut Parts, body: &mut Bytes) {
    edit_name(parts, body, |name| name.replace('.', "-"));
}
