//! Replacements: discovery lists them with all verbs, and they respond.

use super::api::{Api, Replacement, replacement, require_minor};
use super::table::{REVIEWS, SERVED};
use crate::discovery;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    let served = table(SERVED, Kinds::Own, served).into_iter().map(Row::read_only);
    served.chain(table(REVIEWS, Kinds::Own, reviewed)).collect()
}

const VERBS: &[&str] = &["create", "delete", "get", "list", "patch", "update", "watch"];

async fn served(cx: Context, served: Replacement) -> Checked {
    expect_listed(&cx, served, VERBS).await?;

    let api = served.api;
    let listed = cx.send(Request::get(api.path()).query("limit", 1)).await?;
    api.expect_permitted(&cx, "list", &listed).await?;
    listed.expect_status(&[200])?;
    let list = listed.json().cloned().unwrap_or_default();
    let right = list["kind"] == format!("{}List", api.kind) && list["apiVersion"] == api.version;
    let actual = format!("{} in {}", list["kind"], list["apiVersion"]);
    listed.expect(right, format!("a {}List in {}", api.kind, api.version), actual)
}

async fn reviewed(cx: Context, api: Api) -> Checked {
    expect_listed(&cx, replacement(api), &["create"]).await?;

    let review = json!({ "apiVersion": api.version, "kind": api.kind });
    let reviewed = cx.send(Request::post(api.path(), &review)).await?;
    api.expect_permitted(&cx, "create", &reviewed).await?;
    let status = reviewed.status();
    let judged = status == 201 || ((400..500).contains(&status) && ![404, 405].contains(&status));
    reviewed.expect(judged, "HTTP 201, or a code for an invalid review", reviewed.brief())
}

/// Discovery lists the API with its kind, its scope and these verbs.
async fn expect_listed(cx: &Context, served: Replacement, verbs: &[&str]) -> Checked {
    let api = served.api;
    let document = cx.send(Request::get(api.root())).await?;
    let scope = if api.namespaced { "with namespaces" } else { "without namespaces" };
    let expected = format!("{} {scope}, of kind {}, with {}", api.name(), api.kind, verbs.join(", "));
    let Some(entry) = api.entry_in(&document) else {
        return Err(deviation(cx, served, &document, &expected, &document.brief()));
    };
    let known = entry["verbs"].as_array().map(Vec::as_slice).unwrap_or_default();
    let has_verbs = verbs.iter().all(|verb| known.iter().any(|one| one == verb));
    if has_verbs && entry["kind"] == api.kind && entry["namespaced"] == api.namespaced {
        return Ok(());
    }
    Err(deviation(cx, served, &document, &expected, &entry.to_string()))
}

/// A failure of a whole kube-apiserver. Other servers may lack any API, and any verb of it.
fn deviation(cx: &Context, served: Replacement, document: &Exchange, expected: &str, actual: &str) -> Halt {
    let (group, _) = served.api.group_version();
    let why = || format!("discovery has {actual}, not {expected}");
    if let Some(feature) = served.feature.filter(|_| !cx.target_info().serves(group)) {
        return cx.lacks(feature, why());
    }
    if discovery::is_whole_but(cx, group) && require_minor(cx).is_ok() {
        return document.fail(expected, actual);
    }
    Halt::skip(format!("{}, and this server is no whole kube-apiserver of a known release", why()))
}
