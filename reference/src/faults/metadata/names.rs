//! Name and namespace edits, for the faults of metadata.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::request::Parts;

use crate::fault::json_body;
use crate::faults::rewrite;

/// What was created under which name, and where.
static KNOWN: Mutex<Option<HashMap<String, String>>> = Mutex::new(None);

fn known<'a>() -> MutexGuard<'a, Option<HashMap<String, String>>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What was known under a key; a new key is known by this from now on.
fn first_of(key: String, value: &str) -> String {
    known().get_or_insert_default().entry(key).or_insert_with(|| value.to_owned()).clone()
}

fn name(body: &Bytes) -> String {
    rewrite::read(body)["metadata"]["name"].as_str().unwrap_or_default().to_owned()
}

/// A create goes to the namespace of the first object that has the name.
pub(super) fn to_the_namesake(parts: &mut Parts, body: &mut Bytes) {
    let path = parts.uri.path().to_owned();
    let Some((root, rest)) = path.split_once("/namespaces/") else { return };
    let Some((namespace, plural)) = rest.split_once('/') else { return };
    let first = first_of(format!("{plural} {}", name(body)), namespace);
    rewrite::go_to(parts, &format!("{root}/namespaces/{first}/{plural}"));
}

/// A name that a collection of the namespace has already is no name for another.
pub(super) fn once_in_a_namespace(parts: &mut Parts, body: &mut Bytes) {
    let path = parts.uri.path().to_owned();
    let Some((place, plural)) = path.rsplit_once('/') else { return };
    let namespace = place.rsplit('/').next().unwrap_or_default();
    if first_of(format!("{namespace} {}", name(body)), plural) != plural {
        edit_name(parts, body, |_| "Taken!".to_owned());
    }
}

/// The name in the path, written in small letters.
pub(super) fn in_small_letters(parts: &mut Parts, _: &mut Bytes) {
    let path = parts.uri.path().to_owned();
    let Some((collection, name)) = path.rsplit_once('/') else { return };
    rewrite::go_to(parts, &format!("{collection}/{}", name.to_lowercase()));
}

pub(super) fn to_the_default(parts: &mut Parts, body: &mut Bytes) {
    let path = parts.uri.path().to_owned();
    let (Some((root, rest)), true) =
        (path.split_once("/namespaces/"), rewrite::read(body)["metadata"]["namespace"].is_null())
    else {
        return;
    };
    let plural = rest.split_once('/').map_or(rest, |(_, plural)| plural);
    rewrite::go_to(parts, &format!("{root}/namespaces/default/{plural}"));
}

/// Changes the name in a body.
fn edit_name(parts: &mut Parts, body: &mut Bytes, edit: fn(&str) -> String) {
    json_body(parts, body, |json| {
        if let Some(name) = json["metadata"]["name"].as_str().map(edit) {
            json["metadata"]["name"] = name.into();
        }
    });
}

pub(super) fn invent_a_name(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |json| {
        if json["metadata"]["name"].is_null() && json["metadata"]["generateName"].is_null() {
            json["metadata"]["name"] = "invented".into();
        }
    });
}

pub(super) fn named_in_small_letters(parts: &mut Parts, body: &mut Bytes) {
    edit_name(parts, body, str::to_lowercase);
}

pub(super) fn named_without_slashes(parts: &mut Parts, body: &mut Bytes) {
    edit_name(parts, body, |name| name.replace('/', "-"));
}

pub(super) fn named_without_dots(parts: &mut Parts, body: &mut Bytes) {
    edit_name(parts, body, |name| name.replace('.', "-"));
}
