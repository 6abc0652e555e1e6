//! The request of a watch.

use http::Method;

use super::selector::Selector;
use super::version::ResourceVersion;
use model::{ApiPath, Request};

/// The start of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// The first change after a version.
    After(ResourceVersion),
    /// The state at some version, each object as ADDED; then the changes after that version.
    State,
    /// One or the other: the request does not say.
    Unclear,
}

/// The request of a watch.
#[derive(Debug, Clone)]
pub struct WatchRequest {
    /// The type: group, version and plural, as in `apps/v1/deployments`.
    pub collection: String,
    /// `apiVersion` of its objects.
    pub api_version: String,
    /// The only namespace, if it has one.
    pub namespace: Option<String>,
    /// Its selection, the namespace included.
    pub selector: Selector,
    /// Its start.
    pub start: Start,
    /// Whether events may have only a part of an object: a table, or metadata.
    pub partly: bool,
}

/// The parameters that do not change the selection.
const HARMLESS: [&str; 10] = [
    "watch",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "allowWatchBookmarks",
    "timeoutSeconds",
    "labelSelector",
    "fieldSelector",
    "limit",
    "pretty",
];

impl WatchRequest {
    /// A watch of all objects of a type.
    pub fn all(collection: &str, start: Start) -> Self {
        let api_version = collection.rsplit_once('/').map_or("", |(api_version, _)| api_version).to_owned();
        let collection = collection.to_owned();
        let selector = Selector::default();
        Self { collection, api_version, namespace: None, selector, start, partly: false }
    }

    /// The watch of a request; `None` if the request does not watch a collection.
    pub fn of(request: &Request) -> Option<Self> {
        let path = ApiPath::read(&request.path)
            .filter(|path| request.method == Method::GET && path.subresource.is_none())?;
        let mut watch_request = Self::all(&path.collection(), start_of(request));
        let parameter = |name| request.parameter(name).unwrap_or_default();
        let mut selector =
            Selector::default().labels(&parameter("labelSelector")).fields(&parameter("fieldSelector"));
        if let Some(namespace) = path.namespace {
            selector = selector.namespace(namespace);
        }
        match path.name {
            Some(name) if path.watched => selector = selector.name(name),
            Some(_) => return None,
            None => {}
        }
        let names: Vec<_> = request.parameters();
        let once = |name: &String| names.iter().filter(|other| *other == name).count() == 1;
        if !names.iter().all(|name| HARMLESS.contains(&name.as_str()) && once(name)) {
            selector = selector.unclear();
        }
        watch_request.namespace = path.namespace.map(str::to_owned);
        watch_request.selector = selector;
        watch_request.partly =
            request.headers.iter().any(|(name, value)| name == "accept" && value.contains("as="));
        Some(watch_request)
    }
}

fn start_of(request: &Request) -> Start {
    let version = request.parameter("resourceVersion").unwrap_or_default();
    let initial = request.parameter("sendInitialEvents");
    match (version.as_str(), initial) {
        ("" | "0", None) => Start::State,
        (_, None) => Start::After(ResourceVersion::of(&version)),
        _ => Start::Unclear,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_watches_of_collections_are_followed() {
        let watch_request = |path: &str| WatchRequest::of(&Request::get(path).query("watch", 1));
        assert!(watch_request("/api/v1/namespaces/n/configmaps").is_some());
        assert!(watch_request("/api/v1/namespaces/n/configmaps/a").is_none());
        assert!(watch_request("/api/v1/watch/namespaces/n/configmaps/a").is_some());
    }

    #[test]
    fn an_unknown_parameter_may_select() {
        let selects = |name: &str, value: &str| {
            let request = Request::get("/api/v1/configmaps").query("watch", 1).query(name, value);
            WatchRequest::of(&request)
                .and_then(|watch_request| watch_request.selector.selects("n", "a", |_| None))
        };
        assert_eq!(selects("timeoutSeconds", "5"), Some(true));
        assert_eq!(selects("shardSelector", "x"), None);
        assert_eq!(selects("watch", "1"), None);
    }
}
