//! Searches that the server refuses or makes impossible, and deletions without an effect: each has one clear reason.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::{clean_three_behind, json_message};
use crate::support::Reply;
use crate::support::http::response;

/// The login ends after the look at the types.
#[test]
fn a_login_that_has_ended_is_named_once() {
    let (_, ended) = clean_three_behind(|request| {
        let (_, path) = request.target();
        let is_discovery = ["/api", "/api/v1", "/apis", "/version", "/readyz"].contains(&path)
            || (path.starts_with("/apis/") && path.split('/').count() <= 4);
        let expired =
            json!({ "kind": "Status", "code": 401, "reason": "Unauthorized", "message": "expired" });
        if is_discovery {
            Reply::Pass
        } else {
            Reply::Bytes(response("401 Unauthorized", "application/json", &expired.to_string()))
        }
    });
    let ended = ended.ended_with(3);
    assert!(
        ended.err.contains("the server accepts the login no longer (401); hint: log in"),
        "{}",
        ended.err
    );
    assert_eq!(ended.err.matches("error: ").count(), 1, "{}", ended.err);
}

#[test]
fn one_group_that_refuses_the_login_does_not_end_the_search() {
    let (_, ended) = clean_three_behind(|request| match request.target() {
        ("GET", super::CLUSTER_ROLES) => {
            let refused = json!({ "kind": "Status", "code": 401, "reason": "Unauthorized" });
            Reply::Bytes(response("401 Unauthorized", "application/json", &refused.to_string()))
        }
        _ => Reply::Pass,
    });
    let ended = ended.ended_with(3);
    assert!(ended.out.contains("removed 3 objects of all runs on "), "{}", ended.out);
    assert!(ended.err.contains(super::CLUSTER_ROLES), "{}", ended.err);
}

#[test]
fn a_deletion_that_is_accepted_and_has_no_effect_is_named() {
    let (_, ended) = clean_three_behind(|request| match request.target() {
        ("DELETE", _) => {
            let done = json!({ "kind": "Status", "apiVersion": "v1", "status": "Success" });
            Reply::Bytes(response("200 OK", "application/json", &done.to_string()))
        }
        _ => Reply::Pass,
    });
    let ended = ended.ended_with(3);
    let why = ": the server accepted its deletion, and still shows it";
    assert_eq!(ended.err.matches(why).count(), 3, "{}", ended.err);
    assert!(!ended.err.contains("finalizers"), "{}", ended.err);
}

/// The number of deletions that `clean` requests for three objects if the server refuses each with this message.
fn refusing_deletions(message: &'static str) -> usize {
    let deletions = Arc::new(AtomicUsize::new(0));
    let count = deletions.clone();
    let (_, ended) = clean_three_behind(move |request| match request.target() {
        ("DELETE", _) => {
            count.fetch_add(1, Ordering::SeqCst);
            let status = json!({ "kind": "Status", "code": 403, "reason": "Forbidden", "message": message });
            Reply::Bytes(response("403 Forbidden", "application/json", &status.to_string()))
        }
        _ => Reply::Pass,
    });
    let ended = ended.ended_with(3);
    let why = format!(" returned 403 Forbidden: {message}");
    assert_eq!(ended.err.matches(&why).count(), 3, "{}", ended.err);
    deletions.load(Ordering::SeqCst)
}

#[test]
fn a_deletion_that_the_user_lacks_the_permission_for_is_requested_once() {
    assert_eq!(refusing_deletions("User \"jane\" cannot delete resource \"configmaps\""), 3);
}

/// A webhook may allow the next one.
#[test]
fn a_deletion_that_a_webhook_denies_is_requested_again() {
    assert!(refusing_deletions("admission webhook \"a\" denied the request: later") > 3);
}

#[test]
fn many_types_with_illegal_names_have_few_lines() {
    let (_, ended) = clean_three_behind(|request| match request.target() {
        ("GET", "/api/v1") => Reply::Edited(|message| {
            let mut types: Value = serde_json::from_slice(&message.body).unwrap();
            let illegal = |number: usize| {
                let (name, verbs) = (format!("no name {number}"), ["list", "delete"]);
                json!({ "name": name, "singularName": "", "namespaced": false, "kind": "A", "verbs": verbs })
            };
            types["resources"].as_array_mut().unwrap().extend((0..30).map(illegal));
            json_message(&types)
        }),
        _ => Reply::Pass,
    });
    let ended = ended.ended_with(3);
    assert_eq!(ended.err.matches("failed to search ").count(), 11, "{}", ended.err);
    let others = "failed to search 20 others: no type may have their names";
    assert!(ended.err.contains(others), "{}", ended.err);
}
