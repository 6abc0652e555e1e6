//! Applies that must be rejected and leave no trace, whether the object exists or not.

use harness::{Checked, Context, Kinds, Request, Row, table};
use serde_json::json;

use super::MANAGER;
use super::invalid_body::{UNTYPED, applying_twice, replaced};
use crate::apply_fixture::Story;
use crate::closed_schema;
use crate::fields::without;
use crate::patch_types::{self, APPLY};
use crate::string_map;

pub(super) fn rows() -> Vec<Row> {
    table(REJECTED, Kinds::All, rejected)
}

/// The codes that the server may answer with, and the applies.
type Rejected = (&'static [u16], fn(&Story) -> Vec<Request>);

const REJECTED: &[(&str, Rejected)] = &[
    ("apply-requests-field-manager-required", (&[400, 422], |story| vec![nameless(story)])),
    (
        "apply-requests-field-manager-empty",
        (&[400, 422], |story| {
            ["fieldManager=", "fieldManager"].map(|empty| nameless(story).raw_query(empty)).into()
        }),
    ),
    (
        "apply-requests-kind-required",
        (&[400], |story| {
            let whole = story.whole(&[("k", "w")]);
            let kindless = without(whole.clone(), "kind");
            let bodies = [without(kindless.clone(), "apiVersion"), kindless, without(whole, "apiVersion")];
            bodies.map(|body| story.applying_body(MANAGER, &body)).into()
        }),
    ),
    (
        "apply-requests-api-version-must-match-url",
        (&[400], |story| {
            let other = story.collection.resource().another_api_version();
            [other.as_str(), "kube-assay.example/v1"]
                .map(|version| applying(story, "apiVersion", version))
                .into()
        }),
    ),
    (
        "apply-requests-kind-must-match-url",
        (&[400], |story| vec![applying(story, "kind", story.collection.resource().another_kind())]),
    ),
    (
        "apply-requests-malformed-body",
        (&[400], |story| {
            let text = |text| patch_types::raw_patch(&story.collection, story.name, APPLY, text);
            ["{a: [", "a: b: c", "\"a"].map(|body| text(body).query("fieldManager", MANAGER)).into()
        }),
    ),
    (
        "apply-requests-wrong-type-rejected",
        (&UNTYPED, |story| {
            let mut bodies = vec![replaced(story, string_map::place(&story.collection), &json!([1]))];
            if closed_schema::is_known(&story.collection) {
                bodies.push(replaced(story, story.collection.value_at(), &json!({ "b": "c" })));
            }
            bodies.iter().map(|body| story.applying_body(MANAGER, body)).collect()
        }),
    ),
    (
        "apply-requests-duplicate-body-key-strict",
        (&[400], |story| vec![applying_twice(story).query("fieldValidation", "Strict")]),
    ),
];

async fn rejected(cx: Context, (codes, requests): Rejected) -> Checked {
    let story = Story::of_the_subject(&cx).await?;

    super::expect_refused(&story, &requests(&story), codes).await
}

/// An apply without a manager.
fn nameless(story: &Story) -> Request {
    patch_types::patch(&story.collection, story.name, APPLY, &story.whole(&[("k", "w")]))
}

/// An apply of the whole object with another field at its top.
fn applying(story: &Story, field: &str, value: &str) -> Request {
    let mut body = story.whole(&[("k", "w")]);
    body[field] = value.into();
    story.applying_body(MANAGER, &body)
}
