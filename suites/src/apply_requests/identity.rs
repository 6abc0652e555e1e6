//! What the body of an apply says of which object it is, and of which type.

use harness::{Context, Halt, Suite};
use serde_json::{Value, json};

use super::{MANAGER, expect_refused};
use crate::story::Story;
use crate::story::owner::{applier, expect_no_entry};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-requests-kind-required", a_body_says_of_which_type_it_is)
        .on_every_shape()
        .scenario("apply-requests-api-version-must-match-url", a_body_of_another_version_is_refused)
        .on_every_shape()
        .scenario("apply-requests-kind-must-match-url", a_body_of_another_kind_is_refused)
        .on_every_shape()
        .scenario("apply-requests-minimal-body-no-change", who_owns_nothing_and_says_nothing_changes_nothing)
        .on_every_shape()
        .scenario("apply-requests-name-optional-on-existing", the_path_names_what_is_there)
        .on_every_shape()
        .scenario("apply-requests-name-required-on-create", without_a_name_nothing_else_is_created)
        .on_namespaced_shapes()
        .scenario("apply-requests-name-must-match-url", a_body_of_another_name_is_refused)
        .on_every_shape()
        .scenario("apply-requests-namespace-must-match-url", a_body_of_another_namespace_is_refused)
        .on_namespaced_shapes()
}

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

async fn a_body_says_of_which_type_it_is(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    let left_out: [&[&str]; 3] = [&["apiVersion", "kind"], &["kind"], &["apiVersion"]];

    let requests = left_out.map(|fields| {
        let body = without(story.whole(&[("k", "w")]), fields);
        story.applying_body(MANAGER, &body)
    });

    expect_refused(&story, &requests, &[400]).await
}

async fn a_body_of_another_version_is_refused(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    let other = story.things.resource().another_api_version();

    let requests = [other.as_str(), "kube-assay.example/v1"].map(|version| {
        let mut body = story.whole(&[("k", "w")]);
        body["apiVersion"] = json!(version);
        story.applying_body(MANAGER, &body)
    });

    expect_refused(&story, &requests, &[400]).await
}

async fn a_body_of_another_kind_is_refused(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    let mut body = story.whole(&[("k", "w")]);
    body["kind"] = json!(story.things.resource().another_kind());

    expect_refused(&story, &[story.applying_body(MANAGER, &body)], &[400]).await
}

async fn who_owns_nothing_and_says_nothing_changes_nothing(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    let before = story.created(&[("k", "v")]).await?;

    let body = without(story.body(&json!({})), &["metadata"]);
    let answer = story.ask(story.applying_body(MANAGER, &body)).await?;

    answer.expect_status(&[200])?;
    story.expect_unchanged(&before).await?;
    expect_no_entry(&answer, applier(MANAGER))
}

async fn the_path_names_what_is_there(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    story.created(&[("kept", "yes")]).await?;

    let body = nameless(story.holding(&[("k", "v")]));
    let answer = story.ask(story.applying_body(MANAGER, &body)).await?;

    answer.expect_status(&[200])?;
    story.expect_texts(&answer, &[("k", Some("v")), ("kept", Some("yes"))]).await
}

async fn without_a_name_nothing_else_is_created(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;

    let body = nameless(story.whole(&[("k", "v")]));
    let answer = story.ask(story.applying_body(MANAGER, &body)).await?;

    let mut there = Vec::new();
    if answer.succeeded() {
        answer.expect_status(&[201])?;
        there.push(story.name);
    } else {
        answer.expect_refusal(&[400, 422])?;
    }
    story.things.now().await?.expect_names(&there)
}

async fn a_body_of_another_name_is_refused(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    let another = story.of("other");

    let request = story.applying_body(MANAGER, &another.whole(&[("k", "w")]));
    expect_refused(&story, &[request], &[400]).await?;

    another.expect_absent().await
}

async fn a_body_of_another_namespace_is_refused(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    let elsewhere = cx.another_namespace().await?;
    let mut body = story.whole(&[("k", "w")]);
    body["metadata"]["namespace"] = json!(elsewhere);

    expect_refused(&story, &[story.applying_body(MANAGER, &body)], &[400]).await?;
    story.things.within(&elsewhere).get(story.name).await?.expect_status(&[404])?;

    let here = story.of("here");
    let created = here.ask(here.applying_whole(MANAGER, &[("k", "v")])).await?;
    let (shown, expected) = (created.object()?.namespace().to_owned(), cx.namespace().await?);
    created.expect(shown == expected, format!("an object in the namespace {expected}"), shown)
}
