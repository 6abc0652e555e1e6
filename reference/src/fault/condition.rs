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
    /// What the path begins with.
    Below(&'static str),
    /// `/healthz`, `/livez` or `/readyz` itself.
    Health,
    /// One check below these.
    HealthCheck,
    /// A discovery document, from `/api` down to the resources of a version.
    Discovery,
    /// Any resource, whatever part of it.
    Resource,
    /// A collection, watched or not.
    Collection,
    /// One object.
    Object,
    /// A subresource by name.
    Subresource(&'static str),
    /// A resource by its plural.
    Of(&'static str),
    /// A resource of a custom group: one with a dot that is not Kubernetes' own.
    Custom,
    /// A path in a namespace.
    Namespaced,
    /// A watch.
    Watch,
    /// A list.
    Listing,
    /// The parameter is there and not empty.
    Has(&'static str),
    /// The parameter is there, perhaps empty.
    Mentions(&'static str),
    /// The parameter is not there, or empty.
    Lacks(&'static str),
    /// The parameter has this value.
    Is(&'static str, &'static str),
    /// The request header contains this text.
    HeaderHas(&'static str, &'static str),
    /// The request header is not there.
    NoHeader(&'static str),
    /// More requests than this came within the last second.
    Busy(usize),
    /// It is one of so many requests: each second one, each third one ...
    Every(usize),
    /// The response has this status.
    Answered(u16),
    /// The response's body contains this text.
    AnswerHas(&'static str),
    /// The condition does not hold.
    Not(&'static When),
    /// One of the conditions holds.
    Any(&'static [When]),
    /// A condition of its own.
    Asks(fn(&RequestFacts) -> bool),
}

/// What was asked.
#[derive(Debug, Clone)]
pub struct RequestFacts {
    /// The method.
    pub method: String,
    /// The path.
    pub path: String,
    /// The request's headers.
    pub headers: HeaderMap,
    /// The version of HTTP.
    pub version: Version,
    /// Which request it is, counted from 1.
    pub number: usize,
    /// How many requests came within the last second.
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

    /// The value of a parameter; empty if it is not there.
    pub fn parameter(&self, name: &str) -> &str {
        self.query.first(name)
    }

    /// All values of a parameter.
    pub fn parameters<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.query.all(name)
    }

    /// Whether this is a watch.
    pub fn is_watch(&self) -> bool {
        self.verb == Verb::Watch
    }
}

impl When {
    /// Whether the condition holds, as far as the request alone can tell.
    pub(super) fn may_hold(&self, asked: &RequestFacts) -> bool {
        match self {
            Self::Any(any) => any.iter().any(|one| one.may_hold(asked)),
            other => other.is_about_the_answer() || other.holds(asked, StatusCode::OK, &[]),
        }
    }

    fn is_about_the_answer(&self) -> bool {
        match self {
            Self::Answered(_) | Self::AnswerHas(_) => true,
            Self::Not(one) => one.is_about_the_answer(),
            Self::Any(any) => any.iter().any(Self::is_about_the_answer),
            _ => false,
        }
    }

    /// Whether the condition holds.
    pub(super) fn holds(&self, asked: &RequestFacts, status: StatusCode, body: &[u8]) -> bool {
        match self {
            Self::Answered(code) => status.as_u16() == *code,
            Self::AnswerHas(text) => contains(body, text.as_bytes()),
            Self::Not(one) => !one.holds(asked, status, body),
            Self::Any(any) => any.iter().any(|one| one.holds(asked, status, body)),
            Self::Asks(ask) => ask(asked),
            other => other.of_head(asked) || other.of_resource(asked),
        }
    }

    fn of_head(&self, asked: &RequestFacts) -> bool {
        let header = |name: &str| asked.headers.get(name).and_then(|value| value.to_str().ok());
        let segments = || asked.path.trim_start_matches('/').split('/');
        let is_health = |name: &str| matches!(name, "healthz" | "livez" | "readyz");
        match self {
            Self::Method(method) => asked.method == *method,
            Self::Path(path) => asked.path == *path,
            Self::Below(prefix) => asked.path.starts_with(prefix),
            Self::Health => segments().count() == 1 && segments().next().is_some_and(is_health),
            Self::HealthCheck => segments().count() > 1 && segments().next().is_some_and(is_health),
            Self::Discovery => asked.resource.is_none() && matches!(segments().next(), Some("api" | "apis")),
            Self::Has(name) => !asked.parameter(name).is_empty(),
            Self::Mentions(name) => asked.query.has(name),
            Self::Lacks(name) => asked.parameter(name).is_empty(),
            Self::Is(name, value) => asked.query.has(name) && asked.parameter(name) == *value,
            Self::HeaderHas(name, text) => header(name).is_some_and(|value| value.contains(text)),
            Self::NoHeader(name) => header(name).is_none(),
            Self::Busy(most) => asked.load > *most,
            Self::Every(count) => asked.number.is_multiple_of(*count),
            _ => false,
        }
    }

    fn of_resource(&self, asked: &RequestFacts) -> bool {
        let Some(path) = &asked.resource else { return false };
        match self {
            Self::Resource => true,
            Self::Collection => path.name.is_empty(),
            Self::Object => !path.name.is_empty() && path.subresource.is_empty(),
            Self::Subresource(name) => path.subresource == *name,
            Self::Of(plural) => path.plural == *plural,
            Self::Custom => path.group.contains('.') && !path.group.ends_with(".k8s.io"),
            Self::Namespaced => !path.namespace.is_empty(),
            Self::Watch => asked.verb == Verb::Watch,
            Self::Listing => asked.verb == Verb::List,
            _ => false,
        }
    }
}

fn contains(body: &[u8], text: &[u8]) -> bool {
    text.is_empty() || body.windows(text.len()).any(|window| window == text)
}
