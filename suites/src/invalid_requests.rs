//! Invalid requests, each with the expected status code and reason.

use crate::patch_types;
use crate::prelude::*;

/// A request that must be refused.
#[derive(Debug, Clone)]
pub(crate) struct InvalidRequest {
    /// The HTTP status of the refusal.
    pub(crate) code: u16,
    /// The reason in its Status.
    pub(crate) reason: &'static str,
    pub(crate) request: Request,
}

fn invalid_request(code: u16, reason: &'static str, request: Request) -> InvalidRequest {
    InvalidRequest { code, reason, request }
}

/// The name of an object that there is not.
pub(crate) const MISSING: &str = "missing";

/// The mistakes that can be made with an object of any type, given what was read before it was changed.
pub(crate) fn all(stored: &StoredObject) -> Vec<InvalidRequest> {
    let collection = &stored.collection;
    let mut invalid_requests = bad_requests(stored);
    invalid_requests.extend(not_allowed(stored));
    invalid_requests.extend([
        invalid_request(404, "NotFound", Request::get(collection.path_of(MISSING))),
        invalid_request(406, "NotAcceptable", Request::get(stored.path()).accept("application/xml")),
        invalid_request(
            409,
            "AlreadyExists",
            Request::post(collection.path(), &collection.body(NAME, "first")),
        ),
        invalid_request(409, "Conflict", Request::put(stored.path(), &stored.body("third"))),
        invalid_request(415, "UnsupportedMediaType", as_text(stored)),
        invalid(stored),
    ]);
    invalid_requests
}

/// What makes no sense, whatever is stored.
pub(crate) fn bad_requests(stored: &StoredObject) -> Vec<InvalidRequest> {
    let collection = &stored.collection;
    let broken = patch_types::raw(Request::new(Method::POST, collection.path()), "application/json", "{");
    let renamed = Request::put(stored.path(), &collection.body("other", "first"));
    [broken, renamed].map(|request| invalid_request(400, "BadRequest", request)).into()
}

/// Methods that a URL does not support. A custom type takes a POST to the URL of an object for a create.
pub(crate) fn not_allowed(stored: &StoredObject) -> Vec<InvalidRequest> {
    let collection = &stored.collection;
    let mut requests = Vec::new();
    if stored.is_built_in() {
        requests.push(Request::post(stored.path(), &collection.body(NAME, "first")));
    }
    if collection.has_status() {
        requests.push(Request::delete(collection.status_path_of(NAME)));
    }
    requests.into_iter().map(|request| invalid_request(405, "MethodNotAllowed", request)).collect()
}

/// A create of a well-formed and invalid object.
pub(crate) fn invalid(stored: &StoredObject) -> InvalidRequest {
    let mut body = stored.collection.body("b", "first");
    body["metadata"]["labels"]["assay"] = "with a space".into();
    invalid_request(422, "Invalid", Request::post(stored.collection.path(), &body))
}

fn as_text(stored: &StoredObject) -> Request {
    let create = Request::new(Method::POST, stored.collection.path());
    patch_types::raw(create, "text/plain", &stored.collection.body("b", "first").to_string())
}
