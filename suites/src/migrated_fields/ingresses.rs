//! Ingresses: backends of services, and the type of a path.

use super::creation::{
    Creations, INVALID, NOT_SUPPORTED, REQUIRED, accepted, create, creations, invalid, undecodable,
};
use super::manifest::{Manifest, REMOVED, manifest};
use crate::prelude::*;
use crate::removed_apis::api::namespaced;

pub(super) fn rows() -> Vec<Row> {
    table(CREATIONS, Kinds::Own, create)
}

/// One path, for a class without a controller.
const INGRESS: &[Manifest] = &[manifest(
    namespaced("networking.k8s.io/v1", "ingresses", "Ingress"),
    |_, _| {
        let backend = json!({ "service": { "name": "s", "port": { "number": 80 } } });
        let path = json!({ "path": "/", "pathType": "Prefix", "backend": backend });
        json!({ "spec": { "ingressClassName": "kube-assay-none", "rules": [{ "http": { "paths": [path] } }] } })
    },
)];

const RULES: &str = "/spec/rules";
const DEFAULT_BACKEND: &str = "/spec/defaultBackend";
const SERVICE: &str = r#"{"service":{"name":"s","port":{"number":80}}}"#;
const BACKEND: &str = "/spec/rules/0/http/paths/0/backend";
const PORT: &str = "/spec/rules/0/http/paths/0/backend/service/port";
const PATH: &str = "/spec/rules/0/http/paths/0/path";
const TYPE: &str = "/spec/rules/0/http/paths/0/pathType";
const TYPE_FIELD: &[&str] = &["spec.rules[0].http.paths[0].pathType"];

#[rustfmt::skip]
const CREATIONS: &[(&str, Creations)] = &[
    ("migrated-fields-ingress-defaultbackend-renamed", creations(INGRESS, &[
        accepted(&[(RULES, REMOVED), (DEFAULT_BACKEND, SERVICE)], &[(DEFAULT_BACKEND, SERVICE)]),
        invalid(&[(RULES, REMOVED), ("/spec/backend", SERVICE)], INVALID, &[]).unknown(&["spec.backend"]),
    ])),
    ("migrated-fields-ingress-backend-service-name", creations(INGRESS, &[
        invalid(&[(BACKEND, r#"{"serviceName":"s","servicePort":80}"#)], INVALID, &[]).unknown(&[
            "spec.rules[0].http.paths[0].backend.serviceName", "spec.rules[0].http.paths[0].backend.servicePort",
        ]),
        accepted(&[(BACKEND, SERVICE)], &[(BACKEND, SERVICE)]),
    ])),
    ("migrated-fields-ingress-backend-port-number", creations(INGRESS, &[
        accepted(&[(PORT, r#"{"number":80}"#)], &[(PORT, r#"{"number":80}"#)]),
        undecodable(&[(PORT, r#"{"number":"80"}"#)]),
        invalid(&[(PORT, "{}")], INVALID, &[]),
    ])),
    ("migrated-fields-ingress-backend-port-name", creations(INGRESS, &[
        accepted(&[(PORT, r#"{"name":"http"}"#)], &[(PORT, r#"{"name":"http"}"#)]),
        undecodable(&[(PORT, r#"{"name":80}"#)]),
        invalid(&[(PORT, r#"{"name":"http","number":80}"#)], INVALID, &[]),
    ])),
    ("migrated-fields-ingress-pathtype-required", creations(INGRESS, &[invalid(&[(TYPE, REMOVED)], REQUIRED, TYPE_FIELD)])),
    ("migrated-fields-ingress-pathtype-values", creations(INGRESS, &[
        accepted(&[(TYPE, r#""Prefix""#)], &[(TYPE, r#""Prefix""#)]),
        accepted(&[(TYPE, r#""Exact""#)], &[(TYPE, r#""Exact""#)]),
        accepted(&[(TYPE, r#""ImplementationSpecific""#)], &[(TYPE, r#""ImplementationSpecific""#)]),
        invalid(&[(TYPE, r#""Regex""#)], NOT_SUPPORTED, TYPE_FIELD),
        invalid(&[(TYPE, r#""""#)], NOT_SUPPORTED, TYPE_FIELD),
    ])),
    ("migrated-fields-ingress-pathtype-implementationspecific", creations(INGRESS, &[
        accepted(&[(PATH, REMOVED), (TYPE, r#""ImplementationSpecific""#)], &[(PATH, "null"), (TYPE, r#""ImplementationSpecific""#)]),
        invalid(&[(PATH, REMOVED), (TYPE, r#""Prefix""#)], INVALID, &["spec.rules[0].http.paths[0].path"]),
    ])),
];
