//! /livez, /readyz and /healthz: health checks and their output.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use http::StatusCode;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue};

use crate::query::Query;

/// The endpoints.
pub(crate) const ENDPOINTS: &[&str] = &["healthz", "livez", "readyz"];

const STORE_FAILURE: &str = "error getting data from etcd: context deadline exceeded";

/// One check.
struct Check {
    name: &'static str,
    endpoints: Endpoints,
    /// The group under which it can be excluded as well.
    group: &'static str,
    looks_at: Looks,
}

/// Which endpoints have a check.
#[derive(Clone, Copy)]
enum Endpoints {
    All,
    OnlyReadyz,
    AllButReadyz,
}

/// What makes a check fail.
#[derive(Clone, Copy)]
enum Looks {
    Nowhere,
    AtTheStore,
    AtShutdown,
}

const fn check(name: &'static str, endpoints: Endpoints, looks_at: Looks) -> Check {
    Check { name, endpoints, group: "", looks_at }
}

#[rustfmt::skip]
const CHECKS: &[Check] = &[
    check("ping",                                 Endpoints::All,          Looks::Nowhere),
    check("log",                                  Endpoints::All,          Looks::Nowhere),
    check("loopback-serving-certificate",         Endpoints::AllButReadyz, Looks::Nowhere),
    check("etcd",                                 Endpoints::All,          Looks::AtTheStore),
    Check { name: "etcd-override-0", endpoints: Endpoints::All, group: "etcd", looks_at: Looks::AtTheStore },
    check("etcd-readiness",                       Endpoints::OnlyReadyz,   Looks::AtTheStore),
    check("informer-sync",                        Endpoints::OnlyReadyz,   Looks::Nowhere),
    check("poststarthook/start-apiextensions-controllers", Endpoints::All, Looks::Nowhere),
    check("poststarthook/crd-informer-synced",    Endpoints::All,          Looks::Nowhere),
    check("poststarthook/start-system-namespaces-controller", Endpoints::All, Looks::Nowhere),
    check("poststarthook/rbac/bootstrap-roles",   Endpoints::All,          Looks::Nowhere),
    check("autoregister-completion",              Endpoints::All,          Looks::Nowhere),
    check("shutdown",                             Endpoints::OnlyReadyz,   Looks::AtShutdown),
];

/// What the checks look at.
#[derive(Default)]
pub(crate) struct Health {
    store_broken: AtomicBool,
    shutting_down: AtomicBool,
}

impl Health {
    /// Breaks or mends the store, as far as the checks can see.
    pub(crate) fn break_store(&self, broken: bool) {
        self.store_broken.store(broken, Ordering::SeqCst);
    }

    /// Whether the store cannot be reached.
    pub(crate) fn is_store_broken(&self) -> bool {
        self.store_broken.load(Ordering::SeqCst)
    }

    /// Says that the server is going to stop.
    pub(crate) fn begin_shutdown(&self) {
        self.shutting_down.store(true, Ordering::SeqCst);
    }

    /// What the checks of an endpoint found, for the metrics.
    pub(crate) fn results(&self, endpoint: &str) -> impl Iterator<Item = (&'static str, bool)> {
        checks(endpoint).map(|check| (check.name, self.failure(check).is_none()))
    }

    /// Answers an endpoint or one of its checks; none if there is no such path.
    pub(crate) fn answer(&self, path: &str, query: &Query) -> Option<Response> {
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
        match check.looks_at {
            Looks::AtTheStore if self.is_store_broken() => Some(STORE_FAILURE),
            Looks::AtShutdown if self.shutting_down.load(Ordering::SeqCst) => {
                Some("process is shutting down")
            }
            _ => None,
        }
    }

    fn individual(&self, check: &Check) -> Response {
        match self.failure(check) {
            None => answer(StatusCode::OK, "ok".to_owned(), false),
            Some(why) => {
                answer(StatusCode::INTERNAL_SERVER_ERROR, format!("internal server error: {why}\n"), true)
            }
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
        return answer(StatusCode::INTERNAL_SERVER_ERROR, text, true);
    }
    if !verbose {
        return answer(StatusCode::OK, "ok".to_owned(), true);
    }
    text.extend([endpoint, " check passed\n"]);
    answer(StatusCode::OK, text, true)
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

/// How long a shutdown may be delayed at most.
pub(crate) const LONGEST_DELAY: Duration = Duration::from_mins(10);

/// A plain text answer that no cache may keep.
pub(crate) fn answer(status: StatusCode, text: String, nosniff: bool) -> Response {
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
