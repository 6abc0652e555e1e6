//! Area `health`: /healthz, /livez and /readyz, their checks, parameters and authorization.

use harness::Identity;

use crate::prelude::*;

mod authorization;
mod endpoints;
mod exclude_parameter;
mod failing_checks;
mod http;
mod individual_checks;
mod listing;
mod load;
mod permissions;
mod root_and_metrics;
mod shutdown;
mod verbose_parameter;
mod zpages;

suite![
    "health",
    endpoints,
    verbose_parameter,
    exclude_parameter,
    individual_checks,
    authorization,
    http,
    root_and_metrics,
    zpages,
    failing_checks,
    load,
    shutdown
];

const ENDPOINTS: [&str; 3] = ["/healthz", "/livez", "/readyz"];

/// The codes for a failing check: kube-apiserver returns 500, other servers may return 503.
const FAILING: &[u16] = &[500, 503];

/// A GET as probes send it, with any media type.
fn get(path: &str) -> Request {
    Request::get(path).accept("*/*")
}

/// Sends a request to a healthy server. Skips without permission, and where the endpoint is missing.
async fn send_if_served(cx: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let response = send_if_allowed(cx, request).await?;
    if is_missing(&response) { Err(missing(&response.request.path)) } else { Ok(response) }
}

/// The skip where the server does not serve a path.
fn missing(path: &str) -> Halt {
    Halt::skip(format!("the server does not serve {path}"))
}

/// Sends a request to a healthy server. Skips without permission.
async fn send_if_allowed(cx: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let response = send_when_healthy(cx, request).await?;
    if response.status() == 403 {
        let request = &response.request;
        return Err(Halt::skip(format!("no permission to {} {}", request.method, request.path)));
    }
    Ok(response)
}

/// Whether this is a 404 of a health endpoint.
fn is_missing(response: &Exchange) -> bool {
    response.status() == 404 && ENDPOINTS.contains(&response.request.path.as_str())
}

/// Sends a request until no check fails: a check of any server may fail for a while.
async fn send_when_healthy(cx: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let once = || async {
        let response = cx.send(request.clone()).await?;
        Ok((!reports_failure(&response)).then_some(response))
    };
    let action = || format!("get {} from a healthy server", request.path);
    cx.eventually(once).await?.ok_or_else(|| cx.test_error(action(), "a check fails").into())
}

/// Whether the response reports a failing check.
fn reports_failure(response: &Exchange) -> bool {
    let in_body = || {
        let text = response.text();
        text.contains("[-]") || text.starts_with("internal server error: ")
    };
    FAILING.contains(&response.status()) && (response.request.method == Method::HEAD || in_body())
}

/// Skips where anonymous requests may not get /livez.
async fn require_anonymous_access(cx: &Context) -> Checked {
    let response = send_when_healthy(cx, get("/livez").identity(Identity::Anonymous)).await?;
    if response.status() == 200 {
        return Ok(());
    }
    Err(Halt::skip(format!("anonymous requests may not get /livez: {}", response.brief())))
}
