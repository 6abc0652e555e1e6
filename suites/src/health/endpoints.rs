//! The endpoints /livez, /readyz and /healthz without parameters.

use super::{ENDPOINTS, FAILING, get, send_if_allowed, send_if_served};
use crate::definitions;
use crate::prelude::*;

rows![
    health_three_endpoints.own_kinds().read_only(),
    health_healthz_deprecated_but_served.own_kinds().read_only(),
    health_status_code_decides.own_kinds().read_only(),
    health_200_means_healthy.own_kinds(),
    health_plain_body_ok.own_kinds().read_only(),
    health_content_type_text_plain.own_kinds().read_only(),
    health_not_cacheable.own_kinds().read_only(),
];

async fn health_three_endpoints(cx: Context) -> Checked {
    for endpoint in ENDPOINTS {
        send_if_allowed(&cx, get(endpoint)).await?.expect_status(&[200])?;
    }
    Ok(())
}

async fn health_healthz_deprecated_but_served(cx: Context) -> Checked {
    send_if_allowed(&cx, get("/healthz")).await?.expect_status(&[200])
}

async fn health_status_code_decides(cx: Context) -> Checked {
    for endpoint in ["/livez", "/readyz"] {
        let response = cx.send(get(endpoint)).await?;
        if FAILING.contains(&response.status()) {
            cx.note(format!("{endpoint} reported a failing check"));
            continue;
        }
        let response = send_if_served(&cx, get(endpoint)).await?;
        response.expect_status(&[200])?;
        response.expect(
            !admits_failure(&response.text()),
            "HTTP 200 with a body of no failure",
            response.brief(),
        )?;
    }
    Ok(())
}

/// Whether a body has a usual word for a failure.
fn admits_failure(body: &str) -> bool {
    let body = body.to_lowercase();
    ["not ok", "fail", "unhealthy", "error", "[-]"].iter().any(|word| body.contains(word))
}

async fn health_200_means_healthy(cx: Context) -> Checked {
    let ready = send_if_served(&cx, get("/readyz")).await?;
    if ready.status() != 200 {
        return Err(cx.test_error("wait until the server is ready", ready.brief()).into());
    }

    let groups = send_if_served(&cx, Request::get("/apis")).await?;
    groups.expect_status(&[200])?;
    if cx.discovers(&Resource::namespaces()).await? {
        let list = || send_if_served(&cx, Request::get("/api/v1/namespaces").query("limit", 1));
        let mut listed = list().await?;
        // One outage may have begun after /readyz; two in a row are what /readyz denies.
        if FAILING.contains(&listed.status()) {
            listed = list().await?;
            listed.judged();
        }
        listed.page()?;
    }
    if cx.target_info().serves("apiextensions.k8s.io") {
        a_definition_becomes_established(&cx).await?;
    }
    Ok(())
}

async fn a_definition_becomes_established(cx: &Context) -> Checked {
    let path = definitions::path_of(cx.fresh_custom_resources().await?.resource());
    let established = || async { Ok(is_established(&*cx.send(Request::get(&path)).await?).then_some(())) };
    match cx.eventually(established).await? {
        Some(()) => Ok(()),
        None => Err(cx.failed(format!("{path} Established"), "no such condition in time", None)),
    }
}

fn is_established(definition: &Exchange) -> bool {
    let conditions = definition.json().and_then(|json| json["status"]["conditions"].as_array());
    let established = |condition: &Value| condition["type"] == "Established" && condition["status"] == "True";
    conditions.into_iter().flatten().any(established)
}

async fn health_plain_body_ok(cx: Context) -> Checked {
    for endpoint in ENDPOINTS {
        let response = send_if_served(&cx, get(endpoint)).await?;
        expect_ok(&response)?;
    }
    Ok(())
}

/// HTTP 200 with the body `ok`.
pub(super) fn expect_ok(response: &Exchange) -> Checked {
    let is_ok = response.status() == 200 && response.text() == "ok";
    response.expect(is_ok, "HTTP 200 with the body ok", response.brief())
}

/// The media types of clients and of probes.
const ACCEPTED: [&str; 3] = ["application/json", "application/vnd.kubernetes.protobuf", "*/*"];

async fn health_content_type_text_plain(cx: Context) -> Checked {
    for endpoint in ENDPOINTS {
        for media_type in ACCEPTED {
            let response = send_if_served(&cx, get(endpoint).accept(media_type)).await?;
            response.expect_status(&[200])?;
            expect_plain_text(&response)?;
            if response.header("x-content-type-options") != Some("nosniff") {
                cx.note(format!("the response of {endpoint} has no X-Content-Type-Options: nosniff"));
            }
        }
    }
    Ok(())
}

/// Content-Type text/plain, with any charset.
pub(super) fn expect_plain_text(response: &Exchange) -> Checked {
    let content_type = response.header("content-type").unwrap_or("none");
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    let is_text = media_type.eq_ignore_ascii_case("text/plain");
    response.expect(is_text, "Content-Type text/plain", format!("Content-Type {content_type}"))
}

async fn health_not_cacheable(cx: Context) -> Checked {
    for endpoint in ENDPOINTS {
        let response = send_if_served(&cx, get(endpoint)).await?;
        let directives = response.header("cache-control").unwrap_or("none").to_lowercase();
        let uncached = ["no-cache", "no-store", "max-age=0"].iter().any(|word| directives.contains(word));
        response.expect(
            uncached,
            "Cache-Control no-cache or no-store",
            format!("Cache-Control {directives}"),
        )?;
        let etag = response.header("etag").filter(|_| !directives.contains("no-store"));
        response.expect(etag.is_none(), "no ETag", format!("ETag {}", etag.unwrap_or_default()))?;
    }
    Ok(())
}
