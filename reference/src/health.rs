//! /livez, /readyz and /healthz: health checks and their output.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};

use crate::query::Query;

pub(crate) const ENDPOINTS: &[&str] = &["healthz", "livez", "readyz"];

const STORE_FAILURE: &str = "error getting data from etcd: context deadline exceeded";

/// One check.
struct Check {
    name: &'static str,
    endpoints: Endpoints,
    /// The name of its group, which excludes all checks of the group.
    group: &'static str,
    depends_on: Dependency,
}

/// The endpoints of a check.
#[derive(Clone, Copy)]
enum Endpoints {
    All,
    OnlyReadyz,
    AllButReadyz,
}

/// The state that makes a check fail.
#[derive(Clone, Copy)]
enum Dependency {
    Nothing,
    Store,
    Shutdown,
}

const fn check(name: &'static str, endpoints: Endpoints, depends_on: Dependency) -> Check {
    Check { name, endpoints, group: "", depends_on }
}

#[rustfmt::skip]
const CHECKS: &[Check] = &[
    check("ping",                                 Endpoints::All,          Dependency::Nothing),
    check("log",                                  Endpoints::All,          Dependency::Nothing),
    check("loopback-serving-certificate",         Endpoints::AllButReadyz, Dependency::Nothing),
    check("etcd",                                 Endpoints::All,          Dependency::Store),
    Check { name: "etcd-override-0", endpoints: Endpoints::All, group: "etcd", depends_on: Dependency::Store },
    check("etcd-readiness",                       Endpoints::OnlyReadyz,   Dependency::Store),
    check("informer-sync",                        Endpoints::OnlyReadyz,   Dependency::Nothing),
    check("poststarthook/start-apiextensions-controllers", Endpoints::All, Dependency::Nothing),
    check("poststarthook/crd-informer-synced",    Endpoints::All,          Dependency::Nothing),
    check("poststarthook/start-system-namespaces-controller", Endpoints::All, Dependency::Nothing),
    check("poststarthook/rbac/bootstrap-roles",   Endpoints::All,          Dependency::Nothing),
    check("autoregister-completion",              Endpoints::All,          Dependency::Nothing),
    check("shutdown",                             Endpoints::OnlyReadyz,   Dependency::Shutdown),
];

/// The state of the checks.
#[derive(Default)]
pub(crate) struct Health {
    store_broken: AtomicBool,
    shutting_down: AtomicBool,
}

impl Health {
    /// Sets whether the store is broken for the checks.
    pub(crate) fn break_store(&self, broken: bool) {
        self.store_broken.store(broken, Ordering::SeqCst);
    }

    /// Whether the store cannot be reached.
    pub(crate) fn is_store_broken(&self) -> bool {
        self.store_broken.load(Ordering::SeqCst)
    }

    /// Makes /readyz fail before shutdown.
    pub(crate) fn begin_shutdown(&self) {
        self.shutting_down.store(true, Ordering::SeqCst);
    }

    /// The results of an endpoint's checks, for the metrics.
    pub(crate) fn results(&self, endpoint: &str) -> impl Iterator<Item = (&'static str, bool)> {
        checks(endpoint).map(|check| (check.name, self.failure(check).is_none()))
    }

    /// The response of an endpoint or check: `None` for an unknown path.
    pub(crate) fn response(&self, path: &str, query: &Query) -> Option<Response> {
        let path = path.strip_prefix('/')?;
        let (endpoint, name) =
            path.split_once('/').map_or((path, None), |(endpoint, name)| (endpoint, Some(name)));
        if !ENDPOINTS.contains(&endpoint) {
            return None;
        }
        match name {
            None => Some(self.endpoint(endpoint, query)),
            Some(name) => {
                checks(endpoint).find(|check| check.name == name).map(|check| self.individual(check))
            }
        }
    }

    fn failure(&self, check: &Check) -> Option<&'static str> {
        match check.depends_on {
            Dependency::Store if self.is_store_broken() => Some(STORE_FAILURE),
            Dependency::Shutdown if self.shutting_down.load(Ordering::SeqCst) => {
                Some("process is shutting down")
            }
            _ => None,
        }
    }

    fn individual(&self, check: &Check) -> Response {
        match self.failure(check) {
            None => plain_text(StatusCode::OK, "ok".to_owned(), false),
            Some(detail) => plain_text(
                StatusCode::INTERNAL_SERVER_ERROR,
                format!("internal server error: {detail}\n"),
                true,
            ),
        }
    }

    fn endpoint(&self, endpoint: &str, query: &Query) -> Response {
        let mut unknown: Vec<&str> = query.all("exclude").filter(|name| !name.is_empty()).collect();
        let excluded = unknown.clone();
        let mut text = String::new();
        let mut failed = false;
        for check in checks(endpoint) {
            unknown.retain(|name| *name != check.name && *name != check.group);
            let line = if excluded.contains(&check.name) {
                format!("[+]{} excluded: ok\n", check.name)
            } else if excluded.contains(&check.group) {
                format!("[+]{} excluded with {}: ok\n", check.name, check.group)
            } else if self.failure(check).is_some() {
                failed = true;
                format!("[-]{} failed: reason withheld\n", check.name)
            } else {
                format!("[+]{} ok\n", check.name)
            };
            text.push_str(&line);
        }
        text.push_str(&warning(unknown));
        conclude(endpoint, text, failed, query.has("verbose"))
    }
}

fn conclude(endpoint: &str, mut text: String, failed: bool, verbose: bool) -> Response {
    if failed {
        text.extend([endpoint, " check failed\n"]);
        return plain_text(StatusCode::INTERNAL_SERVER_ERROR, text, true);
    }
    if !verbose {
        return plain_text(StatusCode::OK, "ok".to_owned(), true);
    }
    text.extend([endpoint, " check passed\n"]);
    plain_text(StatusCode::OK, text, true)
}

fn warning(mut unknown: Vec<&str>) -> String {
    if unknown.is_empty() {
        return String::new();
    }
    unknown.sort_unstable();
    let quoted: Vec<_> = unknown.iter().map(|name| format!("{name:?}")).collect();
    format!("warn: some health checks cannot be excluded: no matches for {}\n", quoted.join(","))
}

fn checks(endpoint: &str) -> impl Iterator<Item = &'static Check> {
    let ready = endpoint == "readyz";
    CHECKS.iter().filter(move |check| match check.endpoints {
        Endpoints::All => true,
        Endpoints::OnlyReadyz => ready,
        Endpoints::AllButReadyz => !ready,
    })
}

/// The paths of all endpoints and checks, for the root document.
pub(crate) fn paths() -> Vec<String> {
    let below = |endpoint: &'static str| {
        let own = std::iter::once(format!("/{endpoint}"));
        own.chain(checks(endpoint).map(move |check| format!("/{endpoint}/{}", check.name)))
    };
    ENDPOINTS.iter().flat_map(|endpoint| below(endpoint)).collect()
}

/// The maximum delay of a shutdown.
pub(crate) const LONGEST_DELAY: Duration = Duration::from_mins(10);

/// A plain text response.
pub(crate) fn plain_text(status: StatusCode, text: String, nosniff: bool) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    if nosniff {
        let name = HeaderName::from_static("x-content-type-options");
        headers.insert(name, HeaderValue::from_static("nosniff"));
    }
    response
}
