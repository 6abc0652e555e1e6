//! Content negotiation and caching of the aggregated documents.

use super::aggregated::{Aggregated, KIND, get, is_aggregated, media_type};
use super::{eventually, expect_kind};
use crate::prelude::*;

rows![
    discovery_aggregated_content_type.own_kinds().read_only(),
    discovery_aggregated_etag.own_kinds().read_only(),
    discovery_aggregated_vary.own_kinds().read_only(),
    discovery_aggregated_fallback.own_kinds().read_only(),
    discovery_aggregated_only_unsupported_406.own_kinds().read_only(),
    discovery_aggregated_nopeer_profile.own_kinds().read_only(),
];

async fn discovery_aggregated_content_type(Aggregated(response): Aggregated) -> Checked {
    let media_type = response.header("content-type").unwrap_or("none");
    let parameters: Vec<_> = media_type.split(';').map(str::trim).collect();
    for expected in ["g=apidiscovery.k8s.io", "v=v2", "as=APIGroupDiscoveryList"] {
        response.expect(
            parameters.contains(&expected),
            format!("Content-Type with {expected}"),
            media_type,
        )?;
    }
    Ok(())
}

async fn discovery_aggregated_etag(cx: Context, _: Aggregated) -> Checked {
    eventually(&cx, || async {
        let response = cx.send(get("/apis")).await?;
        let etag = response.header("etag").unwrap_or("none");
        let quoted = etag.trim_start_matches("W/").len() > 2 && etag.ends_with('"') && etag.contains('"');
        response.expect(quoted, "an ETag in quotation marks", etag)?;

        let unchanged = cx.send(get("/apis").header("if-none-match", etag)).await?;

        unchanged.expect_status(&[304])?;
        let length = unchanged.response.body.len();
        unchanged.expect(length == 0, "no body", format!("{length} bytes"))
    })
    .await
}

async fn discovery_aggregated_vary(Aggregated(response): Aggregated) -> Checked {
    let headers = response.response.headers.iter().filter(|(name, _)| name == "vary");
    let values: Vec<_> = headers.flat_map(|(_, value)| value.split(',')).map(str::trim).collect();
    let varies = values.iter().any(|value| value.eq_ignore_ascii_case("accept") || *value == "*");
    response.expect(varies, "Vary: Accept", format!("Vary: {}", values.join(", ")))
}

async fn discovery_aggregated_fallback(cx: Context) -> Checked {
    let (unknown, aggregated) = (media_type("v99"), media_type("v2"));
    let plain = format!("{unknown},application/json");
    expect_kind(&*cx.send(Request::get("/apis").accept(&plain)).await?, "APIGroupList")?;

    if is_aggregated(&*cx.send(get("/apis")).await?) {
        let either = format!("{unknown},{aggregated},application/json");
        expect_kind(&*cx.send(Request::get("/apis").accept(&either)).await?, KIND)?;
    }
    Ok(())
}

async fn discovery_aggregated_only_unsupported_406(cx: Context) -> Checked {
    let response = cx.send(Request::get("/apis").accept(&media_type("v99"))).await?;

    response.expect_status(&[406])
}

async fn discovery_aggregated_nopeer_profile(cx: Context, _: Aggregated) -> Checked {
    let media_type = format!("{};profile=nopeer", media_type("v2"));

    expect_kind(&*cx.send(Request::get("/apis").accept(&media_type)).await?, KIND)
}
