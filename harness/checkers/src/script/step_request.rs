//! The request that a step is.

use http::Method;
use serde_json::Value;

/// A uid that no object has.
pub const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

/// A request, and what it says of versions.
#[derive(Debug, Clone)]
pub struct StepRequest {
    /// A `POST` goes to the collection, everything else to the object.
    pub method: Method,
    /// The parameters of the query. A deletion has none: of one that has a body, the query is not read.
    pub query: Vec<(&'static str, &'static str)>,
    /// Of the body; empty if there is none.
    pub content_type: &'static str,
    /// The body, if there is one.
    pub body: Option<Value>,
    /// The version that it names.
    pub version: Option<String>,
    /// The number of the step after which that version was seen.
    pub version_of: Option<usize>,
    /// The uid that it names.
    pub uid: Option<String>,
}
