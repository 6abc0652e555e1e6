//! `apiVersion`, kind, name and namespace in the body of an apply.

use super::{MANAGER, expect_refused};
use crate::apply_fixture::owner::{applier, expect_no_entry};
use crate::prelude::*;

rows![
    apply_requests_minimal_body_no_change,
    apply_requests_name_optional_on_existing,
    apply_requests_name_required_on_create.namespaced(),
    apply_requests_namespace_must_match_url.namespaced(),
];

/// An object without some of its fields.
fn without(mut object: Value, fields: &[&str]) -> Value {
    if let Some(object) = object.as_object_mut() {
        object.retain(|field, _| !fields.contains(&field.as_str()));
    }
    object
}

/// The whole object without a name.
fn nameless(mut object: Value) -> Value {
    object["metadata"] = without(object["metadata"].take(), &["name"]);
    object
}

async fn apply_requests_minimal_body_no_change(fixture: ApplyFixture) -> Checked {
    let before = fixture.created(&[("k", "v")]).await?;

    let body = without(fixture.body(&json!({})), &["metadata"]);
    let response = fixture.send(fixture.applying_body(MANAGER, &body)).await?;

    response.expect_status(&[200])?;
    fixture.expect_unchanged(&before).await?;
    expect_no_entry(&response, applier(MANAGER))
}

async fn apply_requests_name_optional_on_existing(fixture: ApplyFixture) -> Checked {
    fixture.created(&[("kept", "yes")]).await?;

    let body = nameless(fixture.holding(&[("k", "v")]));
    let response = fixture.send(fixture.applying_body(MANAGER, &body)).await?;

    response.expect_status(&[200])?;
    fixture.expect_texts(&response, &[("k", Some("v")), ("kept", Some("yes"))]).await
}

async fn apply_requests_name_required_on_create(fixture: ApplyFixture) -> Checked {
    let body = nameless(fixture.whole(&[("k", "v")]));
    let response = fixture.send(fixture.applying_body(MANAGER, &body)).await?;

    if response.succeeded() {
        response.expect_status(&[201])?;
        return fixture.collection.now().await?.expect_names(&[fixture.name]);
    }
    response.expect_rejection(&[400, 422])?;
    fixture.collection.now().await?.expect_names(&[])
}

async fn apply_requests_namespace_must_match_url(cx: Context, fixture: ApplyFixture) -> Checked {
    let elsewhere = cx.another_namespace().await?;
    let mut body = fixture.whole(&[("k", "w")]);
    body["metadata"]["namespace"] = json!(elsewhere);

    expect_refused(&fixture, &[fixture.applying_body(MANAGER, &body)], &[400]).await?;
    fixture.collection.within(&elsewhere).get(fixture.name).await?.expect_status(&[404])?;

    let here = fixture.of("here");
    let created = here.send(here.applying_whole(MANAGER, &[("k", "v")])).await?;
    let (actual, expected) = (created.object()?.namespace().to_owned(), cx.namespace().await?);
    created.expect(actual == expected, format!("an object in the namespace {expected}"), actual)
}
