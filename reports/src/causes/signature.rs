//! The signature of a cause: the shape of the request, expected and actual.

use model::{ApiPath, Outcome, ScenarioFinished};
use serde_json::Value;

use super::placeholders::Placeholders;
use super::request_shape::{RequestShape, parts};
use crate::failure::Message;

/// Texts with placeholders for the names of objects, types and runs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Signature {
    /// Empty where no exchange shows the failure, and for test errors.
    pub(super) request: RequestShape,
    /// The legal behaviour; empty for an error response, which is one cause whatever was legal. It distinguishes
    /// successful responses, which look alike.
    pub(super) expected: String,
    /// The actual response, or the cause of the test error.
    pub(super) actual: String,
    pub(super) test_error: bool,
}

impl Signature {
    /// Of a scenario that did not pass.
    pub(super) fn of(finished: &ScenarioFinished) -> Self {
        let variant = finished.scenario.as_str().split_once('/').map_or("", |(_, variant)| variant);
        let telling = finished.evidence.last().map_or("", |transcript| transcript.request.as_str());
        let known = placeholders(telling, variant);
        let (expected, actual) = match &finished.outcome {
            Outcome::Failed { failure } => (failure.expected.as_str(), failure.actual.as_str()),
            // Where a server has gone away, everything was attempted in vain for the same reason.
            Outcome::Errored { test_error } => {
                let (request, expected) = (RequestShape::default(), String::new());
                return Self {
                    request,
                    expected,
                    actual: known.put_into(&test_error.cause),
                    test_error: true,
                };
            }
            Outcome::Passed | Outcome::Skipped { .. } => {
                ("the same outcome each time", "another now and then")
            }
        };
        let (request, actual) = (RequestShape::of(telling, variant), known.put_into(actual));
        let expected = if is_error(&actual) { String::new() } else { known.put_into(expected) };
        Self { request, expected, actual, test_error: false }
    }

    /// Whether another failure has the same cause: the same error for a request with more parameters.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let alike = self.actual == other.actual && self.test_error == other.test_error;
        alike && is_error(&self.actual) && self.request.covers(&other.request)
    }

    /// Whether the same request had a response without an error both times: then the objects in it differ.
    pub(super) fn differs_in_objects(&self, other: &Self) -> bool {
        let found_out = !self.test_error && !other.test_error && !self.request.is_empty();
        found_out && self.request == other.request && !is_error(&self.actual) && !is_error(&other.actual)
    }

    /// It in one line.
    pub(super) fn title(&self) -> String {
        let Self { request, expected, actual, test_error } = self;
        let actual =
            if expected.is_empty() { actual.clone() } else { format!("expected {expected}, got {actual}") };
        match (test_error, request.is_empty()) {
            (true, _) => format!("test error: {actual}"),
            (false, true) => actual,
            (false, false) => format!("{request}: {actual}"),
        }
    }
}

/// Whether the response is an error.
fn is_error(actual: &str) -> bool {
    code_of(actual).is_some_and(|code| code >= 400)
}

/// The HTTP status that a text begins with.
pub(super) fn code_of(text: &str) -> Option<u16> {
    let digits = text.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    let code = digits.parse().ok().filter(|code| (100..600).contains(code))?;
    (digits.len() == 3).then_some(code)
}

/// The names in a request.
fn placeholders(text: &str, variant: &str) -> Placeholders {
    let Message { first, body, .. } = Message::of(text);
    let body: Option<Value> = serde_json::from_str(body).ok();
    let name = body.and_then(|body| Some(body["metadata"]["name"].as_str()?.to_owned()));
    Placeholders::of(ApiPath::read(parts(first).1), variant, name)
}
