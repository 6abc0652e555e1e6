//! Invalid objects that must be rejected, with the causes in the response.

use super::{expect_cause, receipt};
use crate::error_response::causes;
use crate::prelude::*;
use crate::rejections::{RejectionFixture, rejected};
use crate::{deployments, names};

pub(super) fn rows() -> Vec<Row> {
    vec![
        rejected("validation-failure-reason-invalid", &[422], |a: &StoredObject| receipt::invalid(a))
            .reason("Invalid")
            .response_only()
            .and(|response| {
                let status = response.json().map_or(&Value::Null, |status| &status["status"]);
                response.expect(status == "Failure", "status Failure", status.to_string())
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
        .and(|response| {
            let count = causes(response).map_or(0, |causes| causes.len());
            response.expect(count >= 3, "three causes: two labels and an annotation", response.text())
        })
        .row(),
        rejected("validation-string-length-checked", &[422], |collection: &Collection| {
            let with =
                |change: fn(&mut Value)| post_with(collection, NAME, |body| change(&mut body["metadata"]));
            let mut requests = vec![
                with(|metadata| metadata["labels"]["assay"] = "x".repeat(64).into()),
                with(|metadata| {
                    metadata["finalizers"] = json!([format!("kube-assay.dev/{}", "x".repeat(300))]);
                }),
            ];
            // Names that are only validated as path segments have no limit but that of the store.
            if names::reason_for_other_names(collection.resource()).is_none() {
                requests.push(with(|metadata| metadata["name"] = "x".repeat(254).into()));
            }
            requests
        })
        .reason("Invalid")
        .row(),
        invalid(
            "validation-map-keys-checked",
            |maps: &ConfigMaps| post_with(maps, NAME, |body| body["data"]["with a space"] = "text".into()),
            |response| expect_words(response, "data[with a space]", "FieldValueInvalid", &[]),
        ),
        invalid(
            "validation-message-must-not",
            |maps: &ConfigMaps| post_with(maps, NAME, |body| body["data"][".."] = "text".into()),
            |response| expect_words(response, "data[..]", "FieldValueInvalid", &["must not"]),
        ),
        invalid(
            "validation-message-must",
            |deployments: &Deployments| with_spec(deployments, "replicas", json!(-1)),
            |response| {
                let words = "must be greater than or equal to 0";
                expect_words(response, "spec.replicas", "FieldValueInvalid", &[words])
            },
        ),
        invalid(
            "validation-message-literals-single-quoted",
            |deployments: &Deployments| with_values(deployments),
            |response| expect_words(response, VALUES, "FieldValueForbidden", &["'Exists'"]),
        ),
        invalid(
            "validation-message-fields-backquoted",
            |deployments: &Deployments| with_values(deployments),
            |response| expect_words(response, VALUES, "FieldValueForbidden", &["`operator`"]),
        ),
    ]
}

/// The create of an invalid object of a built-in type, and a check of the response.
fn invalid<F: RejectionFixture>(
    clause: &'static str,
    create: fn(&F) -> Request,
    check: fn(&Exchange) -> Checked,
) -> Row {
    rejected(clause, &[422], create).reason("Invalid").response_only().and(check).row().own_kinds()
}

/// The field with the values.
pub(super) const VALUES: &str = "spec.selector.matchExpressions[0].values";

/// The create of a Deployment whose selector has values for an operator without values.
pub(super) fn with_values(collection: &Collection) -> Request {
    let expression = json!({ "key": "assay", "operator": "Exists", "values": ["x"] });
    let selector = json!({ "matchLabels": { "assay": NAME }, "matchExpressions": [expression] });
    with_spec(collection, "selector", selector)
}

/// The create of a Deployment with this field of its spec.
pub(super) fn with_spec(collection: &Collection, field: &str, value: Value) -> Request {
    let mut body = deployments::body(NAME);
    body["spec"][field] = value;
    Request::post(collection.path(), &body)
}

/// A cause of this field and reason has a message with these words.
pub(super) fn expect_words(response: &Exchange, field: &str, reason: &str, words: &[&str]) -> Checked {
    let message = expect_cause(response, field, reason)?["message"].as_str().unwrap_or_default();
    let all = words.iter().all(|words| message.contains(words));
    response.expect(all, format!("a message with {}", words.join(", ")), message)
}
