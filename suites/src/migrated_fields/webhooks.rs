//! Configurations of admission webhooks: defaults, required fields and valid values.

use super::creation::{
    Creations, DUPLICATE, INVALID, NOT_SUPPORTED, REQUIRED, accepted, create, creations, invalid,
};
use super::manifest::{Manifest, REMOVED, manifest};
use crate::prelude::*;
use crate::removed_apis::api::cluster;

pub(super) fn rows() -> Vec<Row> {
    table(CREATIONS, Kinds::Own, create)
}

const VERSION: &str = "admissionregistration.k8s.io/v1";

/// A configuration of each kind.
const BOTH: &[Manifest] = &[
    configuration("validatingwebhookconfigurations", "ValidatingWebhookConfiguration"),
    configuration("mutatingwebhookconfigurations", "MutatingWebhookConfiguration"),
];

/// One webhook for a type that does not exist, at an address without a server.
const fn configuration(plural: &'static str, kind: &'static str) -> Manifest {
    let fields = |_: &Context, _: &str| {
        let rule = json!({
            "apiGroups": ["none.kube-assay.dev"], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["none"],
        });
        let webhook = json!({
            "name": "a.kube-assay.dev", "clientConfig": { "url": "https://127.0.0.1:1/x" }, "rules": [rule],
            "sideEffects": "None", "admissionReviewVersions": ["v1"],
        });
        json!({ "webhooks": [webhook] })
    };
    manifest(cluster(VERSION, plural, kind), fields).of_feature("AdmissionWebhooks")
}

const TIMEOUT: &str = "/webhooks/0/timeoutSeconds";
const EFFECTS: &str = "/webhooks/0/sideEffects";
const REVIEWS: &str = "/webhooks/0/admissionReviewVersions";
/// A second webhook with the name of the first.
const SECOND: &str = r#"{"name":"a.kube-assay.dev","clientConfig":{"url":"https://127.0.0.1:1/y"},"sideEffects":"None","admissionReviewVersions":["v1"]}"#;

#[rustfmt::skip]
const CREATIONS: &[(&str, Creations)] = &[
    ("migrated-fields-webhook-failurepolicy-default", creations(BOTH, &[accepted(&[], &[("/webhooks/0/failurePolicy", r#""Fail""#)])])),
    ("migrated-fields-webhook-matchpolicy-default", creations(BOTH, &[accepted(&[], &[("/webhooks/0/matchPolicy", r#""Equivalent""#)])])),
    ("migrated-fields-webhook-timeout-default", creations(BOTH, &[
        accepted(&[], &[(TIMEOUT, "10")]),
        accepted(&[(TIMEOUT, "30")], &[(TIMEOUT, "30")]),
        invalid(&[(TIMEOUT, "0")], INVALID, &["webhooks[0].timeoutSeconds"]),
        invalid(&[(TIMEOUT, "31")], INVALID, &["webhooks[0].timeoutSeconds"]),
    ])),
    ("migrated-fields-webhook-sideeffects-required", creations(BOTH, &[
        invalid(&[(EFFECTS, REMOVED)], REQUIRED, &["webhooks[0].sideEffects"]),
    ])),
    ("migrated-fields-webhook-sideeffects-values", creations(BOTH, &[
        invalid(&[(EFFECTS, r#""Some""#)], NOT_SUPPORTED, &["webhooks[0].sideEffects"]),
        invalid(&[(EFFECTS, r#""Unknown""#)], NOT_SUPPORTED, &["webhooks[0].sideEffects"]),
        accepted(&[(EFFECTS, r#""NoneOnDryRun""#)], &[(EFFECTS, r#""NoneOnDryRun""#)]),
    ])),
    ("migrated-fields-webhook-reviewversions-required", creations(BOTH, &[
        invalid(&[(REVIEWS, REMOVED)], REQUIRED, &["webhooks[0].admissionReviewVersions"]),
        invalid(&[(REVIEWS, "[]")], REQUIRED, &["webhooks[0].admissionReviewVersions"]),
    ])),
    ("migrated-fields-webhook-reviewversions-supported", creations(BOTH, &[
        invalid(&[(REVIEWS, r#"["v9"]"#)], INVALID, &["webhooks[0].admissionReviewVersions"]),
        accepted(&[(REVIEWS, r#"["v9","v1"]"#)], &[(REVIEWS, r#"["v9","v1"]"#)]),
        accepted(&[(REVIEWS, r#"["v1beta1"]"#)], &[(REVIEWS, r#"["v1beta1"]"#)]),
    ])),
    ("migrated-fields-webhook-names-unique", creations(BOTH, &[
        invalid(&[("/webhooks/1", SECOND)], DUPLICATE, &["webhooks[1].name"]),
    ])),
];
