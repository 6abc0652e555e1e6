//! The debugging pages /statusz and /flagz.

use super::endpoints::expect_plain_text;
use super::permissions::refusals;
use super::{get, send_if_served};
use crate::prelude::*;

rows![
    health_statusz_text.own_kinds().read_only(),
    health_statusz_structured.own_kinds().read_only(),
    health_flagz.own_kinds().read_only(),
];

async fn health_statusz_text(cx: Context) -> Checked {
    let page = offered(&cx, "/statusz", "ComponentStatusz").await?;
    expect_title(&page, "statusz")?;

    refusals(&cx, "/statusz").await.map(drop)
}

async fn health_statusz_structured(cx: Context) -> Checked {
    offered(&cx, "/statusz", "ComponentStatusz").await?;
    let bare = send_if_served(&cx, get("/statusz").accept("application/json")).await?;
    let newest = send_if_served(&cx, get("/statusz").accept(&media_type("Statusz", "v1beta1"))).await?;
    let oldest = send_if_served(&cx, get("/statusz").accept(&media_type("Statusz", "v1alpha1"))).await?;

    bare.expect_status(&[406])?;
    if newest.status() == 200 {
        expect_structured(&newest, "Statusz", "v1beta1")?;
    }
    if oldest.status() == 200 {
        expect_structured(&oldest, "Statusz", "v1alpha1")?;
        let warned = newest.status() != 200 || oldest.header("warning").is_some();
        oldest.expect(warned, "a Warning about the deprecated version", "no Warning")?;
    }
    some_version_is_served(&cx, &[newest, oldest], "ComponentStatusz")
}

async fn health_flagz(cx: Context) -> Checked {
    let page = offered(&cx, "/flagz", "ComponentFlagz").await?;
    expect_title(&page, "flagz")?;
    let text = page.text();
    let flags = text.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()));
    // The title is such a line, too.
    page.expect(flags.count() > 1, "a line for each flag", page.brief())?;

    for version in ["v1beta1", "v1alpha1"] {
        let structured = send_if_served(&cx, get("/flagz").accept(&media_type("Flagz", version))).await?;
        if structured.status() == 200 {
            expect_structured(&structured, "Flagz", version)?;
        }
    }
    refusals(&cx, "/flagz").await.map(drop)
}

/// The page as text. Skips where the server lacks it.
async fn offered(cx: &Context, path: &str, feature: &str) -> Result<Arc<Exchange>, Halt> {
    let page = send_if_served(cx, get(path)).await?;
    cx.require_feature(feature, page.status() != 404, format!("{path} is not served"))?;
    page.expect_status(&[200])?;
    Ok(page)
}

/// The first line that is not empty has the component and the page.
fn expect_title(page: &Exchange, name: &str) -> Checked {
    expect_plain_text(page)?;
    let text = page.text();
    let title = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let ends = title.trim_end().ends_with(&format!(" {name}"));
    page.expect(ends, format!("the title \"<component> {name}\""), title)
}

fn media_type(kind: &str, version: &str) -> String {
    format!("application/json;v={version};g=config.k8s.io;as={kind}")
}

/// An object of this kind, with the right Content-Type.
fn expect_structured(response: &Exchange, kind: &str, version: &str) -> Checked {
    let is_kind = response.json().is_some_and(|json| json["kind"] == kind);
    response.expect(is_kind, format!("an object of kind {kind}"), response.brief())?;
    let content_type = response.header("content-type").unwrap_or("none");
    let parameters: Vec<_> = content_type.split(';').map(str::trim).collect();
    let named = [format!("as={kind}"), "g=config.k8s.io".to_owned(), format!("v={version}")];
    let all = named.iter().all(|parameter| parameters.contains(&parameter.as_str()));
    let expected = format!("Content-Type {}", media_type(kind, version));
    response.expect(all, expected, format!("Content-Type {content_type}"))
}

/// Skips where the page is text only, as before 1.35.
fn some_version_is_served(cx: &Context, responses: &[Arc<Exchange>], feature: &str) -> Checked {
    if responses.iter().any(|response| response.status() == 200) {
        return Ok(());
    }
    Err(cx.lacks(feature, "the server has no structured form of the page"))
}
