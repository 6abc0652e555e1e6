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

/// The string field is stored, and the applier owns it.
async fn expect_applied(fixture: &ApplyFixture, response: &Exchange) -> Checked {
    fixture.expect_texts(response, &[("k", Some("v"))]).await?;
    expect_owns(response, applier(MANAGER), &[&fixture.path_of_text("k")])
}

/// A patch of this media type, with the body of an apply that creates.
fn sent_as(fixture: &ApplyFixture, form: &str) -> Request {
    patch_types::patch(&fixture.collection, fixture.name, form, &fixture.whole(&[("k", "v")]))
        .query("fieldManager", MANAGER)
}

async fn apply_requests_media_type(fixture: ApplyFixture) -> Checked {
    fixture.send(sent_as(&fixture, MERGE)).await?.expect_error(&[404], &["NotFound"])?;
    fixture.expect_absent().await?;

    let applied = fixture.send(sent_as(&fixture, APPLY)).await?;
    expect_applied(&fixture, &applied).await
}

async fn apply_requests_media_type_unknown_suffix(cx: Context, fixture: ApplyFixture) -> Checked {
    fixture.write(fixture.applying_whole(OTHER, &[("l", "w")])).await?;
    let before = fixture.read().await?.written()?;

    for form in ["application/apply-patch+json", "application/apply-patch", "application/unknown-patch+yaml"]
    {
        // Without the skip on 415.
        let refused = cx.send(sent_as(&fixture, form)).await?;
        refused.expect_error(&[415], &["UnsupportedMediaType"])?;
    }
    fixture.expect_unchanged(&before).await
}

async fn apply_requests_media_type_parameters(cx: Context, fixture: ApplyFixture) -> Checked {
    let before = fixture.of("b");
    before.write(before.applying_whole(MANAGER, &[("k", "v")])).await?;

    let response = cx.send(sent_as(&fixture, &format!("{APPLY}; charset=utf-8"))).await?;

    expect_applied(&fixture, &response).await
}

async fn apply_requests_cbor(cx: Context, fixture: ConfigMapApplyFixture) -> Checked {
    let body = fixture.whole(&[("k", "v")]);

    let response = cx.send(cbor::apply(&fixture.collection, fixture.name, MANAGER, &body)).await?;

    if response.status() == 415 {
        return fixture.expect_absent().await;
    }
    expect_applied(&fixture, &response).await
}

async fn apply_requests_feature_disabled_415(cx: Context, fixture: ApplyFixture) -> Checked {
    let response = cx.send(sent_as(&fixture, APPLY)).await?;

    if response.status() == 415 {
        response.expect_error(&[415], &["UnsupportedMediaType"])?;
        return fixture.expect_absent().await;
    }
    expect_applied(&fixture, &response).await
}

async fn apply_requests_response_is_object(fixture: ApplyFixture) -> Checked {
    fixture.created(&[("kept", "yes")]).await?;

    let changed = fixture.send(fixture.applying_texts(MANAGER, &[("k", "v")])).await?;
    fixture.expect_texts(&changed, &[("kept", Some("yes"))]).await?;
    expect_whole(&fixture, &changed).await?;

    let another = fixture.of("b");
    let created = another.send(another.applying_whole(MANAGER, &[("k", "v")])).await?;
    expect_whole(&another, &created).await
}

/// The response shows the object as stored, with the entry of the applier.
async fn expect_whole(fixture: &ApplyFixture, response: &Exchange) -> Checked {
    let (object, stored) = (response.object()?, fixture.read().await?.object()?);
    for field in ["uid", "resourceVersion"] {
        let present = !object.metadata(field).is_empty();
        response.expect(present, format!("an object with a {field}"), response.brief())?;
    }
    let same = object.untyped() == stored.untyped();
    response.expect(same, format!("the stored object: {}", stored.json()), response.text())?;
    expect_owns(response, applier(MANAGER), &[&fixture.path_of_text("k")])
}

/// Media types of responses.
const FORMS: [&str; 3] =
    ["application/json", "application/yaml", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"];

async fn apply_requests_accept_negotiation(cx: Context, fixture: ApplyFixture) -> Checked {
    fixture.created(&[("kept", "yes")]).await?;

    for form in FORMS {
        let read = cx.send(Request::get(fixture.path()).accept(form)).await?;
        let applied = fixture.send(fixture.applying_texts(MANAGER, &[("k", form)]).accept(form)).await?;
        let expected = format!("{}, as for a read with Accept: {form}", form_of(&read));
        applied.expect(form_of(&applied) == form_of(&read), expected, form_of(&applied))?;
    }
    Ok(())
}

/// The code, the media type and the kind of a response.
fn form_of(response: &Exchange) -> String {
    let media_type =
        response.header("content-type").unwrap_or_default().split(';').next().unwrap_or_default();
    let kind = response.json().and_then(|json| json["kind"].as_str()).unwrap_or("no kind");
    format!("{} and {kind} in {}", response.status(), media_type.trim())
}

/// The `OpenAPI` documents of the core group, newest version first.
const DOCUMENTS: [&str; 2] = ["/openapi/v3/api/v1", "/openapi/v2"];

async fn apply_requests_discoverable_in_openapi(cx: Context, fixture: ConfigMapApplyFixture) -> Checked {
    fixture.write(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;

    for path in DOCUMENTS {
        let published = cx.send(Request::get(path)).await?;
        let Some(listed) = published.json().and_then(media_types) else { continue };
        let expected = format!("{APPLY} among the media types of PATCH of a ConfigMap");
        return published.expect(
            listed.iter().any(|listed| listed == APPLY),
            expected,
            format!("{listed:?}"),
        );
    }
    Err(Halt::skip("the server publishes no OpenAPI document of ConfigMaps in JSON"))
}

/// The media types of PATCH of a `ConfigMap`; `None` if the document does not describe it.
fn media_types(document: &Value) -> Option<Vec<String>> {
    let patch = &document["paths"]["/api/v1/namespaces/{namespace}/configmaps/{name}"]["patch"];
    let listed = patch["consumes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let described = patch["requestBody"]["content"].as_object().into_iter().flatten();
    let all = listed.map(str::to_owned).chain(described.map(|(media_type, _)| media_type.clone()));
    patch.is_object().then(|| all.collect())
}
