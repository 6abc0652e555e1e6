//! Applies that must be rejected and leave no trace, whether the object exists or not.

use super::MANAGER;
use super::invalid_body::{UNTYPED, applying_twice, replaced};
use crate::closed_schema;
use crate::fields::without;
use crate::patch_types;
use crate::prelude::*;
use crate::string_map;

pub(super) fn rows() -> Vec<Row> {
    table(REJECTED, Kinds::All, rejected)
}

/// The codes that the server may answer with, and the applies.
type Rejected = (&'static [u16], fn(&ApplyFixture) -> Vec<Request>);

const REJECTED: &[(&str, Rejected)] = &[
    ("apply-requests-field-manager-required", (&[400, 422], |fixture| vec![nameless(fixture)])),
    (
        "apply-requests-field-manager-empty",
        (&[400, 422], |fixture| {
            ["fieldManager=", "fieldManager"].map(|empty| nameless(fixture).raw_query(empty)).into()
        }),
    ),
    (
        "apply-requests-kind-required",
        (&[400], |fixture| {
            let whole = fixture.whole(&[("k", "w")]);
            let kindless = without(whole.clone(), "kind");
            let bodies = [without(kindless.clone(), "apiVersion"), kindless, without(whole, "apiVersion")];
            bodies.map(|body| fixture.applying_body(MANAGER, &body)).into()
        }),
    ),
    (
        "apply-requests-api-version-must-match-url",
        (&[400], |fixture| {
            let other = fixture.collection.resource().another_api_version();
            [other.as_str(), "kube-assay.example/v1"]
                .map(|version| applying(fixture, "apiVersion", version))
                .into()
        }),
    ),
    (
        "apply-requests-kind-must-match-url",
        (&[400], |fixture| vec![applying(fixture, "kind", fixture.collection.resource().another_kind())]),
    ),
    (
        "apply-requests-malformed-body",
        (&[400], |fixture| {
            let text = |text| patch_types::raw_patch(&fixture.collection, fixture.name, APPLY, text);
            ["{a: [", "a: b: c", "\"a"].map(|body| text(body).query("fieldManager", MANAGER)).into()
        }),
    ),
    (
        "apply-requests-wrong-type-rejected",
        (&UNTYPED, |fixture| {
            let mut bodies = vec![replaced(fixture, string_map::place(&fixture.collection), &json!([1]))];
            if closed_schema::is_known(&fixture.collection) {
                bodies.push(replaced(fixture, fixture.collection.value_at(), &json!({ "b": "c" })));
            }
            bodies.iter().map(|body| fixture.applying_body(MANAGER, body)).collect()
        }),
    ),
    (
        "apply-requests-duplicate-body-key-strict",
        (&[400], |fixture| vec![applying_twice(fixture).query("fieldValidation", "Strict")]),
    ),
];

async fn rejected(cx: Context, (codes, requests): Rejected) -> Checked {
    let fixture = ApplyFixture::of_the_subject(&cx).await?;

    super::expect_refused(&fixture, &requests(&fixture), codes).await
}

/// An apply without a manager.
fn nameless(fixture: &ApplyFixture) -> Request {
    patch_types::patch(&fixture.collection, fixture.name, APPLY, &fixture.whole(&[("k", "w")]))
}

/// An apply of the whole object with another field at its top.
fn applying(fixture: &ApplyFixture, field: &str, value: &str) -> Request {
    let mut body = fixture.whole(&[("k", "w")]);
    body[field] = value.into();
    fixture.applying_body(MANAGER, &body)
}
