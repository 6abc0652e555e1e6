//! The objects in a response: a single one, the items of a list, or the objects of events.
//!
//! Invariant checks start here. Responses in another form (Tables, metadata alone, YAML, compressed), paths other than
//! those of resources, and subresources with forms of their own have no objects for them.

use harness::ApiPath;
use harness::invariant::{CheckResult, ensure};

use crate::prelude::*;

/// The path of a request for a resource, or for its status, in its JSON form.
pub(crate) fn plain(request: &Request) -> Option<ApiPath<'_>> {
    let accepts = request.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("accept"));
    let json = accepts.map(|(_, value)| value.as_str()).eq(["application/json"]);
    let path =
        ApiPath::read(&request.path).filter(|path| matches!(path.subresource, None | Some("status")))?;
    let canonical = !path.watched && !request.path.ends_with('/') && !request.path.contains("//");
    // A browser's preflight has OPTIONS (CORS): its response, like one to HEAD, has no body.
    let has_body = request.method != Method::HEAD && request.method != Method::OPTIONS;
    (json && canonical && has_body && !request.accepts_coding()).then_some(path)
}

/// Whether a request has the watch parameter, also with an invalid value.
fn is_watch(request: &Request) -> bool {
    request.parameter("watch").is_some()
}

/// Whether this is a list with status 200.
fn is_list(path: &ApiPath<'_>, exchange: &Exchange) -> bool {
    path.name.is_none() && exchange.request.method == "GET" && exchange.status() == 200
}

/// Whether the response to a get or a write is an object.
fn is_object(path: &ApiPath<'_>, exchange: &Exchange, json: &Value) -> bool {
    let about_one = path.name.is_some() || exchange.request.method == "POST";
    about_one && exchange.succeeded() && json.is_object() && json["kind"] != "Status"
}

/// Whether the server stores these objects: it generates others for each request, and does not store reviews.
fn is_stored(path: &ApiPath<'_>) -> bool {
    let group = path.group();
    let measured = group == "metrics.k8s.io" || group.ends_with(".metrics.k8s.io");
    let reviewed = matches!(group, "authentication.k8s.io" | "authorization.k8s.io");
    !measured && !reviewed && path.plural != "componentstatuses"
}

/// The path of a list with status 200.
pub(crate) fn listing(exchange: &Exchange) -> Option<ApiPath<'_>> {
    plain(&exchange.request).filter(|path| is_list(path, exchange) && !is_watch(&exchange.request))
}

/// A list, and its path.
pub(crate) fn list(exchange: &Exchange) -> Option<(ApiPath<'_>, &Value)> {
    Some((listing(exchange)?, exchange.json().filter(|json| json.is_object())?))
}

/// A list of stored objects, and its path.
pub(crate) fn stored_list(exchange: &Exchange) -> Option<(ApiPath<'_>, &Value)> {
    list(exchange).filter(|(path, _)| is_stored(path))
}

/// The object in the response to a get or a write, and its path.
pub(crate) fn object(exchange: &Exchange) -> Option<(ApiPath<'_>, &Value)> {
    let (path, json) = (plain(&exchange.request)?, exchange.json()?);
    (is_object(&path, exchange, json) && !is_watch(&exchange.request)).then_some((path, json))
}

/// The objects of a watch's events; not those of bookmarks and errors.
pub(crate) fn events(exchange: &Exchange) -> Vec<&Value> {
    if !is_watch(&exchange.request) || plain(&exchange.request).is_none() || !exchange.succeeded() {
        return Vec::new();
    }
    changed_objects(exchange)
}

fn changed_objects(exchange: &Exchange) -> Vec<&Value> {
    let changes = |event: &&Value| {
        event["type"].as_str().is_some_and(|kind| matches!(kind, "ADDED" | "MODIFIED" | "DELETED"))
    };
    exchange.documents().iter().filter(changes).filter_map(|event| event.get("object")).collect()
}

/// The stored objects in a response: one, the items of a list, or those of a watch's events.
fn objects(exchange: &Exchange) -> Vec<&Value> {
    let path = plain(&exchange.request).filter(|path| exchange.succeeded() && is_stored(path));
    match (path, is_watch(&exchange.request)) {
        (None, _) => Vec::new(),
        (Some(_), true) => changed_objects(exchange),
        (Some(path), false) => match exchange.json() {
            Some(json) if is_list(&path, exchange) => {
                json["items"].as_array().into_iter().flatten().collect()
            }
            json => json.into_iter().filter(|json| is_object(&path, exchange, json)).collect(),
        },
    }
}

/// An error response in its usual form; `None` if the server could not respond.
pub(crate) fn refusal(exchange: &Exchange) -> Option<&Value> {
    if !(400..500).contains(&exchange.status()) {
        return None;
    }
    exchange.json().filter(|json| json["kind"] == "Status")
}

/// Every stored object in a response passes the check; the failure has a part of the first that does not.
pub(crate) fn each(
    exchange: &Exchange,
    expected: &str,
    right: impl Fn(&Value) -> bool,
    shown: impl Fn(&Value) -> String,
) -> CheckResult {
    let objects = objects(exchange);
    let wrong = objects.iter().find(|object| !right(object));
    let actual = || wrong.map(|object| shown(object)).unwrap_or_default();
    (!objects.is_empty()).then(|| ensure(wrong.is_none(), expected, actual))
}

/// A field of an object's metadata.
pub(crate) fn metadata<'a>(object: &'a Value, field: &str) -> &'a Value {
    &object["metadata"][field]
}

/// Whether a value is a non-empty text.
pub(crate) fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.is_empty())
}

#[cfg(test)]
pub(crate) mod tests {
    use harness::{Response, Timing};

    use super::*;

    /// A successful response with this body.
    pub(crate) fn exchange_with(request: Request, body: &'static str) -> Exchange {
        let response = Response { status: 200, body: body.into(), ..Response::default() };
        Exchange::new(0, request, response, Timing::default())
    }

    #[test]
    fn objects_are_found_in_every_response() {
        const LIST: &str = r#"{"kind":"PodList","items":[{"metadata":{}},{"metadata":{}}]}"#;
        const EVENTS: &str = r#"{"type":"ADDED","object":{"metadata":{}}}
            {"type":"BOOKMARK","object":{"metadata":{}}}"#;
        let count = |request: Request, body| objects(&exchange_with(request, body)).len();
        let pods = || Request::get("/api/v1/pods");
        assert_eq!(count(pods(), LIST), 2);
        assert_eq!(count(pods().query("watch", 1), EVENTS), 1);
        assert_eq!(count(Request::get("/api/v1/namespaces/a/pods/b"), r#"{"kind":"Pod"}"#), 1);
        assert_eq!(count(Request::delete("/api/v1/namespaces/a/pods/b"), r#"{"kind":"Status"}"#), 0);
        assert_eq!(count(pods().accept("application/json;as=Table;g=meta.k8s.io;v=v1"), LIST), 0);
        assert_eq!(count(pods().header("accept-encoding", "gzip"), LIST), 0);
        assert_eq!(count(pods().header("accept-encoding", "identity"), LIST), 2);
        assert_eq!(count(Request::get("/api/v1/componentstatuses"), LIST), 0);
    }
}
