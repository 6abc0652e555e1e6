//! `apiVersion`, kind, name and namespace in the body of an apply.

use harness::{Checked, Context};
use serde_json::{Value, json};

use super::{MANAGER, expect_refused};
use crate::apply_fixture::Story;
use crate::apply_fixture::owner::{applier, expect_no_entry};

rows![
    apply_requests_minimal_body_no_change,
    apply_requests_name_optional_on_existing,
    apply_requests_name_required_on_create.namespaced(),
    apply_requests_name_must_match_url,
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

async fn apply_requests_minimal_body_no_change(story: Story) -> Checked {
    let before = story.created(&[("k", "v")]).await?;

    let body = without(story.body(&json!({})), &["metadata"]);
    let answer = story.ask(story.applying_body(MANAGER, &body)).await?;

    answer.expect_status(&[200])?;
    story.expect_unchanged(&before).await?;
    expect_no_entry(&answer, applier(MANAGER))
}

async fn apply_requests_name_optional_on_existing(story: Story) -> Checked {
    story.created(&[("kept", "yes")]).await?;

    let body = nameless(story.holding(&[("k", "v")]));
    let answer = story.ask(story.applying_body(MANAGER, &body)).await?;

    answer.expect_status(&[200])?;
    story.expect_texts(&answer, &[("k", Some("v")), ("kept", Some("yes"))]).await
}

async fn apply_requests_name_required_on_create(story: Story) -> Checked {
    let body = nameless(story.whole(&[("k", "v")]));
    let answer = story.ask(story.applying_body(MANAGER, &body)).await?;

    let mut there = Vec::new();
    if answer.succeeded() {
        answer.expect_status(&[201])?;
        there.push(story.name);
    } else {
        answer.expect_refusal(&[400, 422])?;
    }
    story.collection.now().await?.expect_names(&there)
}

async fn apply_requests_name_must_match_url(story: Story) -> Checked {
    let another = story.of("other");

    let request = story.applying_body(MANAGER, &another.whole(&[("k", "w")]));
    expect_refused(&story, &[request], &[400]).await?;

    another.expect_absent().await
}

async fn apply_requests_namespace_must_match_url(cx: Context, story: Story) -> Checked {
    let elsewhere = cx.another_namespace().await?;
    let mut body = story.whole(&[("k", "w")]);
    body["metadata"]["namespace"] = json!(elsewhere);

    expect_refused(&story, &[story.applying_body(MANAGER, &body)], &[400]).await?;
    story.collection.within(&elsewhere).get(story.name).await?.expect_status(&[404])?;

    let here = story.of("here");
    let created = here.ask(here.applying_whole(MANAGER, &[("k", "v")])).await?;
    let (shown, expected) = (created.object()?.namespace().to_owned(), cx.namespace().await?);
    created.expect(shown == expected, format!("an object in the namespace {expected}"), shown)
}
