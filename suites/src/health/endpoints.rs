//! The endpoints /livez, /readyz and /healthz without parameters.

use super::{ENDPOINTS, FAILING, ask, ask_allowed, get};
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
        ask_allowed(&cx, get(endpoint)).await?.expect_status(&[200])?;
    }
    Ok(())
}

async fn health_healthz_deprecated_but_served(cx: Context) -> Checked {
    ask_allowed(&cx, get("/healthz")).await?.expect_status(&[200])
}

async fn health_status_code_decides(cx: Context) -> Checked {
    for endpoint in ["/livez", "/readyz"] {
        let answer = cx.send(get(endpoint)).await?;
        if FAILING.contains(&answer.status()) {
            cx.note(format!("{endpoint} was failing when asked"));
            continue;
        }
        let answer = ask(&cx, get(endpoint)).await?;
        answer.expect_status(&[200])?;
        answer.expect(!admits_failure(&answer.text()), "no failure behind a 200", answer.brief())?;
    }
    Ok(())
}

/// Whether a body says that something is wrong, in any of the ways that people have chosen.
fn admits_failure(body: &str) -> bool {
    let body = body.to_lowercase();
    ["not ok", "fail", "unhealthy", "error", "[-]"].iter().any(|word| body.contains(word))
}

async fn health_200_means_healthy(cx: Context) -> Checked {
    let ready = ask(&cx, get("/readyz")).await?;
    if ready.status() != 200 {
        return Err(cx.test_error("find the server ready", ready.brief()).into());
    }

    let groups = ask(&cx, Request::get("/apis")).await?;
    groups.expect_status(&[200])?;
    if cx.discovers(&Resource::namespaces()).await? {
        ask(&cx, Request::get("/api/v1/namespaces").query("limit", 1)).await?.page()?;
    }
    if cx.target_info().serves("apiextensions.k8s.io") {
        a_definition_becomes_established(&cx).await?;
    }
    Ok(())
}

async fn a_definition_becomes_established(cx: &Context) -> Checked {
    let resource = cx.fresh_custom_resources().await?.resource().clone();
    let path = format!(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{}.{}",
        resource.plural, resource.group
    );
    let established = || async {
        let shown = cx.send(Request::get(&path)).await?;
        Ok(is_established(&shown).then_some(()))
    };
    match cx.eventually(established).await? {
        Some(()) => Ok(()),
        None => Err(cx.failed(format!("{path} Established"), "it did not become so in time", None)),
    }
}

fn is_established(definition: &Exchange) -> bool {
    let conditions = definition.json().and_then(|json| json["status"]["conditions"].as_array());
    conditions
        .into_iter()
        .flatten()
        .any(|condition| condition["type"] == "Established" && condition["status"] == "True")
}

async fn health_plain_body_ok(cx: Context) -> Checked {
    for endpoint in ENDPOINTS {
        let answer = ask(&cx, get(endpoint)).await?;
        answer.expect(
            answer.status() == 200 && answer.text() == "ok",
            "the two characters ok",
            answer.brief(),
        )?;
    }
    Ok(())
}

/// What clients of the API accept, and what probes accept.
const ACCEPTED: [&str; 3] = ["application/json", "application/vnd.kubernetes.protobuf", "*/*"];

async fn health_content_type_text_plain(cx: Context) -> Checked {
    for endpoint in ENDPOINTS {
        for media_type in ACCEPTED {
            let answer = ask(&cx, get(endpoint).accept(media_type)).await?;
            answer.expect_status(&[200])?;
            expect_plain_text(&answer)?;
            if answer.header("x-content-type-options") != Some("nosniff") {
                cx.note(format!("{endpoint} is answered without X-Content-Type-Options: nosniff"));
            }
        }
    }
    Ok(())
}

/// The content type is text/plain, in whatever charset.
pub(super) fn expect_plain_text(answer: &Exchange) -> Checked {
    let content_type = answer.header("content-type").unwrap_or("none");
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    let expected = "Content-Type text/plain";
    answer.expect(
        media_type.eq_ignore_ascii_case("text/plain"),
        expected,
        format!("Content-Type {content_type}"),
    )
}

async fn health_not_cacheable(cx: Context) -> Checked {
    for endpoint in ENDPOINTS {
        let answer = ask(&cx, get(endpoint)).await?;
        let directives = answer.header("cache-control").unwrap_or("none").to_lowercase();
        let stale = ["no-cache", "no-store", "max-age=0"].iter().any(|word| directives.contains(word));
        answer.expect(stale, "Cache-Control no-cache or no-store", format!("Cache-Control {directives}"))?;
        let kept = answer.header("etag").filter(|_| !directives.contains("no-store"));
        answer.expect(kept.is_none(), "no ETag", format!("ETag {}", kept.unwrap_or_default()))?;
    }
    Ok(())
}
