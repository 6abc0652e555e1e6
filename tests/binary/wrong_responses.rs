//! `run` on a server that is wrong in one response, or does with one request what another one asks for.

use std::collections::HashMap;
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::support::http::{Message, each_item, edited, response, with_items};
use crate::support::{Proxy, Reference, Reply, kube_assay};

/// A request that the server reads without some part of its query.
fn without(request: &Message, ignored: &str) -> Reply {
    Reply::Instead(Message { first: request.first.replace(ignored, ""), ..request.clone() })
}

/// The clause fails, with this clause selected as well.
fn expect_failure(clause: &str, other: &str, reply: impl Fn(&Message) -> Reply + Send + Sync + 'static) {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, reply);
    let program = kube_assay(&["run", "--strict", "--server", &proxy.url(), "--token", reference.token()]);
    let ended = program.with(&["--clause", clause, "--clause", other]).end().ended_with(1);
    let summary: Value = serde_json::from_str(&ended.report("summary.json")).unwrap();
    let verdict = summary["clauses"].as_array().unwrap().iter().find(|one| one["id"] == clause).unwrap();
    assert!(["failed", "warning"].contains(&verdict["verdict"].as_str().unwrap()), "{verdict}");
}

#[test]
fn lists_of_all_namespaces_lack_labels() {
    const CLAUSE: &str = "rv-identifies-server-version";
    expect_failure(CLAUSE, "kinds-namespaced-list-is-subset", |request| match request.target() {
        ("GET", "/api/v1/configmaps") => {
            Reply::Edited(|list| each_item(list, |item| item["metadata"]["labels"] = Value::Null))
        }
        _ => Reply::Pass,
    });
}

#[test]
fn a_deletion_of_a_collection_returns_other_uids() {
    expect_failure("metadata-uid-stable", "metadata-uid-stable", |request| match request.target() {
        ("DELETE", path) if path.ends_with("/configmaps") => {
            Reply::Edited(|list| each_item(list, |item| item["metadata"]["uid"] = "another".into()))
        }
        _ => Reply::Pass,
    });
}

#[test]
fn a_repeated_deletion_shows_another_time() {
    const CLAUSE: &str = "deletion-repeat-delete-is-accepted";
    expect_failure(CLAUSE, CLAUSE, |request| match request.target() {
        ("DELETE", path) if path.contains("/configmaps/") => Reply::Edited(|response| {
            edited(response, |object| object["metadata"]["deletionTimestamp"] = "2050-01-01T00:00:00Z".into())
        }),
        _ => Reply::Pass,
    });
}

#[test]
fn a_scale_is_younger_than_its_parent() {
    const CLAUSE: &str = "kinds-scale-subresource-read";
    expect_failure(CLAUSE, CLAUSE, |request| match request.target() {
        ("GET", path) if path.ends_with("/scale") => Reply::Edited(|response| {
            edited(response, |scale| scale["metadata"]["creationTimestamp"] = "2050-01-01T00:00:00Z".into())
        }),
        _ => Reply::Pass,
    });
}

#[test]
fn a_deletion_of_leases_ignores_field_selectors() {
    const CLAUSE: &str = "single-deletecollection-honours-selector";
    expect_failure(CLAUSE, CLAUSE, |request| match request.target() {
        ("DELETE", path) if path.ends_with("/leases") => without(request, "fieldSelector="),
        _ => Reply::Pass,
    });
}

#[test]
fn a_put_of_a_status_ignores_dry_run() {
    const CLAUSE: &str = "dryrun-subresource-not-persisted";
    expect_failure(CLAUSE, CLAUSE, |request| match request.target() {
        ("PUT", path) if path.ends_with("/status") => without(request, "dryRun=All"),
        _ => Reply::Pass,
    });
}

#[test]
fn a_put_does_not_remove_the_last_finalizer() {
    const CLAUSE: &str = "deletion-last-finalizer-removes-object";
    expect_failure(CLAUSE, CLAUSE, |request| {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let metadata = &body["metadata"];
        let last = metadata["deletionTimestamp"].is_string() && metadata["finalizers"].is_null();
        if request.target().0 == "PUT" && last {
            return Reply::Bytes(response("200 OK", "application/json", &body.to_string()));
        }
        Reply::Pass
    });
}

#[test]
fn the_second_page_of_a_selection_is_of_another_version() {
    const CLAUSE: &str = "pagination-same-rv";
    expect_failure(CLAUSE, CLAUSE, |request| {
        let has = |parameter| request.first.contains(parameter);
        if has("continue=") && has("labelSelector=") {
            return Reply::Edited(|page| {
                edited(page, |list| list["metadata"]["resourceVersion"] = "1".into())
            });
        }
        Reply::Pass
    });
}

/// A server that reads no label selector beside a field selector.
fn one_selector(request: &Message, method: &str) -> Reply {
    let both = request.first.contains("labelSelector=") && request.first.contains("fieldSelector=");
    if both && request.target().0 == method { without(request, "labelSelector=") } else { Reply::Pass }
}

#[test]
fn a_list_or_watch_reads_one_selector() {
    for clause in ["selectors-field-comma-is-and", "watch-label-selector"] {
        expect_failure(clause, clause, |request| one_selector(request, "GET"));
    }
}

#[test]
fn a_deletion_of_a_collection_reads_one_selector() {
    const CLAUSE: &str = "single-deletecollection-honours-selector";
    expect_failure(CLAUSE, CLAUSE, |request| one_selector(request, "DELETE"));
}

#[test]
fn a_json_patch_tests_no_value_of_one_type() {
    const CLAUSE: &str = "patch-json-test-failure-rejected";
    for is in [Value::is_object, Value::is_array, Value::is_number, Value::is_boolean, Value::is_null] {
        expect_failure(CLAUSE, CLAUSE, move |request| {
            let ignored = |operation: &Value| operation["op"] == "test" && is(&operation["value"]);
            Reply::Instead(edited(request.clone(), |body| {
                if let Some(operations) = body.as_array_mut() {
                    operations.retain(|operation| !ignored(operation));
                }
            }))
        });
    }
}

#[test]
fn a_label_may_not_have_63_characters() {
    for (clause, longest) in [
        ("metadata-label-value-syntax", format!(":\"{}\"", "a".repeat(63))),
        ("metadata-label-key-syntax", format!("/{}\":", "a".repeat(63))),
    ] {
        expect_failure(clause, clause, move |request| {
            let has = String::from_utf8_lossy(&request.body).contains(&longest);
            let status = json!({ "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 422 });
            let refused = || response("422 Unprocessable", "application/json", &status.to_string());
            if request.target().0 == "POST" && has { Reply::Bytes(refused()) } else { Reply::Pass }
        });
    }
}

#[test]
fn of_two_requirements_of_a_key_the_last_counts() {
    const CLAUSE: &str = "selectors-label-comma-is-and";
    expect_failure(CLAUSE, CLAUSE, |request| without(request, "tier%21%3Da%2C"));
}

/// The metadata in a response has the version of an earlier read.
fn with_old_version(message: Message) -> Message {
    edited(message, |document| {
        let items = document["items"].as_array_mut().into_iter().flatten();
        for object in items {
            object["metadata"]["resourceVersion"] = "1".into();
        }
        document["metadata"]["resourceVersion"] = "1".into();
    })
}

#[test]
fn metadata_alone_is_not_read_again_after_a_write() {
    // Each clause with the number of reads before the write.
    for (clause, reads) in [("representations-metadata-get", 2), ("representations-metadata-list", 1)] {
        let counts = Mutex::new(HashMap::<String, usize>::new());
        expect_failure(clause, clause, move |request| {
            let accepts = request.header("accept").unwrap_or_default();
            if !accepts.contains("as=PartialObjectMetadata") {
                return Reply::Pass;
            }
            let mut counts = counts.lock().unwrap();
            let count = counts.entry(request.target().1.to_owned()).or_default();
            *count += 1;
            if *count > reads { Reply::Edited(with_old_version) } else { Reply::Pass }
        });
    }
}

#[test]
fn a_put_keeps_one_owner() {
    const CLAUSE: &str = "verbs-read-modify-write-works";
    expect_failure(CLAUSE, CLAUSE, |request| match request.target() {
        ("PUT", _) => Reply::Instead(edited(request.clone(), |body| {
            if let Some(owners) = body["metadata"]["ownerReferences"].as_array_mut() {
                owners.truncate(1);
            }
        })),
        _ => Reply::Pass,
    });
}

#[test]
fn a_put_drops_binary_data() {
    const CLAUSE: &str = "verbs-read-modify-write-works";
    expect_failure(CLAUSE, CLAUSE, |request| match request.target() {
        ("PUT", path) if path.contains("/configmaps/") => {
            Reply::Instead(edited(request.clone(), |body| body["binaryData"] = Value::Null))
        }
        _ => Reply::Pass,
    });
}

#[test]
fn lists_of_cluster_roles_are_empty_with_a_label_selector() {
    const CLAUSE: &str = "selectors-labels-usable-for-selection";
    expect_failure(CLAUSE, CLAUSE, |request| match request.target() {
        ("GET", path) if path.ends_with("/clusterroles") && request.first.contains("Some.Key_1") => {
            Reply::Edited(|list| with_items(list, Vec::clear))
        }
        _ => Reply::Pass,
    });
}

#[test]
fn a_token_of_deployments_shows_the_first_page_again() {
    const CLAUSE: &str = "pagination-continue-decides-end";
    expect_failure(CLAUSE, CLAUSE, |request| match request.target() {
        ("GET", path) if path.ends_with("/deployments") => without(request, "continue="),
        _ => Reply::Pass,
    });
}

#[test]
fn an_exact_list_of_deployments_is_the_latest() {
    const CLAUSE: &str = "rv-sem-exact-honours-selectors";
    expect_failure(CLAUSE, CLAUSE, |request| match request.target() {
        ("GET", path) if path.ends_with("/deployments") => without(request, "resourceVersionMatch=Exact"),
        _ => Reply::Pass,
    });
}

#[test]
fn the_deployments_of_all_namespaces_are_none() {
    const CLAUSE: &str = "kinds-namespaced-list-is-subset";
    expect_failure(CLAUSE, CLAUSE, |request| match request.target() {
        ("GET", "/apis/apps/v1/deployments") => Reply::Edited(|list| with_items(list, Vec::clear)),
        _ => Reply::Pass,
    });
}

/// Policies that the server enforces are asked about, although it takes any of them in a dry run.
#[test]
fn a_dry_run_of_a_policy_checks_nothing() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("POST", path) if path.ends_with("policies") && request.first.contains("dryRun=All") => {
            let policy = String::from_utf8_lossy(&request.body);
            Reply::Bytes(response("201 Created", "application/json", &policy))
        }
        _ => Reply::Pass,
    });
    let verdict = |clause: &str, code| {
        let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]);
        let ended = program.with(&["--clause", clause]).end().ended_with(code);
        let summary: Value = serde_json::from_str(&ended.report("summary.json")).unwrap();
        summary["clauses"][0]["verdict"].clone()
    };
    assert_eq!(verdict("admission-policies-match-conditions-valid", 1), "failed");
    assert_eq!(verdict("cel-cost-runtime-policy-expression", 0), "passed");
}
