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

/// The endpoints for health.
const ENDPOINTS: [&str; 3] = ["/healthz", "/livez", "/readyz"];

/// The codes that say that a check fails: kube-apiserver's, and the one that other servers prefer.
const FAILING: &[u16] = &[500, 503];

/// A GET as probes send it, which take any media type.
fn get(path: &str) -> Request {
    Request::get(path).accept("*/*")
}

/// Asks a server that is well, in the target's own name; skips what we are not allowed to ask, and endpoints that
/// are not there, which is a question of its own.
async fn ask(cx: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let answer = ask_allowed(cx, request).await?;
    if is_missing(&answer) {
        return Err(Halt::Skipped(format!("this server has no {}", answer.request.path)));
    }
    Ok(answer)
}

/// Asks what we are allowed to ask, and takes whatever comes.
async fn ask_allowed(cx: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let answer = when_well(cx, request).await?;
    if answer.status() == 403 {
        let request = &answer.request;
        let reason = format!("not allowed to {} {} on this server", request.method, request.path);
        return Err(Halt::Skipped(reason));
    }
    Ok(answer)
}

/// Whether this is an endpoint, and not served.
fn is_missing(answer: &Exchange) -> bool {
    answer.status() == 404 && ENDPOINTS.contains(&answer.request.path.as_str())
}

/// Asks a server that is well: while one of its checks fails, which may happen to any server, it is asked again.
async fn when_well(cx: &Context, request: Request) -> Result<Arc<Exchange>, Halt> {
    let once = || async {
        let answer = cx.send(request.clone()).await?;
        Ok((!reports_failure(&answer)).then_some(answer))
    };
    match cx.eventually(once).await? {
        Some(answer) => Ok(answer),
        None => Err(cx
            .test_error(format!("ask {} of a server that is well", request.path), "a check fails")
            .into()),
    }
}

/// Whether the answer says that a check fails.
fn reports_failure(answer: &Exchange) -> bool {
    let says = || {
        let text = answer.text();
        text.contains("[-]") || text.starts_with("internal server error: ")
    };
    FAILING.contains(&answer.status()) && (answer.request.method == Method::HEAD || says())
}

/// Skips where requests without credentials are not let in to ask for health.
async fn anonymous_may_ask(cx: &Context) -> Checked {
    let answer = when_well(cx, get("/livez").identity(Identity::Anonymous)).await?;
    if answer.status() == 200 {
        return Ok(());
    }
    Err(Halt::Skipped(format!("anonymous requests may not ask /livez here: {}", answer.brief())))
}
