//! Invalid objects that must be rejected, with the causes that the response gives.

use super::{expect_cause, receipt};
use crate::error_response::causes;
use crate::object_fixture::post_with;
use crate::prelude::*;
use crate::rejections::{self, Of, Rejection, rejected, rejected_create};
use crate::{deployments, names};

pub(super) fn rows() -> Vec<Row> {
    rejections::rows(REJECTED)
}

const REJECTED: &[Rejection] = &[
    rejected("validation-failure-reason-invalid", &[422], "Invalid", |a| receipt::invalid(a).into())
        .response_only()
        .and(|refused| {
            let status = refused.json().map(|status| status["status"].clone()).unwrap_or_default();
            refused.expect(status == "Failure", "status Failure", status.to_string())
        }),
    rejected_create("validation-reports-all-errors", &[422], "Invalid", |collection| {
        vec![post_with(collection, NAME, |body| {
            body["metadata"]["labels"]["assay"] = "with a space".into();
            body["metadata"]["labels"]["assay-other"] = "as bad".into();
            body["metadata"]["annotations"]["with a space"] = "text".into();
        })]
    })
    .response_only()
    .and(|refused| {
        let told = causes(refused).map_or(0, |causes| causes.len());
        refused.expect(told >= 3, "three causes: two labels and an annotation", refused.text())
    }),
    rejected_create("validation-string-length-checked", &[422], "Invalid", |collection| {
        let with =
            |field: &str, value: Value| post_with(collection, NAME, |body| body["metadata"][field] = value);
        let mut requests = vec![
            post_with(collection, NAME, |body| body["metadata"]["labels"]["assay"] = "x".repeat(64).into()),
            with("finalizers", json!([format!("kube-assay.dev/{}", "x".repeat(300))])),
        ];
        // Names that are steps of a path may be as long as can be stored.
        if names::reason_for_other_names(collection.resource()).is_none() {
            requests.push(with("name", "x".repeat(254).into()));
        }
        requests
    }),
    rejected_create("validation-map-keys-checked", &[422], "Invalid", |collection| {
        vec![post_with(collection, NAME, |body| body["data"]["with a space"] = "text".into())]
    })
    .only(Of::ConfigMaps)
    .response_only()
    .and(|refused| expect_words(refused, "data[with a space]", "FieldValueInvalid", &[])),
    rejected_create("validation-message-must-not", &[422], "Invalid", |collection| {
        vec![post_with(collection, NAME, |body| body["data"][".."] = "text".into())]
    })
    .only(Of::ConfigMaps)
    .response_only()
    .and(|refused| expect_words(refused, "data[..]", "FieldValueInvalid", &["must not"])),
    rejected_create("validation-message-must", &[422], "Invalid", |collection| {
        vec![with_spec(collection, "replicas", json!(-1))]
    })
    .only(Of::Deployments)
    .response_only()
    .and(|refused| {
        expect_words(refused, "spec.replicas", "FieldValueInvalid", &["must be greater than or equal to 0"])
    }),
    too_many_values("validation-message-literals-single-quoted", |refused| {
        expect_words(refused, VALUES, "FieldValueForbidden", &["'Exists'"])
    }),
    too_many_values("validation-message-fields-backquoted", |refused| {
        expect_words(refused, VALUES, "FieldValueForbidden", &["`operator`"])
    }),
];

/// The create of a Deployment whose selector gives values to an operator that takes none.
const fn too_many_values(clause: &'static str, check: fn(&Exchange) -> Checked) -> Rejection {
    rejected_create(clause, &[422], "Invalid", |collection| vec![with_values(collection)])
        .only(Of::Deployments)
        .response_only()
        .and(check)
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
