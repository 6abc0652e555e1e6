//! `DeleteOptions` edits, for the faults of deletion.

use bytes::Bytes;
use http::request::Parts;
use serde_json::{Value, json};

use super::{FORCE, GRACE, POLICY};
use crate::fault::json_body;

pub(super) fn outdate_precondition(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |json| {
        if let Some(version) = json.pointer_mut("/preconditions/resourceVersion") {
            *version = "1".into();
        }
    });
}

pub(super) fn orphan_in_body(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |options| options[POLICY] = "Orphan".into());
}

pub(super) fn drop_malformed(_: &mut Parts, body: &mut Bytes) {
    let options = serde_json::from_slice::<Value>(body).ok().filter(Value::is_object);
    let right = options.is_some_and(|options| {
        [Value::Null, json!("DeleteOptions")].contains(&options["kind"]) && !options[GRACE].is_string()
    });
    if !right {
        *body = Bytes::new();
    }
}

pub(in crate::faults) fn reject_meta_options(_: &mut Parts, body: &mut Bytes) {
    let options = serde_json::from_slice::<Value>(body).unwrap_or_default();
    if options["apiVersion"] == "meta.k8s.io/v1" {
        *body = Bytes::from_static(b"{");
    }
}

#[allow(clippy::unnecessary_wraps, reason = "an edit of a parameter may also drop it")]
pub(super) fn known_or_background(policy: &str) -> Option<String> {
    let known = ["Background", "Foreground", "Orphan"].contains(&policy);
    Some(if known { policy } else { "Background" }.to_owned())
}

pub(super) fn known_policy(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |options| {
        if let Some(policy) = options[POLICY].as_str().and_then(known_or_background) {
            options[POLICY] = policy.into();
        }
    });
}

pub(super) fn drop_zero(grace: &str) -> Option<String> {
    (grace != "0").then(|| grace.to_owned())
}

/// Edits the options of a forced deletion.
fn edit_force(parts: &mut Parts, body: &mut Bytes, edit: fn(&mut Value)) {
    json_body(parts, body, |options| {
        if options[FORCE] == true {
            edit(options);
        }
    });
}

fn drop_options(options: &mut Value, names: &[&str]) {
    if let Some(options) = options.as_object_mut() {
        options.retain(|name, _| !names.contains(&name.as_str()));
    }
}

pub(super) fn with_force(parts: &mut Parts, body: &mut Bytes) {
    json_body(parts, body, |options| {
        if let Some(force) = options.get_mut(FORCE) {
            *force = true.into();
        }
    });
}

pub(super) fn force_without_preconditions(parts: &mut Parts, body: &mut Bytes) {
    edit_force(parts, body, |options| {
        if options["preconditions"].is_object() {
            drop_options(options, &[FORCE, "preconditions"]);
        }
    });
}

pub(super) fn force_without_dry_run(parts: &mut Parts, body: &mut Bytes) {
    edit_force(parts, body, |options| {
        if options["dryRun"].is_array() {
            drop_options(options, &[FORCE, "dryRun"]);
        }
    });
}

pub(super) fn without_force(parts: &mut Parts, body: &mut Bytes) {
    edit_force(parts, body, |options| drop_options(options, &[FORCE]));
}

pub(super) fn act_as_administrator(parts: &mut Parts, body: &mut Bytes) {
    let forced = serde_json::from_slice::<Value>(body).is_ok_and(|options| options[FORCE] == true);
    if forced {
        for name in ["impersonate-user", "impersonate-group"] {
            parts.headers.remove(name);
        }
    }
}
