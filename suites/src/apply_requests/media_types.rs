//! Media types of applies and of their responses.

use super::{MANAGER, OTHER};
use crate::apply_fixture::owner::{applier, expect_owns};
use crate::cbor;
use crate::patch_types;
use crate::prelude::*;

rows![
    apply_requests_media_type,
    apply_requests_media_type_unknown_suffix,
    apply_requests_media_type_parameters,
    apply_requests_cbor.own_kinds(),
    apply_requests_feature_disabled_415,
    apply_requests_response_is_object,
    apply_requests_accept_negotiation,
    apply_requests_discoverable_in_openapi.own_kinds(),
];

/// The text is stored, and owned by who applied it.
async fn expect_applied(fixture: &ApplyFixture, answer: &Exchange) -> Checked {
    fixture.expect_texts(answer, &[("k", Some("v"))]).await?;
    expect_owns(answer, applier(MANAGER), &[&fixture.path_of_text("k")])
}

/// A patch in this form that says as much as an apply that creates.
fn sent_as(fixture: &ApplyFixture, form: &str) -> Request {
    patch_types::patch(&fixture.collection, fixture.name, form, &fixture.whole(&[("k", "v")]))
        .query("fieldManager", MANAGER)
}

async fn apply_requests_media_type(fixture: ApplyFixture) -> Checked {
    fixture.ask(sent_as(&fixture, MERGE)).await?.expect_error(&[404], &["NotFound"])?;
    fixture.expect_absent().await?;

    let applied = fixture.ask(sent_as(&fixture, APPLY)).await?;
    expect_applied(&fixture, &applied).await
}

async fn apply_requests_media_type_unknown_suffix(cx: Context, fixture: ApplyFixture) -> Checked {
    fixture.done(fixture.applying_whole(OTHER, &[("l", "w")])).await?;
    let before = fixture.read().await?.written()?;

    for form in ["application/apply-patch+json", "application/apply-patch", "application/unknown-patch+yaml"]
    {
        // Not by `ask`: that the media type is not known is what is expected here.
        let refused = cx.send(sent_as(&fixture, form)).await?;
        refused.expect_error(&[415], &["UnsupportedMediaType"])?;
    }
    fixture.expect_unchanged(&before).await
}

async fn apply_requests_media_type_parameters(cx: Context, fixture: ApplyFixture) -> Checked {
    let before = fixture.of("b");
    before.done(before.applying_whole(MANAGER, &[("k", "v")])).await?;

    let answer = cx.send(sent_as(&fixture, &format!("{APPLY}; charset=utf-8"))).await?;

    expect_applied(&fixture, &answer).await
}

async fn apply_requests_cbor(cx: Context, ConfigMapApplyFixture(fixture): ConfigMapApplyFixture) -> Checked {
    let body = fixture.whole(&[("k", "v")]);

    let answer = cx.send(cbor::apply(&fixture.collection, fixture.name, MANAGER, &body)).await?;

    if answer.status() == 415 {
        return fixture.expect_absent().await;
    }
    expect_applied(&fixture, &answer).await
}

async fn apply_requests_feature_disabled_415(cx: Context, fixture: ApplyFixture) -> Checked {
    let answer = cx.send(sent_as(&fixture, APPLY)).await?;

    if answer.status() == 415 {
        answer.expect_error(&[415], &["UnsupportedMediaType"])?;
        return fixture.expect_absent().await;
    }
    expect_applied(&fixture, &answer).await
}

async fn apply_requests_response_is_object(fixture: ApplyFixture) -> Checked {
    fixture.created(&[("kept", "yes")]).await?;

    let changed = fixture.ask(fixture.applying_texts(MANAGER, &[("k", "v")])).await?;
    fixture.expect_texts(&changed, &[("kept", Some("yes"))]).await?;
    expect_whole(&fixture, &changed).await?;

    let another = fixture.of("b");
    let created = another.ask(another.applying_whole(MANAGER, &[("k", "v")])).await?;
    expect_whole(&another, &created).await
}

/// The answer is what a read gives directly afterwards, and tells who has applied.
async fn expect_whole(fixture: &ApplyFixture, answer: &Exchange) -> Checked {
    let (shown, stored) = (answer.object()?, fixture.read().await?.object()?);
    for field in ["uid", "resourceVersion"] {
        answer.expect(
            !shown.metadata(field).is_empty(),
            format!("an object with a {field}"),
            answer.brief(),
        )?;
    }
    let same = shown.untyped() == stored.untyped();
    answer.expect(same, format!("the object as it is stored: {}", stored.json()), answer.text())?;
    expect_owns(answer, applier(MANAGER), &[&fixture.path_of_text("k")])
}

/// Forms of answers that a client may ask for.
const FORMS: [&str; 3] =
    ["application/json", "application/yaml", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"];

async fn apply_requests_accept_negotiation(cx: Context, fixture: ApplyFixture) -> Checked {
    fixture.created(&[("kept", "yes")]).await?;

    for form in FORMS {
        let read = cx.send(Request::get(fixture.path()).accept(form)).await?;
        let applied = fixture.ask(fixture.applying_texts(MANAGER, &[("k", form)]).accept(form)).await?;
        let expected = format!("{}, as a read with Accept: {form}", form_of(&read));
        applied.expect(form_of(&applied) == form_of(&read), expected, form_of(&applied))?;
    }
    Ok(())
}

/// The code, the media type and the kind of an answer.
fn form_of(answer: &Exchange) -> String {
    let media_type = answer.header("content-type").unwrap_or_default().split(';').next().unwrap_or_default();
    let kind = answer.json().and_then(|json| json["kind"].as_str()).unwrap_or("something");
    format!("{} and {kind} in {}", answer.status(), media_type.trim())
}

/// Documents that describe the core group, the younger form first.
const DOCUMENTS: [&str; 2] = ["/openapi/v3/api/v1", "/openapi/v2"];

async fn apply_requests_discoverable_in_openapi(
    cx: Context,
    ConfigMapApplyFixture(fixture): ConfigMapApplyFixture,
) -> Checked {
    fixture.done(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;

    for path in DOCUMENTS {
        let published = cx.send(Request::get(path)).await?;
        let Some(listed) = published.json().and_then(media_types) else { continue };
        let expected = format!("{APPLY} among what a PATCH of a config map may be");
        let there = listed.iter().any(|media_type| media_type == APPLY);
        return published.expect(there, expected, format!("only {listed:?}"));
    }
    Err(Halt::Skipped("this server publishes no OpenAPI of config maps in JSON".to_owned()))
}

/// What a document says of the media types of a PATCH of a config map, if it tells of it.
fn media_types(document: &Value) -> Option<Vec<String>> {
    let patch = &document["paths"]["/api/v1/namespaces/{namespace}/configmaps/{name}"]["patch"];
    let listed = patch["consumes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let described = patch["requestBody"]["content"].as_object().into_iter().flatten();
    let all = listed.map(str::to_owned).chain(described.map(|(media_type, _)| media_type.clone()));
    patch.is_object().then(|| all.collect())
}
