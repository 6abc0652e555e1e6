//! Fields and values that must be rejected and change nothing.

use super::types::with_a_number;
use super::{LEVELS, TWICE, UNKNOWN, at, duplicated, post, post_text, with_duplicate, with_unknown};
use crate::patch_types::{patch, raw_patch};
use crate::prelude::*;
use crate::rejections::{OF_CLIENTS, StringMap, StringMapIn, rejected};
use crate::{deployments, string_map};

pub(super) fn rows() -> Vec<Row> {
    vec![
        rejected("fieldval-unknown-level-422", &[422], |a: &StringMap| {
            let writes = [
                post_with(&a.collection, "b", |_| ()),
                Request::put(a.path(), a.read.json()),
                a.patch(MERGE, &string_map::set(&a.collection, "k", "w")),
            ];
            ["strict", "Foo"]
                .iter()
                .flat_map(|level| writes.clone().map(|write| at(level, write)))
                .collect::<Vec<_>>()
        })
        .reason("Invalid")
        .none_called(&["b"])
        .row(),
        rejected("fieldval-strict-post-unknown-400", &[400], |collection: &ClosedSchema| {
            at("Strict", post(collection, &with_unknown(collection, "a")))
        })
        .reason("BadRequest")
        .row(),
        rejected("fieldval-strict-post-duplicate-400", &[400], |collection: &Collection| {
            at("Strict", post_text(collection, &with_duplicate(collection, "a")))
        })
        .reason("BadRequest")
        .row(),
        rejected("fieldval-strict-put-unknown-400", &[400], |a: &StringMapIn<ClosedSchema>| {
            at("Strict", put_with_unknown(a))
        })
        .reason("BadRequest")
        .row(),
        rejected("fieldval-strict-message-lists-all", &[400], |collection: &ClosedSchema| {
            let mut body = with_unknown(collection, "a");
            body["metadata"]["assayWithin"] = json!(1);
            vec![at("Strict", post_text(collection, &duplicated(body)))]
        })
        .reason("BadRequest")
        .response_only()
        .and(|refused| {
            let message = refused.json().map(|status| status["message"].to_string()).unwrap_or_default();
            [UNKNOWN, "metadata.assayWithin", TWICE].iter().try_for_each(|field| {
                let named = message.contains(field);
                refused.expect(named, format!("a message with {field}"), refused.brief())
            })
        })
        .row(),
        rejected("fieldval-strict-jsonpatch-unknown", OF_CLIENTS, |a: &StringMapIn<ClosedSchema>| {
            let list = json!([{ "op": "add", "path": format!("/{UNKNOWN}"), "value": 1 }]);
            vec![at("Strict", a.patch(JSON, &list))]
        })
        .row(),
        rejected("fieldval-strict-mergepatch-unknown", OF_CLIENTS, |a: &StringMapIn<ClosedSchema>| {
            let mut change = string_map::set(&a.collection, "k", "w");
            change[UNKNOWN] = json!(1);
            vec![at("Strict", a.patch(MERGE, &change))]
        })
        .row(),
        rejected("fieldval-strict-mergepatch-duplicate", OF_CLIENTS, |a: &StringMap| {
            let change = string_map::set(&a.collection, "k", "w").to_string();
            let twice = change.replacen(r#""k":"w""#, r#""k":"1","k":"w""#, 1);
            vec![at("Strict", raw_patch(&a.collection, "a", MERGE, &twice))]
        })
        .row(),
        rejected("fieldval-type-checked-on-put", OF_CLIENTS, |a: &StringMap| {
            Request::put(a.path(), &with_a_number(&a.collection, a.read.json().clone()))
        })
        .row(),
        rejected("fieldval-type-checked-on-patch", OF_CLIENTS, |a: &StringMap| {
            let list = string_map::operations(&a.collection, r#"[{"op":"replace","path":"@/k","value":5}]"#);
            let merge =
                patch(&a.collection, "a", MERGE, &string_map::merge(&a.collection, &json!({ "k": 5 })));
            vec![merge, raw_patch(&a.collection, "a", JSON, &list)]
        })
        .row(),
        rejected("fieldval-type-checked-at-every-level", OF_CLIENTS, |collection: &Collection| {
            let body = with_a_number(collection, string_map::body(collection, "a", &[("k", "v")]));
            LEVELS.map(|level| at(level, post(collection, &body)))
        })
        .row(),
        rejected("fieldval-fatal-error-hides-strict-errors", OF_CLIENTS, |collection: &Deployments| {
            let mut body: Value = deployments::body("a");
            body["spec"]["replicas"] = json!("two");
            body["spec"][UNKNOWN] = json!(1);
            LEVELS.map(|level| at(level, post(collection, &body)))
        })
        .row()
        .own_kinds(),
    ]
}

/// An update with an unknown field.
fn put_with_unknown(a: &StoredObject) -> Request {
    let mut body = a.read.json().clone();
    body[UNKNOWN] = json!(1);
    Request::put(a.path(), &body)
}
