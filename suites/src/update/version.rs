//! The version on whose premise an object is put.

use harness::{Context, Halt, Suite, decimal};
use serde_json::{Value, json};

use crate::stored::Stored;

/// How many write at the same time.
const WRITERS: usize = 20;

/// Further than any server gets while a scenario asks.
const FAR: u128 = 1_000_000_000;

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("update-put-with-current-rv-accepted", a_put_at_the_current_version_is_accepted)
        .on_every_shape()
        .scenario("update-put-stale-rv-409", a_put_at_an_outdated_version_is_a_conflict)
        .on_every_shape()
        .scenario("update-put-stale-rv-no-effect", a_refused_put_leaves_the_object)
        .on_every_shape()
        .scenario("update-put-conflict-any-field", a_change_of_any_other_field_is_a_conflict)
        .on_every_shape()
        .scenario("update-put-conflict-always-detected", of_puts_at_the_same_time_one_succeeds_at_most)
        .on_every_shape()
        .scenario("update-put-nonexistent-rv-409", a_put_at_a_version_of_something_else_is_a_conflict)
        .on_every_shape()
        .scenario("update-put-missing-rv-builtin-unconditional", a_put_without_a_version_is_done_or_refused)
        .on_every_shape()
        .scenario("update-put-malformed-rv-rejected", a_put_at_no_version_is_not_carried_out)
        .on_every_shape()
}

/// Adds the scenario that is about custom types.
pub(super) fn add_custom(suite: Suite) -> Suite {
    suite.scenario("update-put-missing-rv-custom-422", a_put_of_a_custom_object_names_a_version)
}

/// Adds those that the rules about concurrency ask for in the same words.
pub(crate) fn add_to_concurrency(suite: Suite) -> Suite {
    suite
        .scenario("concurrency-put-stale-resourceversion-409", a_put_at_an_outdated_version_is_a_conflict)
        .on_every_shape()
        .scenario("concurrency-put-current-resourceversion-ok", a_put_at_the_current_version_is_accepted)
        .on_every_shape()
}

fn labelled(value: &str) -> Value {
    json!({ "metadata": { "labels": { "assay": value } } })
}

async fn a_put_at_the_current_version_is_accepted(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    stored.things.create("b").await?;
    stored.things.write("b", "second").await?;

    let put = stored.put(&stored.body("second")).await?;

    put.expect_status(&[200])?;
    stored.expect_value("second").await
}

async fn a_put_at_an_outdated_version_is_a_conflict(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    stored.write("second").await?;

    let put = stored.put(&stored.body("third")).await?;

    put.expect_error(&[409], &["Conflict"]).map(drop)
}

async fn a_refused_put_leaves_the_object(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    stored.write("second").await?;
    let changed = stored.again().await?;

    stored.put(&stored.body("third")).await?;

    changed.expect_unchanged().await
}

async fn a_change_of_any_other_field_is_a_conflict(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    stored.change(&labelled("changed")).await?;
    let changed = stored.again().await?;

    for body in [stored.body("second"), stored.read.json().clone()] {
        stored.put(&body).await?.expect_error(&[409], &["Conflict"])?;
    }

    changed.expect_unchanged().await
}

async fn of_puts_at_the_same_time_one_succeeds_at_most(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let race = stored.race(WRITERS).await?;

    race.expect_one_winner()?;
    match race.won.first() {
        Some((value, _)) => stored.expect_value(value).await,
        None => stored.expect_unchanged().await,
    }
}

async fn a_put_at_a_version_of_something_else_is_a_conflict(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    stored.things.create("b").await?;
    let other = stored.things.write("b", "second").await?;
    let mut versions = vec![other.version().to_owned()];
    if let Some(current) = decimal(stored.read.version()) {
        versions.extend(["1".to_owned(), (current + FAR).to_string()]);
    }
    versions.retain(|version| version != stored.read.version());

    for version in versions {
        let mut body = stored.body("second");
        body["metadata"]["resourceVersion"] = version.into();
        stored.put(&body).await?.expect_error(&[409], &["Conflict"])?;
    }

    stored.expect_unchanged().await
}

async fn a_put_without_a_version_is_done_or_refused(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let put = stored.put(&stored.things.body(crate::stored::NAME, "second")).await?;

    if put.succeeded() {
        put.expect_status(&[200])?;
        return stored.expect_value("second").await;
    }
    let refused = (400..500).contains(&put.status());
    put.expect(refused, "HTTP 200, or a refusal with 4xx", put.brief())?;
    stored.expect_unchanged().await
}

async fn a_put_at_no_version_is_not_carried_out(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let mut body = stored.body("second");
    body["metadata"]["resourceVersion"] = "abc".into();

    let put = stored.put(&body).await?;

    put.expect(!put.succeeded(), "a refusal: abc is no version of this server", put.brief())?;
    stored.expect_unchanged().await
}

async fn a_put_of_a_custom_object_names_a_version(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create_among(&cx, cx.custom_resources().await?).await?;

    for version in [Value::Null, "".into()] {
        let mut body = stored.body("second");
        body["metadata"]["resourceVersion"] = version;
        stored.put(&body).await?.expect_error(&[422], &["Invalid"])?;
    }

    stored.expect_unchanged().await
}
