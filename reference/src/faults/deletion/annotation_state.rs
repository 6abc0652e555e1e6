//! Deletion faults with state: a hidden annotation stores it on the object.

use bytes::Bytes;
use http::Method;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use serde_json::Value;

use super::{DELETION, finalizers_in, is_terminating};
use crate::fault::{json_body, parameters};

/// The annotation with the state of a fault.
const STATE: &str = "kube-assay.dev/note";

fn store_state(json: &mut Value, text: String) {
    json["metadata"]["annotations"][STATE] = text.into();
}

/// Removes the state of an object from a response.
fn take_state(object: &mut Value) -> Option<String> {
    let annotations = object.get_mut("metadata")?.get_mut("annotations")?.as_object_mut()?;
    annotations.shift_remove(STATE)?.as_str().map(str::to_owned)
}

/// Moves all finalizers of a patch but the first into the state.
pub(in crate::faults) fn hide_new_finalizers(parts: &mut Parts, body: &mut Bytes) {
    if parts.method != Method::PATCH {
        return;
    }
    json_body(parts, body, |json| {
        let more = finalizers_in(json).filter(|all| all.len() > 1).map(|all| all.split_off(1));
        if let Some(more) = more {
            store_state(json, Value::from(more).to_string());
        }
    });
}

pub(in crate::faults) fn restore_finalizers(object: &mut Value) {
    let more = take_state(object).and_then(|more| serde_json::from_str::<Vec<Value>>(&more).ok());
    if let (Some(more), Some(all)) = (more, finalizers_in(object)) {
        all.extend(more);
    }
}

pub(in crate::faults) fn request_revival(parts: &mut Parts, body: &mut Bytes) {
    if parts.method == Method::PUT {
        json_body(parts, body, |json| {
            if !is_terminating(json) {
                store_state(json, "alive".to_owned());
            }
        });
    }
}

pub(in crate::faults) fn revive(object: &mut Value) {
    if let (Some(_), Some(metadata)) = (take_state(object), object["metadata"].as_object_mut()) {
        metadata.shift_remove(DELETION);
        metadata.shift_remove("deletionGracePeriodSeconds");
    }
}

pub(in crate::faults) fn store_deletion_time(parts: &mut Parts, body: &mut Bytes) {
    if parts.method == Method::POST {
        json_body(parts, body, |json| {
            if let Some(time) = json["metadata"][DELETION].as_str().map(str::to_owned) {
                store_state(json, time);
            }
        });
    }
}

pub(in crate::faults) fn restore_deletion_time(object: &mut Value) {
    if let Some(time) = take_state(object) {
        object["metadata"][DELETION] = time.into();
    }
}

/// The longest grace period in seconds with which scenarios delete a pod first.
const LONGEST_GRACE: i64 = 3600;

/// Moves a longer grace period of a deletion into the state.
pub(super) fn store_longer_grace(parts: &mut Parts, body: &mut Bytes) {
    let query = parts.uri.query().unwrap_or_default();
    let grace = query.strip_prefix("gracePeriodSeconds=").and_then(|grace| grace.parse::<i64>().ok());
    let Some(grace) = grace.filter(|grace| parts.method == Method::DELETE && *grace > LONGEST_GRACE) else {
        return;
    };
    parts.method = Method::PATCH;
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/merge-patch+json"));
    parameters(parts, Vec::clear);
    let mut patch = Value::Null;
    store_state(&mut patch, grace.to_string());
    *body = Bytes::from(patch.to_string());
}

pub(super) fn restore_longer_grace(pod: &mut Value) {
    if let Some(grace) = take_state(pod).and_then(|grace| grace.parse::<i64>().ok()) {
        pod["metadata"]["deletionGracePeriodSeconds"] = grace.into();
    }
}
