//! Fault conditions: the requests and responses that a fault applies to.

use http::request::Parts;
use http::{HeaderMap, StatusCode, Version};

use crate::query::Query;
use crate::route::{ResourcePath, Verb};

/// A condition on a request, or on its response.
#[derive(Debug, Clone, Copy)]
pub enum When {
    /// The HTTP method.
    Method(&'static str),
    /// The exact path.
    Path(&'static str),
    /// The path has this prefix.
    PathPrefix(&'static str),
    /// `/healthz`, `/livez` or `/readyz`.
    Health,
    /// A single check below these.
    HealthCheck,
    /// A discovery document, from `/api` down to the resources of a version.
    Discovery,
    /// Any path of a resource, an object or a subresource.
    Resource,
    /// A collection, with or without a watch.
    Collection,
    /// One object, without its subresources.
    Object,
    /// A subresource by name.
    Subresource(&'static str),
    /// A resource by its plural.
    Plural(&'static str),
    /// A resource in a group with a dot that does not end in `.k8s.io`.
    Custom,
    /// A path in a namespace.
    Namespaced,
    /// A watch.
    Watch,
    /// A list.
    List,
    /// The parameter is present and not empty.
    Has(&'static str),
    /// The parameter is present, perhaps empty.
    Present(&'static str),
    /// The parameter is absent or empty.
    Lacks(&'static str),
    /// The parameter has this value.
    Is(&'static str, &'static str),
    /// The request header contains this text.
    HeaderHas(&'static str, &'static str),
    /// The request header is absent.
    NoHeader(&'static str),
    /// More than this number of requests arrived within the last second.
    Busy(usize),
    /// Every n-th request, across the whole server.
    Every(usize),
    /// The response has this status.
    StatusIs(u16),
    /// The response's body contains this text.
    ResponseHas(&'static str),
    /// The condition does not hold.
    Not(&'static When),
    /// One of the conditions holds.
    Any(&'static [When]),
    /// A condition as a function.
    Matches(fn(&RequestFacts) -> bool),
}

/// The request in the form of conditions.
#[derive(Debug, Clone)]
pub struct RequestFacts {
    /// The HTTP method, in upper case.
    pub method: String,
    /// The path, without the query.
    pub path: String,
    /// The request headers.
    pub headers: HeaderMap,
    /// The HTTP version.
    pub version: Version,
    /// The number of the request, from 1.
    pub number: usize,
    /// The number of requests within the last second.
    pub load: usize,
    query: Query,
    resource: Option<ResourcePath>,
    verb: Verb,
}

impl RequestFacts {
    pub(super) fn of(parts: &Parts, number: usize, load: usize) -> Self {
        let query = Query::parse(parts.uri.query().unwrap_or_default());
        let resource = ResourcePath::parse(parts.uri.path());
        let verb = resource.as_ref().map_or(Verb::Unknown, |path| path.verb(&parts.method, &query));
        Self {
            method: parts.method.to_string(),
            path: parts.uri.path().to_owned(),
            headers: parts.headers.clone(),
            version: parts.version,
            number,
            load,
            query,
            resource,
            verb,
        }
    }

    /// The value of a parameter; empty if it is absent.
    pub fn parameter(&self, name: &str) -> &str {
        self.query.first(name)
    }

    /// All values of a parameter.
    pub fn parameters<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.query.all(name)
    }

    /// Whether the request follows a log: its response does not end.
    pub(super) fn follows_log(&self) -> bool {
        let subresource = self.resource.as_ref().map_or("", |path| &path.subresource);
        subresource == "log" && self.query.flag("follow").unwrap_or(false)
    }

    /// Whether the request is a watch.
    pub fn is_watch(&self) -> bool {
        self.verb == Verb::Watch
    }
}

impl When {
    /// Whether the request alone does not rule the condition out.
    pub(super) fn may_hold(&self, facts: &RequestFacts) -> bool {
        match self {
            Self::Any(any) => any.iter().any(|one| one.may_hold(facts)),
            other => other.is_on_response() || other.holds(facts, StatusCode::OK, &[]),
        }
    }

    fn is_on_response(&self) -> bool {
        match self {
            Self::StatusIs(_) | Self::ResponseHas(_) => true,
            Self::Not(one) => one.is_on_response(),
            Self::Any(any) => any.iter().any(Self::is_on_response),
            _ => false,
        }
    }

    /// Whether the condition holds.
    pub(super) fn holds(&self, facts: &RequestFacts, status: StatusCode, body: &[u8]) -> bool {
        match self {
            Self::StatusIs(code) => status.as_u16() == *code,
            Self::ResponseHas(text) => contains(body, text.as_bytes()),
            Self::Not(one) => !one.holds(facts, status, body),
            Self::Any(any) => any.iter().any(|one| one.holds(facts, status, body)),
            Self::Matches(condition) => condition(facts),
            other => other.of_head(facts) || other.of_resource(facts),
        }
    }

    fn of_head(&self, facts: &RequestFacts) -> bool {
        let header = |name: &str| facts.headers.get(name).and_then(|value| value.to_str().ok());
        let segments = || facts.path.trim_start_matches('/').split('/');
        let is_health = |name: &str| matches!(name, "healthz" | "livez" | "readyz");
        match self {
            Self::Method(method) => facts.method == *method,
            Self::Path(path) => facts.path == *path,
            Self::PathPrefix(prefix) => facts.path.starts_with(prefix),
            Self::Health => segments().count() == 1 && segments().next().is_some_and(is_health),
            Self::HealthCheck => segments().count() > 1 && segments().next().is_some_and(is_health),
            Self::Discovery => facts.resource.is_none() && matches!(segments().next(), Some("api" | "apis")),
            Self::Has(name) => !facts.parameter(name).is_empty(),
            Self::Present(name) => facts.query.has(name),
            Self::Lacks(name) => facts.parameter(name).is_empty(),
            Self::Is(name, value) => facts.query.has(name) && facts.parameter(name) == *value,
            Self::HeaderHas(name, text) => header(name).is_some_and(|value| value.contains(text)),
            Self::NoHeader(name) => header(name).is_none(),
            Self::Busy(most) => facts.load > *most,
            Self::Every(count) => facts.number.is_multiple_of(*count),
            _ => false,
        }
    }

    fn of_resource(&self, facts: &RequestFacts) -> bool {
        let Some(path) = &facts.resource else { return false };
        match self {
            Self::Resource => true,
            Self::Collection => path.name.is_empty(),
            Self::Object => !path.name.is_empty() && path.subresource.is_empty(),
            Self::Subresource(name) => path.subresource == *name,
            Self::Plural(plural) => path.plural == *plural,
            Self::Custom => path.group.contains('.') && !path.group.ends_with(".k8s.io"),
            Self::Namespaced => !path.namespace.is_empty(),
            Self::Watch => facts.verb == Verb::Watch,
            Self::List => facts.verb == Verb::List,
            _ => false,
        }
    }
}

fn contains(body: &[u8], text: &[u8]) -> bool {
    text.is_empty() || body.windows(text.len()).any(|window| window == text)
}
