//! Error responses, for invariant checks.

use harness::invariant::{Breach, CheckResult};

use crate::openapi;
use crate::prelude::*;

/// Whether a request was about a resource, and not about discovery, health or another path without objects.
pub(crate) fn of_resource(exchange: &Exchange) -> bool {
    let path = exchange.request.path.as_str();
    let below = |root: &str, steps: usize| {
        path.strip_prefix(root)
            .is_some_and(|rest| rest.split('/').filter(|step| !step.is_empty()).count() > steps)
    };
    below("/api/", 1) || below("/apis/", 2)
}

/// Whether a response is a list of paths: a stand-alone server that is built on k8s.io/apiserver sends it for a group that
/// it does not serve. kube-apiserver sends a text there.
pub(crate) fn lists_paths(exchange: &Exchange) -> bool {
    let lists = |json: &Value| json["paths"].is_array() && json.get("kind").is_none();
    exchange.status() == 404 && exchange.json().is_some_and(lists)
}

/// The group of the resource that a request was about; empty for the core group.
pub(crate) fn group(exchange: &Exchange) -> &str {
    openapi::group(&exchange.request.path).unwrap_or_default()
}

/// Whether the client accepts any media type, or JSON, and no compression.
pub(crate) fn accepts_json_only(exchange: &Exchange) -> bool {
    let mut headers = exchange.request.headers.iter();
    let accept = headers.find(|(name, _)| name.eq_ignore_ascii_case("accept"));
    let json = accept.is_none_or(|(_, accepted)| ["*/*", "application/json"].contains(&accepted.as_str()));
    json && !exchange.request.accepts_coding()
}

/// The Status in a response about a resource.
pub(crate) fn status(exchange: &Exchange) -> Option<&Value> {
    // A custom type of another group may have the name.
    let is_status = |body: &&Value| body["kind"] == "Status" && body["apiVersion"] == "v1";
    exchange.json().filter(is_status).filter(|_| of_resource(exchange))
}

/// The Status that a resource was refused with.
pub(crate) fn refusal(exchange: &Exchange) -> Option<&Value> {
    status(exchange).filter(|_| exchange.status() >= 400)
}

/// Whether an error response keeps a rule; other responses are not judged.
pub(crate) fn of_refusal(
    exchange: &Exchange,
    rule: fn(&Exchange, &Value) -> Result<(), Breach>,
) -> CheckResult {
    refusal(exchange).map(|status| rule(exchange, status))
}

/// The causes of a 422 Invalid; `None` for any other response, or without causes.
///
/// The bare messages of admission webhooks are left out: their text is free.
pub(crate) fn causes(exchange: &Exchange) -> Option<Vec<&Value>> {
    let status = refusal(exchange).filter(|_| exchange.status() == 422)?;
    let causes = status["details"]["causes"].as_array()?.iter();
    let found: Vec<_> =
        causes.filter(|cause| cause["reason"].is_string() || cause["field"].is_string()).collect();
    (!found.is_empty()).then_some(found)
}

/// A word as programs read it: letters alone, the first of which is a capital.
pub(crate) fn is_word(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_uppercase())
        && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use harness::{Request, Response, Timing};

    use super::*;

    #[test]
    fn a_list_of_paths_is_no_status() {
        let lists = |status, body: &'static str| {
            let response = Response { status, body: body.into(), ..Response::default() };
            let request = Request::get("/apis/nosuch.example.com/v1/things");
            lists_paths(&Exchange::new(0, request, response, Timing::default()))
        };
        assert!(lists(404, r#"{"paths":["/apis"]}"#));
        assert!(!lists(404, r#"{"kind":"Status","code":404}"#));
        assert!(!lists(404, r#"{"error":"not here"}"#));
        assert!(!lists(409, r#"{"paths":["/apis"]}"#));
    }
}
