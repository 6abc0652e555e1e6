//! What a PUT cannot change: who an object is, since when, and how often its purpose has changed.

use harness::{Context, Exchange, Halt, Suite};
use serde_json::Value;

use crate::stored::Stored;

/// A uid that no object has.
const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("update-put-uid-mismatch-409", a_put_of_another_identity_is_a_conflict)
        .on_every_shape()
        .scenario("update-put-uid-missing-kept", a_put_without_an_identity_keeps_it)
        .also("metadata-uid-may-be-omitted-on-put")
        .on_every_shape()
        .scenario("update-put-creationtimestamp-kept", a_put_keeps_the_time_of_creation)
        .on_every_shape()
        .scenario("update-put-generation-not-settable", a_put_does_not_set_the_generation)
        .on_every_shape()
}

async fn a_put_of_another_identity_is_a_conflict(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let mut body = stored.body("second");
    body["metadata"]["uid"] = NOBODY.into();

    let put = stored.put(&body).await?;

    put.expect_error(&[409], &["Conflict"])?;
    stored.expect_unchanged().await
}

async fn a_put_without_an_identity_keeps_it(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let put = stored.put(&stored.body("second")).await?;

    expect_kept(&stored, &put, "uid").await
}

async fn a_put_keeps_the_time_of_creation(cx: Context) -> Result<(), Halt> {
    let created = Stored::create(&cx).await?;

    for (value, given) in [("second", Some("2001-01-01T00:00:00Z")), ("third", None)] {
        let stored = created.again().await?;
        let mut body = stored.body(value);
        if let Some(given) = given {
            body["metadata"]["creationTimestamp"] = given.into();
        }
        let put = stored.put(&body).await?;

        expect_kept(&created, &put, "creationTimestamp").await?;
    }
    Ok(())
}

/// A write has left a field of the metadata, in its answer and in what is stored.
async fn expect_kept(stored: &Stored, put: &Exchange, field: &str) -> Result<(), Halt> {
    let before = stored.read.metadata(field);
    let got = stored.get().await?;
    for answer in [put, &*got] {
        let shown = answer.object()?;
        let now = shown.metadata(field);
        answer.expect(now == before, format!("{field} {before} as before"), format!("{now:?}"))?;
    }
    Ok(())
}

async fn a_put_does_not_set_the_generation(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let generation = |json: &Value| json["metadata"]["generation"].as_i64().unwrap_or_default();
    let before = generation(stored.read.json());
    let mut body = stored.body("second");
    body["metadata"]["generation"] = 999.into();

    let put = stored.put(&body).await?;
    put.expect_status(&[200])?;

    let expected = format!("generation {before} or {}: 999 is a client's", before + 1);
    for answer in [put, stored.get().await?] {
        let now = generation(answer.object()?.json());
        answer.expect([before, before + 1].contains(&now), expected.as_str(), now.to_string())?;
    }
    Ok(())
}
