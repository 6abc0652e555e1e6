//! Applies that must be rejected and change nothing, whether the object exists or not.

use super::MANAGER;
use super::invalid_body::{UNTYPED, applying_twice, replaced};
use crate::closed_schema;
use crate::fields::without;
use crate::patch_types;
use crate::prelude::*;
use crate::rejections::{AbsentThenStored, rejected};
use crate::string_map;

pub(super) fn rows() -> Vec<Row> {
    vec![
        rejected("apply-requests-field-manager-required", &[400, 422], |a: &AbsentThenStored| nameless(a))
            .row(),
        rejected("apply-requests-field-manager-empty", &[400, 422], |a: &AbsentThenStored| {
            ["fieldManager=", "fieldManager"].map(|empty| nameless(a).raw_query(empty))
        })
        .row(),
        rejected("apply-requests-kind-required", &[400], |a: &AbsentThenStored| {
            let whole = a.whole(&[("k", "w")]);
            let kindless = without(whole.clone(), "kind");
            let bodies = [without(kindless.clone(), "apiVersion"), kindless, without(whole, "apiVersion")];
            bodies.map(|body| a.applying_body(MANAGER, &body))
        })
        .row(),
        rejected("apply-requests-api-version-must-match-url", &[400], |a: &AbsentThenStored| {
            let other = a.collection.resource().another_api_version();
            [other.as_str(), "kube-assay.example/v1"].map(|version| applying(a, "apiVersion", version))
        })
        .row(),
        rejected("apply-requests-kind-must-match-url", &[400], |a: &AbsentThenStored| {
            applying(a, "kind", a.collection.resource().another_kind())
        })
        .row(),
        rejected("apply-requests-name-must-match-url", &[400], |a: &AbsentThenStored| {
            a.applying_body(MANAGER, &a.of("other").whole(&[("k", "w")]))
        })
        .none_called(&["other"])
        .row(),
        rejected("apply-requests-malformed-body", &[400], |a: &AbsentThenStored| {
            let text = |text| patch_types::raw_patch(&a.collection, a.name, APPLY, text);
            ["{a: [", "a: b: c", "\"a"].map(|body| text(body).query("fieldManager", MANAGER))
        })
        .row(),
        rejected("apply-requests-wrong-type-rejected", &UNTYPED, |a: &AbsentThenStored| {
            let mut bodies = vec![replaced(a, string_map::place(&a.collection), &json!([1]))];
            if closed_schema::is_known(&a.collection) {
                bodies.push(replaced(a, a.collection.value_at(), &json!({ "b": "c" })));
            }
            bodies.iter().map(|body| a.applying_body(MANAGER, body)).collect::<Vec<_>>()
        })
        .row(),
        rejected("apply-requests-duplicate-body-key-strict", &[400], |a: &AbsentThenStored| {
            applying_twice(a).query("fieldValidation", "Strict")
        })
        .row(),
    ]
}

/// An apply without `fieldManager`.
fn nameless(fixture: &ApplyFixture) -> Request {
    patch_types::patch(&fixture.collection, fixture.name, APPLY, &fixture.whole(&[("k", "w")]))
}

/// An apply of the whole object with another value of a top-level field.
fn applying(fixture: &ApplyFixture, field: &str, value: &str) -> Request {
    let mut body = fixture.whole(&[("k", "w")]);
    body[field] = value.into();
    fixture.applying_body(MANAGER, &body)
}
