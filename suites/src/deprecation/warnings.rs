//! The Warning header of deprecated APIs.

use harness::invariant::{CheckResult, ensure};
use harness::{DEPRECATION_WARNING, invariant};

use super::deprecated_api::{listed, texts};
use super::releases::{DEPRECATED, PREFERRED, Releases, STORED, WITH_TEXT};
use crate::definitions;
use crate::prelude::*;
use crate::unprivileged_user;
use crate::verbs::or_note;
use crate::warning;

pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(deprecation_warning_header).own_kinds().read_only(),
        row!(deprecation_warning_header_format).own_kinds(),
        invariant("deprecation-warning-header-format", is_well_formed),
        row!(deprecation_warning_header_all_verbs).own_kinds(),
        row!(deprecation_warning_crd_version_default_text).own_kinds(),
        row!(deprecation_warning_crd_version_custom_text).own_kinds(),
    ]
}

/// APIs that no release deprecates.
const CURRENT: [&str; 3] = [
    "/api/v1/namespaces",
    "/api/v1/namespaces/default/configmaps",
    "/apis/apps/v1/namespaces/default/deployments",
];

async fn deprecation_warning_header(cx: Context) -> Checked {
    for (api, list) in listed(&cx).await? {
        let names_it = |text: &str| text.contains(api.kind) || text.contains(api.plural);
        let warned = texts(&list).any(|text| names_it(&text));
        list.expect(warned, format!("a Warning that {} is deprecated", api.kind), warning::shown(&list))?;
    }
    for path in CURRENT {
        expect_no_deprecation(&*cx.send(Request::get(path).query("limit", 1)).await?)?;
    }
    Ok(())
}

/// The response has no warning that its API is deprecated.
fn expect_no_deprecation(response: &Exchange) -> Checked {
    let warned = texts(response).next();
    response.expect(warned.is_none(), "no Warning that the API is deprecated", format!("{warned:?}"))
}

async fn deprecation_warning_header_format(cx: Context, releases: Releases) -> Checked {
    releases.read(&cx, WITH_TEXT, "").await?;
    let mut body = releases.body(WITH_TEXT, NAME);
    body["spec"]["none \"such\""] = true.into();
    let path = releases.path(WITH_TEXT, "");
    let created = cx.send(Request::post(path, &body).query("fieldValidation", "Warn")).await?;
    created.expect_status(&[201])?;
    expect_format(&created)?;
    warning::expect(&created, DEPRECATION_WARNING)?;
    warning::expect(&created, "none")?;
    for (_, list) in or_note(&cx, listed(&cx).await)?.into_iter().flatten() {
        expect_format(&list)?;
    }
    Ok(())
}

/// The warnings of kube-apiserver: code 299, and no agent. A proxy may add others.
fn expect_format(response: &Exchange) -> Checked {
    for header in warning::headers(response) {
        let warnings = warning::parse(header).unwrap_or_default();
        let right = !warnings.is_empty()
            && warnings.iter().all(|warning| warning.code == "299" || warning.agent != "-");
        response.expect(right, r#"Warning: 299 - "text""#, header)?;
    }
    Ok(())
}

/// A proxy may add warnings with other codes.
fn is_well_formed(exchange: &Exchange) -> CheckResult {
    let mut headers = warning::headers(exchange).peekable();
    headers.peek()?;
    let malformed = headers.find(|header| warning::parse(header).is_none());
    Some(ensure(malformed.is_none(), r#"Warning: CODE AGENT "text", as in RFC 7234"#, || {
        malformed.unwrap_or_default().to_owned()
    }))
}

async fn deprecation_warning_header_all_verbs(cx: Context, releases: Releases) -> Checked {
    releases.read(&cx, DEPRECATED, "").await?;
    let (collection, object) = (releases.path(DEPRECATED, ""), releases.path(DEPRECATED, NAME));
    let body = releases.body(DEPRECATED, NAME);
    let mut invalid = body.clone();
    invalid["metadata"]["labels"] = json!({ "not a label": "" });
    let requests = [
        (Request::post(collection.as_str(), &body), 201),
        (Request::get(collection.as_str()), 200),
        (Request::get(object.as_str()), 200),
        (Request::merge_patch(object.as_str(), &json!({ "spec": { "value": "b" } })), 200),
        (Request::get(releases.path(DEPRECATED, "missing")), 404),
        (Request::put(object.as_str(), &invalid), 422),
    ];
    for (request, status) in requests {
        let response = cx.send(request).await?;
        response.expect_status(&[status])?;
        expect_warned(&response)?;
    }
    let stored = cx.send(Request::get(object.as_str())).await?.object()?;
    let stored = stored.with(&json!({ "spec": { "value": "c" } }))?;
    let updated = cx.send(Request::put(object.as_str(), &stored)).await?;
    updated.expect_status(&[200])?;
    expect_warned(&updated)?;
    expect_warned_watch(&cx, &collection).await?;
    let deleted = cx.send(Request::delete(object.as_str())).await?;
    deleted.expect_status(&[200, 202])?;
    expect_warned(&deleted)?;
    let refused = unprivileged_user::is_refused(&cx, Request::get(collection.as_str())).await;
    match or_note(&cx, refused)? {
        Some(refused) if refused.status() == 403 => expect_no_deprecation(&refused),
        _ => Ok(()),
    }
}

async fn expect_warned_watch(cx: &Context, collection: &str) -> Checked {
    match cx.open(Request::get(collection).query("watch", 1)).await? {
        Opening::Watch(watch) => expect_warned(&watch.exchange()),
        Opening::Rejected(response) => response.expect_status(&[200]),
    }
}

/// The response warns of the deprecated version.
fn expect_warned(response: &Exchange) -> Checked {
    let warned = texts(response).next().is_some();
    response.expect(warned, "a Warning that the API is deprecated", warning::shown(response))
}

async fn deprecation_warning_crd_version_default_text(cx: Context, releases: Releases) -> Checked {
    let list = releases.read(&cx, DEPRECATED, "").await?;
    let text = texts(&list).next().unwrap_or_default();
    let (version, newest) = (releases.api_version(DEPRECATED), releases.api_version(PREFERRED));
    let right = text.starts_with(&format!("{version} ")) && text.contains(&newest);
    let expected = format!("a Warning that {version} is deprecated, and {newest} is not");
    list.expect(right, expected, warning::shown(&list))?;

    for version in [PREFERRED, STORED] {
        expect_no_deprecation(&*releases.read(&cx, version, "").await?)?;
    }
    Ok(())
}

async fn deprecation_warning_crd_version_custom_text(cx: Context, releases: Releases) -> Checked {
    let list = releases.read(&cx, WITH_TEXT, "").await?;
    let texts = warning::texts(&list);
    let of_release = |text: &&String| text.contains(" is deprecated") || text.as_str() == DEPRECATION_WARNING;
    let told: Vec<_> = texts.iter().filter(of_release).collect();
    list.expect(
        told == [DEPRECATION_WARNING],
        format!("the Warning {DEPRECATION_WARNING:?}"),
        format!("{texts:?}"),
    )?;

    let mut definition = definitions::body(&cx, &definitions::group(&cx, "text"));
    definition["spec"]["versions"][0]["deprecationWarning"] = "use another".into();
    let request = definitions::request(&cx, &definition)?.query("dryRun", "All");
    cx.send(request).await?.expect_error(&[422], &["Invalid"]).map(drop)
}
