//! URLs of descriptions: for ever, until the description changes.

use super::document;
use super::index::Index;
use crate::clock;
use crate::definitions::{self, PLURAL};
use crate::discovery::eventually;
use crate::openapi::get;
use crate::prelude::*;

rows![
    openapi_v3_immutable.own_kinds().read_only(),
    openapi_v3_obsolete_url.own_kinds().read_only(),
    openapi_v3_url_follows_content.own_kinds(),
];

/// How far in the future a response must expire at least: a year, less what clocks and calendars differ.
const ALMOST_A_YEAR: i64 = 300 * 24 * 60 * 60;

async fn openapi_v3_immutable(cx: Context, index: Index) -> Checked {
    let response = cx.send(get(index.expect_url(index.example()?)?)).await?;

    response.expect_status(&[200])?;
    let control = response.header("cache-control").unwrap_or("none");
    let mut directives = control.split(',').map(|directive| directive.trim().to_lowercase());
    response.expect(directives.any(|one| one == "immutable"), "Cache-Control: immutable", control)?;
    let expires = response.header("expires").unwrap_or("none");
    // A server without a Date header does not show its clock.
    let Some(now) = clock::date(&response) else { return Ok(()) };
    let late = clock::expiry(&response).is_some_and(|expiry| expiry - now >= ALMOST_A_YEAR);
    response.expect(late, "Expires in a year", expires)
}

/// A hash that no description has.
const OBSOLETE: &str = "hash=0000";

async fn openapi_v3_obsolete_url(cx: Context, index: Index) -> Checked {
    let url = index.expect_url(index.example()?)?;
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    index.0.expect(query.contains("hash="), "a URL with a hash", url)?;

    expect_redirect(&*cx.send(Request::get(path).raw_query(OBSOLETE)).await?, url)
}

/// A redirection to a URL of the list. A server may name itself in it.
fn expect_redirect(response: &Exchange, url: &str) -> Checked {
    response.expect_status(&[301, 302, 303, 307, 308])?;
    let location = response.header("location").unwrap_or("none");
    response.expect(location.ends_with(url), format!("Location: {url}"), format!("Location: {location}"))
}

/// A property that the schema has only after its change.
const ADDED: &str = "addedLater";

async fn openapi_v3_url_follows_content(cx: Context, _: Index) -> Checked {
    let group = definitions::group(&cx, "described");
    let key = format!("apis/{group}/v1");
    let definition = definitions::body(&cx, &group);
    definitions::serve(&cx, &definition, &format!("/{key}/{PLURAL}")).await?;
    let before = cx.eventually(|| async {
        let index = Index::arrange(&cx).await?;
        Ok(index.url(&key).map(str::to_owned))
    });
    let why = || cx.late(format!("describe {key}"), "it did not appear in GET /openapi/v3 in time");
    let before = before.await?.ok_or_else(why)?;

    let mut version = definitions::version("v1");
    version["schema"]["openAPIV3Schema"]["properties"] = json!({ ADDED: { "type": "string" } });
    let change = json!({ "spec": { "versions": [version] } });
    cx.send(Request::merge_patch(definitions::path(&definition), &change)).await?.written()?;

    eventually(&cx, || async {
        let index = Index::arrange(&cx).await?;
        let after = index.expect_url(&key)?;
        let response = cx.send(get(after)).await?;
        let described = document(&response)?.to_string().contains(ADDED);
        response.expect(described, format!("the new property {ADDED}"), "a description without it")?;
        index.0.expect(after != before, "another URL than that of the earlier description", after)
    })
    .await
}
