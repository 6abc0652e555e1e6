//! The request of a step.

use http::Method;
use serde_json::Value;

/// A uid that no object has.
pub const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

/// A request, and the versions in it.
#[derive(Debug, Clone)]
pub struct StepRequest {
    /// A `POST` goes to the collection, everything else to the object.
    pub method: Method,
    /// The query parameters. A deletion has none: the server ignores the query of a DELETE with a body.
    pub query: Vec<(&'static str, &'static str)>,
    /// The content type of the body; empty without one.
    pub content_type: &'static str,
    /// The body, if any.
    pub body: Option<Value>,
    /// The resourceVersion in the request.
    pub version: Option<String>,
    /// The number of the step that returned that version.
    pub version_of: Option<usize>,
    /// The uid in the request.
    pub uid: Option<String>,
}
