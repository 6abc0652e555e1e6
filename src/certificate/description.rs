//! The digests of the server's own description, from the first requests of a run.

use std::iter;

use harness::{Client, Evidence, Request};

use crate::digest::sha256;
use crate::setup::Setup;

/// The index of the `OpenAPI` documents: it has a hash of each.
const OPENAPI: &str = "/openapi/v3";

/// Reads the index for the record, if a certificate may need it. A server need not have it.
pub(crate) async fn request_openapi(client: &Client, setup: &Setup) {
    if setup.invocation.requirements.is_none() {
        return;
    }
    let _ = client.send(&Request::get(OPENAPI), "certificate").await;
}

/// SHA-256 of the discovery documents that the run read first, each after its path.
pub(super) fn discovery_digest(evidence: &Evidence) -> String {
    let documents = evidence.first_responses(is_discovery);
    sha256(documents.iter().flat_map(|(path, body)| [path.as_bytes(), b"\n", body.as_slice(), b"\n"]))
}

/// SHA-256 of the index of `OpenAPI` documents; `None` if the server has none.
pub(super) fn openapi_digest(evidence: &Evidence) -> Option<String> {
    let documents = evidence.first_responses(|path| path == OPENAPI);
    documents.into_values().next().map(|body| sha256(iter::once(body)))
}

/// `/api`, `/api/VERSION`, `/apis`, `/apis/GROUP` or `/apis/GROUP/VERSION`.
fn is_discovery(path: &str) -> bool {
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    match segments.first() {
        Some(&"api") => segments.len() <= 2,
        Some(&"apis") => segments.len() <= 3,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discovery_is_told_from_resources() {
        for path in ["/api", "/api/v1", "/apis", "/apis/apps", "/apis/apps/v1"] {
            assert!(is_discovery(path), "{path}");
        }
        for path in ["/version", "/api/v1/namespaces", "/apis/apps/v1/deployments", "/openapi/v3", "/"] {
            assert!(!is_discovery(path), "{path}");
        }
    }
}
