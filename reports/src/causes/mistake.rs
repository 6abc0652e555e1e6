//! Kinds of mistakes that failures of many different requests share.
//!
//! A server that differs from the texts in one small way has one cause of one request. One that differs everywhere, as
//! mocks do, has too many to read: then its failures are grouped by mistake.

use model::{Outcome, ScenarioFinished};

use super::request_shape::RequestShape;
use super::signature::{Signature, code_of};

/// The signature of a failing scenario, without the differences between requests of one kind.
pub(super) fn signature(finished: &ScenarioFinished) -> Signature {
    let narrow = Signature::of(finished);
    match &finished.outcome {
        Outcome::Failed { failure } => {
            let title = title(&narrow.request, &failure.expected, &failure.actual);
            let (request, expected) = (RequestShape::default(), String::new());
            Signature { request, expected, actual: title, test_error: false }
        }
        _ => narrow,
    }
}

fn title(request: &RequestShape, expected: &str, actual: &str) -> String {
    let code = code_of(actual).unwrap_or_default();
    let (failed, wanted) = (code >= 400, wanted(expected));
    let may_succeed = wanted.iter().any(|code| *code < 400);
    let verb = if request.reads() { "read" } else { "write" };
    match (wanted.is_empty(), failed) {
        (false, true) if wanted.contains(&code) => "an error has the right code and a wrong body".to_owned(),
        (false, true) if !may_succeed => "an error has the wrong code".to_owned(),
        (_, true) => format!("a legal {verb} fails"),
        (false, false) if code > 0 && !may_succeed => format!("a {verb} that must be refused succeeds"),
        (false, false) if code > 0 && !wanted.contains(&code) => {
            format!("a {} succeeds with HTTP {code}", request.method())
        }
        _ if request.is_empty() => "a response has wrong content".to_owned(),
        _ if request.reads() => format!("a read of {} has a response with wrong content", request.noun()),
        _ => "a write has a response with wrong content".to_owned(),
    }
}

/// The legal codes in the expectation of a failure: 400 for any error, none if it names no codes.
fn wanted(expected: &str) -> Vec<u16> {
    if expected.starts_with("an error") || expected.starts_with("a refusal") {
        return vec![400];
    }
    let Some(codes) = expected.strip_prefix("HTTP ") else { return Vec::new() };
    codes.split(" or ").map_while(code_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_failures_are_few_mistakes() {
        let put = RequestShape::of("PUT /api/v1/namespaces/n/configmaps/a\n\n{}", "");
        let list = RequestShape::of("GET /api/v1/namespaces/n/configmaps?limit=1\n\n", "");
        for (request, expected, actual, title) in [
            (&put, "HTTP 409 with a Status", "200 ConfigMap a", "a write that must be refused succeeds"),
            (&put, "a refusal with 4xx", "200 ConfigMap a", "a write that must be refused succeeds"),
            (&list, "HTTP 400 or 422", "200 List of 2 items", "a read that must be refused succeeds"),
            (&put, "HTTP 409", "409 Invalid: x; no", "an error has the right code and a wrong body"),
            (&put, "HTTP 409", "422 Invalid: x", "an error has the wrong code"),
            (&put, "HTTP 200 or 201", "202 ConfigMap a", "a PUT succeeds with HTTP 202"),
            (&put, "HTTP 200", "500 x", "a legal write fails"),
            (&put, "the object as it was", "404", "a legal write fails"),
            (&put, "HTTP 200 with a list", "200 a; no", "a write has a response with wrong content"),
            (&list, "unchanged items", "none", "a read of a collection has a response with wrong content"),
        ] {
            assert_eq!(super::title(request, expected, actual), title, "{expected}, {actual}");
        }
    }
}
