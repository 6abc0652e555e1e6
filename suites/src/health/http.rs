//! HTTP methods, paths and versions of the health endpoints.

use harness::Protocol;

use super::endpoints::expect_plain_text;
use super::permissions::Who;
use super::{ENDPOINTS, get, send_if_served, send_when_healthy};
use crate::prelude::*;

rows![
    health_head.own_kinds().read_only(),
    health_other_methods.own_kinds(),
    health_no_side_effects.own_kinds(),
    health_case_sensitive_exact_path.own_kinds().read_only(),
    health_http1_and_http2.own_kinds().read_only(),
];

async fn health_head(cx: Context) -> Checked {
    let response = send_if_served(&cx, Request::new(Method::HEAD, "/livez").accept("*/*")).await?;

    response.expect_status(&[200])?;
    response.expect(response.response.body.is_empty(), "no body", response.brief())?;
    expect_plain_text(&response)
}

async fn health_other_methods(cx: Context) -> Checked {
    let methods = [Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];
    for method in methods {
        let bare = Request::new(method.clone(), "/livez").accept("*/*");
        let with_body = bare.clone().json("application/json", &json!({}));
        for request in [bare, with_body] {
            let response = send_if_served(&cx, request).await?;
            // A proxy may handle OPTIONS itself.
            let legal: &[u16] = if method == Method::OPTIONS { &[200, 204, 405] } else { &[200, 405] };
            response.expect_status(legal)?;
        }
    }
    Who::Anonymous.is_refused(&cx, Request::new(Method::POST, "/livez").accept("*/*")).await.map(drop)
}

/// The rounds of requests, and their maximum duration on a slow server.
const ROUNDS: usize = 5;
const LONGEST: Duration = Duration::from_secs(5);

async fn health_no_side_effects(cx: Context, collection: ConfigMaps) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    let before = collection.now().await?;

    let began = Instant::now();
    for _ in 0..ROUNDS {
        for endpoint in ENDPOINTS {
            for query in ["", "verbose", "exclude=ping", "verbose&exclude=nosuch"] {
                send_when_healthy(&cx, get(endpoint).raw_query(query)).await?;
            }
        }
        if began.elapsed() > LONGEST {
            break;
        }
    }

    collection.now().await?.expect_items(&before.items)
}

async fn health_case_sensitive_exact_path(cx: Context) -> Checked {
    for path in ["/LIVEZ", "/livezz", "/Livez"] {
        let response = send_when_healthy(&cx, get(path)).await?;
        // 403 for users without permission for all paths.
        response.expect_status(&[404, 403])?;
    }
    for path in ["//livez", "/livez/"] {
        // A proxy may redirect to the clean path.
        let response = send_when_healthy(&cx, get(path)).await?;
        response.expect_status(&[404, 403, 400, 301, 302, 307, 308])?;
    }
    Ok(())
}

async fn health_http1_and_http2(cx: Context) -> Checked {
    let newest = send_if_served(&cx, get("/livez")).await?;
    newest.expect_status(&[200])?;
    if !newest.response.protocol.starts_with("HTTP/2") {
        cx.note("the server did not negotiate HTTP/2, so the scenario tested HTTP/1.1 alone");
    }

    let old = || send_if_served(&cx, get("/livez").protocol(Protocol::Http1));
    let response = match old().await {
        // A connection may fail once.
        Err(Halt::Errored(_)) => old().await,
        response => response,
    };

    match response {
        Err(Halt::Errored(test_error)) => {
            // A second test error if the server is down, not only its HTTP/1.1.
            send_if_served(&cx, get("/livez")).await?;
            Err(cx.failed("a response over HTTP/1.1", test_error.to_string(), None))
        }
        response => response?.expect_status(&[200]),
    }
}
