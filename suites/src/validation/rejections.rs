//! Invalid objects that must be rejected, with the causes that the response gives.

use super::{expect_cause, receipt};
use crate::error_response::causes;
use crate::object_fixture::post_with;
use crate::prelude::*;
use crate::rejections::rejected;
use crate::{deployments, names};

pub(super) fn rows() -> Vec<Row> {
    vec![
        rejected("validation-failure-reason-invalid", &[422], |a: &StoredObject| receipt::invalid(a))
            .reason("Invalid")
            .response_only()
            .and(|refused| {
                let status = refused.json().map(|status| status["status"].clone()).unwrap_or_default();
                refused.expect(status == "Failure", "status Failure", status.to_string())
            })
            .row(),
        rejected("validation-reports-all-errors", &[422], |collection: &Collection| {
            post_with(collection, NAME, |body| {
                body["metadata"]["labels"]["assay"] = "with a space".into();
                body["metadata"]["labels"]["assay-other"] = "as bad".into();
                body["metadata"]["annotations"]["with a space"] = "text".into();
            })
        })
        .reason("Invalid")
        .response_only()
        .and(|refused| {
            let told = causes(refused).map_or(0, |causes| causes.len());
            refused.expect(told >= 3, "three causes: two labels and an annotation", refused.text())
        })
        .row(),
        rejected("validation-string-length-checked", &[422], |collection: &Collection| {
            let with = |field: &str, value: Value| {
                post_with(collection, NAME, |body| body["metadata"][field] = value)
            };
            let mut requests = vec![
                post_with(collection, NAME, |body| {
                    body["metadata"]["labels"]["assay"] = "x".repeat(64).into();
                }),
                with("finalizers", json!([format!("kube-assay.dev/{}", "x".repeat(300))])),
            ];
            // Names that are steps of a path may be as long as can be stored.
            if names::reason_for_other_names(collection.resource()).is_none() {
                requests.push(with("name", "x".repeat(254).into()));
            }
            requests
        })
        .reason("Invalid")
        .row(),
        rejected("validation-map-keys-checked", &[422], |collection: &ConfigMaps| {
            post_with(collection, NAME, |body| body["data"]["with a space"] = "text".into())
        })
        .reason("Invalid")
        .response_only()
        .and(|refused| expect_words(refused, "data[with a space]", "FieldValueInvalid", &[]))
        .row()
        .own_kinds(),
        rejected("validation-message-must-not", &[422], |collection: &ConfigMaps| {
            post_with(collection, NAME, |body| body["data"][".."] = "text".into())
        })
        .reason("Invalid")
        .response_only()
        .and(|refused| expect_words(refused, "data[..]", "FieldValueInvalid", &["must not"]))
        .row()
        .own_kinds(),
        rejected("validation-message-must", &[422], |collection: &Deployments| {
            with_spec(collection, "replicas", json!(-1))
        })
        .reason("Invalid")
        .response_only()
        .and(|refused| {
            expect_words(
                refused,
                "spec.replicas",
                "FieldValueInvalid",
                &["must be greater than or equal to 0"],
            )
        })
        .row()
        .own_kinds(),
        too_many_values("validation-message-literals-single-quoted", |refused| {
            expect_words(refused, VALUES, "FieldValueForbidden", &["'Exists'"])
        }),
        too_many_values("validation-message-fields-backquoted", |refused| {
            expect_words(refused, VALUES, "FieldValueForbidden", &["`operator`"])
        }),
    ]
}

/// The create of a Deployment whose selector gives values to an operator that takes none.
fn too_many_values(clause: &'static str, check: fn(&Exchange) -> Checked) -> Row {
    rejected(clause, &[422], |collection: &Deployments| with_values(collection))
        .reason("Invalid")
        .response_only()
        .and(check)
        .row()
        .own_kinds()
}

/// The field with the values.
pub(super) const VALUES: &str = "spec.selector.matchExpressions[0].values";

pub(super) fn with_values(collection: &Collection) -> Request {
    let expression = json!({ "key": "assay", "operator": "Exists", "values": ["x"] });
    let selector = json!({ "matchLabels": { "assay": NAME }, "matchExpressions": [expression] });
    with_spec(collection, "selector", selector)
}

/// The create of a Deployment with this in its spec.
pub(super) fn with_spec(collection: &Collection, field: &str, value: Value) -> Request {
    let mut body = deployments::body(NAME);
    body["spec"][field] = value;
    Request::post(collection.path(), &body)
}

/// A cause at this field and of this reason has a message with these words.
pub(super) fn expect_words(refused: &Exchange, field: &str, reason: &str, words: &[&str]) -> Checked {
    let message = expect_cause(refused, field, reason)?["message"].as_str().unwrap_or_default();
    let all = words.iter().all(|words| message.contains(words));
    refused.expect(all, format!("a message with {}", words.join(", ")), message)
}
