//! HTTP methods, paths and versions of the health endpoints.

use harness::Protocol;

use super::endpoints::expect_plain_text;
use super::permissions::Who;
use super::{ENDPOINTS, ask, get, when_well};
use crate::prelude::*;

rows![
    health_head.own_kinds().read_only(),
    health_other_methods.own_kinds(),
    health_no_side_effects.own_kinds(),
    health_case_sensitive_exact_path.own_kinds().read_only(),
    health_http1_and_http2.own_kinds().read_only(),
];

async fn health_head(cx: Context) -> Checked {
    let answer = ask(&cx, Request::new(Method::HEAD, "/livez").accept("*/*")).await?;

    answer.expect_status(&[200])?;
    answer.expect(answer.response.body.is_empty(), "no body", answer.brief())?;
    expect_plain_text(&answer)
}

async fn health_other_methods(cx: Context) -> Checked {
    let methods = [Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];
    for method in methods {
        let bare = Request::new(method.clone(), "/livez").accept("*/*");
        let with_body = bare.clone().json("application/json", &serde_json::json!({}));
        for request in [bare, with_body] {
            let answer = ask(&cx, request).await?;
            // What lies in front of a server may answer OPTIONS itself.
            let legal: &[u16] = if method == Method::OPTIONS { &[200, 204, 405] } else { &[200, 405] };
            answer.expect_status(legal)?;
        }
    }
    Who::Anonymous.is_refused(&cx, Request::new(Method::POST, "/livez").accept("*/*")).await.map(drop)
}

/// Rounds of questions, and how long they may take if the server is slow.
const ROUNDS: usize = 5;
const AT_MOST: Duration = Duration::from_secs(5);

async fn health_no_side_effects(cx: Context, ConfigMaps(collection): ConfigMaps) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    let before = collection.now().await?;

    let began = Instant::now();
    for _ in 0..ROUNDS {
        for endpoint in ENDPOINTS {
            for query in ["", "verbose", "exclude=ping", "verbose&exclude=nosuch"] {
                when_well(&cx, get(endpoint).raw_query(query)).await?;
            }
        }
        if began.elapsed() > AT_MOST {
            break;
        }
    }

    collection.now().await?.expect_items(&before.items)
}

async fn health_case_sensitive_exact_path(cx: Context) -> Checked {
    for path in ["/LIVEZ", "/livezz", "/Livez"] {
        let answer = when_well(&cx, get(path)).await?;
        // Whoever may not do everything is told no more than that.
        answer.expect_status(&[404, 403])?;
    }
    for path in ["//livez", "/livez/"] {
        // What lies in front of a server may tidy such a path up, and say so.
        let answer = when_well(&cx, get(path)).await?;
        answer.expect_status(&[404, 403, 400, 301, 302, 307, 308])?;
    }
    Ok(())
}

async fn health_http1_and_http2(cx: Context) -> Checked {
    let newest = ask(&cx, get("/livez")).await?;
    newest.expect_status(&[200])?;
    if !newest.response.protocol.starts_with("HTTP/2") {
        cx.note("HTTP/2 was not negotiated, so only HTTP/1.1 was asked");
    }

    let old = || ask(&cx, get("/livez").protocol(Protocol::Http1));
    let answered = match old().await {
        // A connection may fail once.
        Err(Halt::Errored(_)) => old().await,
        answered => answered,
    };

    match answered {
        Err(Halt::Errored(test_error)) => {
            // Is the server still there? Then it is HTTP/1.1 that it does not speak.
            ask(&cx, get("/livez")).await?;
            Err(cx.failed("an answer over HTTP/1.1", test_error.to_string(), None))
        }
        answered => answered?.expect_status(&[200]),
    }
}
