//! Deletion faults with state: a hidden annotation stores it on the object.

use bytes::Bytes;
use http::Method;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use serde_json::Value;

use super::{DELETION, finalizers_in, is_marked};
use crate::fault::{json_body, parameters};

/// What is remembered of an object.
const NOTE: &str = "kube-assay.dev/note";

fn note(json: &mut Value, text: String) {
    json["metadata"]["annotations"][NOTE] = text.into();
}

/// What was remembered of an object, if anything; it is not shown.
fn noted(object: &mut Value) -> Option<String> {
    let annotations = object.get_mut("metadata")?.get_mut("annotations")?.as_object_mut()?;
    annotations.shift_remove(NOTE)?.as_str().map(str::to_owned)
}

/// All but the first of the finalizers that a patch sets are remembered only.
pub(in crate::faults) fn note_finalizers(parts: &mut Parts, body: &mut Bytes) {
    if parts.method != Method::PATCH {
        return;
    }
    json_body(parts, body, |json| {
        let more = finalizers_in(json).filter(|all| all.len() > 1).map(|all| all.split_off(1));
        if let Some(more) = more {
            note(json, Value::from(more).to_string());
        }
    });
}

pub(in crate::faults) fn show_finalizers(object: &mut Value) {
    let more = noted(object).and_then(|more| serde_json::from_str::<Vec<Value>>(&more).ok());
    if let (Some(more), Some(all)) = (more, finalizers_in(object)) {
        all.extend(more);
    }
}

pub(in crate::faults) fn note_revival(parts: &mut Parts, body: &mut Bytes) {
    if parts.method == Method::PUT {
        json_body(parts, body, |json| {
            if !is_marked(json) {
                note(json, "alive".to_owned());
            }
        });
    }
}

pub(in crate::faults) fn revive(object: &mut Value) {
    if let (Some(_), Some(metadata)) = (noted(object), object["metadata"].as_object_mut()) {
        metadata.shift_remove(DELETION);
        metadata.shift_remove("deletionGracePeriodSeconds");
    }
}

pub(in crate::faults) fn note_birth(parts: &mut Parts, body: &mut Bytes) {
    if parts.method == Method::POST {
        json_body(parts, body, |json| {
            if let Some(time) = json["metadata"][DELETION].as_str().map(str::to_owned) {
                note(json, time);
            }
        });
    }
}

pub(in crate::faults) fn born_deleted(object: &mut Value) {
    if let Some(time) = noted(object) {
        object["metadata"][DELETION] = time.into();
    }
}

/// What every Pod of ours was given at first.
const USUAL: i64 = 30;

/// A deletion that gives a Pod more time is remembered instead.
pub(super) fn note_longer(parts: &mut Parts, body: &mut Bytes) {
    let asked = parts.uri.query().unwrap_or_default();
    let grace = asked.strip_prefix("gracePeriodSeconds=").and_then(|grace| grace.parse::<i64>().ok());
    let Some(grace) = grace.filter(|grace| parts.method == Method::DELETE && *grace > USUAL) else { return };
    parts.method = Method::PATCH;
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/merge-patch+json"));
    parameters(parts, Vec::clear);
    let mut patch = Value::Null;
    note(&mut patch, grace.to_string());
    *body = Bytes::from(patch.to_string());
}

pub(super) fn lengthened(pod: &mut Value) {
    if let Some(grace) = noted(pod).and_then(|grace| grace.parse::<i64>().ok()) {
        pod["metadata"]["deletionGracePeriodSeconds"] = grace.into();
    }
}
