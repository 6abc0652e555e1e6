//! Fields and values that must be rejected and change nothing.

use super::types::with_a_number;
use super::{LEVELS, TWICE, UNKNOWN, at, duplicated, post, post_text, with_duplicate, with_unknown};
use crate::object_fixture::post_with;
use crate::patch_types::{patch, raw_patch};
use crate::prelude::*;
use crate::rejections::{
    self, OF_CLIENTS, Of, Rejection, refused, refused_create, rejected, rejected_create,
};
use crate::{deployments, string_map};

pub(super) fn rows() -> Vec<Row> {
    rejections::rows(REJECTED)
}

const REJECTED: &[Rejection] = &[
    rejected("fieldval-unknown-level-422", &[422], "Invalid", |a| {
        let writes = [
            post_with(&a.collection, "b", |_| ()),
            Request::put(a.path(), a.read.json()),
            a.patch(MERGE, &string_map::set(&a.collection, "k", "w")),
        ];
        ["strict", "Foo"].iter().flat_map(|level| writes.clone().map(|write| at(level, write))).collect()
    })
    .with_texts()
    .none_called(&["b"]),
    rejected_create("fieldval-strict-post-unknown-400", &[400], "BadRequest", |collection| {
        vec![at("Strict", post(collection, &with_unknown(collection, "a")))]
    })
    .closed_schema(),
    rejected_create("fieldval-strict-post-duplicate-400", &[400], "BadRequest", |collection| {
        vec![at("Strict", post_text(collection, &with_duplicate(collection, "a")))]
    }),
    rejected("fieldval-strict-put-unknown-400", &[400], "BadRequest", |a| {
        vec![at("Strict", put_with_unknown(a))]
    })
    .closed_schema()
    .with_texts(),
    rejected_create("fieldval-strict-message-lists-all", &[400], "BadRequest", |collection| {
        let mut body = with_unknown(collection, "a");
        body["metadata"]["assayWithin"] = json!(1);
        vec![at("Strict", post_text(collection, &duplicated(body)))]
    })
    .closed_schema()
    .response_only()
    .and(|refused| {
        let message = refused.json().map(|status| status["message"].to_string()).unwrap_or_default();
        [UNKNOWN, "metadata.assayWithin", TWICE].iter().try_for_each(|field| {
            let named = message.contains(field);
            refused.expect(named, format!("a message that names {field}"), refused.brief())
        })
    }),
    refused("fieldval-strict-jsonpatch-unknown", OF_CLIENTS, |a| {
        let list = json!([{ "op": "add", "path": format!("/{UNKNOWN}"), "value": 1 }]);
        vec![at("Strict", a.patch(JSON, &list))]
    })
    .closed_schema()
    .with_texts(),
    refused("fieldval-strict-mergepatch-unknown", OF_CLIENTS, |a| {
        let mut change = string_map::set(&a.collection, "k", "w");
        change[UNKNOWN] = json!(1);
        vec![at("Strict", a.patch(MERGE, &change))]
    })
    .closed_schema()
    .with_texts(),
    refused("fieldval-strict-mergepatch-duplicate", OF_CLIENTS, |a| {
        let change = string_map::set(&a.collection, "k", "w").to_string();
        let twice = change.replacen(r#""k":"w""#, r#""k":"1","k":"w""#, 1);
        vec![at("Strict", raw_patch(&a.collection, "a", MERGE, &twice))]
    })
    .with_texts(),
    refused("fieldval-type-checked-on-put", OF_CLIENTS, |a| {
        vec![Request::put(a.path(), &with_a_number(&a.collection, a.read.json().clone()))]
    })
    .with_texts(),
    refused("fieldval-type-checked-on-patch", OF_CLIENTS, |a| {
        let list = string_map::operations(&a.collection, r#"[{"op":"replace","path":"@/k","value":5}]"#);
        let merge = patch(&a.collection, "a", MERGE, &string_map::merge(&a.collection, &json!({ "k": 5 })));
        vec![merge, raw_patch(&a.collection, "a", JSON, &list)]
    })
    .with_texts(),
    refused_create("fieldval-type-checked-at-every-level", OF_CLIENTS, |collection| {
        let body = with_a_number(collection, string_map::body(collection, "a", &[("k", "v")]));
        LEVELS.map(|level| at(level, post(collection, &body))).into()
    }),
    refused_create("fieldval-fatal-error-hides-strict-errors", OF_CLIENTS, |collection| {
        let mut body: Value = deployments::body("a");
        body["spec"]["replicas"] = json!("two");
        body["spec"][UNKNOWN] = json!(1);
        LEVELS.map(|level| at(level, post(collection, &body))).into()
    })
    .only(Of::Deployments),
];

/// An update with an unknown field.
fn put_with_unknown(a: &StoredObject) -> Request {
    let mut body = a.read.json().clone();
    body[UNKNOWN] = json!(1);
    Request::put(a.path(), &body)
}
