//! PUT with current, stale, missing and malformed `resourceVersions`.

use harness::decimal;

use crate::prelude::*;

/// Number of concurrent writers.
const WRITERS: usize = 20;

/// Added to a resourceVersion, a version that no server reaches during a scenario.
const FAR: u128 = 1_000_000_000;

rows![
    update_put_with_current_rv_accepted,
    update_put_stale_rv_no_effect,
    update_put_conflict_any_field,
    update_put_conflict_always_detected,
    update_put_nonexistent_rv_409,
    update_put_missing_rv_builtin_unconditional,
    update_put_malformed_rv_rejected,
];

/// The rows of area `concurrency` with the same scenarios.
pub(crate) fn concurrency_rows() -> Vec<Row> {
    [
        super::rejections::concurrency_rows(),
        vec![row!("concurrency-put-current-resourceversion-ok", update_put_with_current_rv_accepted)],
    ]
    .concat()
}

async fn update_put_with_current_rv_accepted(stored: StoredObject) -> Checked {
    stored.collection.create("b").await?;
    stored.collection.write("b", "second").await?;

    let put = stored.put(&stored.body("second")).await?;

    put.expect_status(&[200])?;
    stored.expect_value("second").await
}

async fn update_put_stale_rv_no_effect(stored: StoredObject) -> Checked {
    stored.write("second").await?;
    let changed = stored.again().await?;

    stored.put(&stored.body("third")).await?;

    changed.expect_unchanged().await
}

async fn update_put_conflict_any_field(stored: StoredObject) -> Checked {
    stored.change(&json!({ "metadata": { "labels": { "assay": "changed" } } })).await?;
    let changed = stored.again().await?;

    for body in [stored.body("second"), stored.read.json().clone()] {
        stored.put(&body).await?.expect_error(&[409], &["Conflict"])?;
    }

    changed.expect_unchanged().await
}

async fn update_put_conflict_always_detected(stored: StoredObject) -> Checked {
    let race = stored.race(WRITERS).await?;

    race.expect_one_winner()?;
    match race.won.first() {
        Some((value, _)) => stored.expect_value(value).await,
        None => stored.expect_unchanged().await,
    }
}

async fn update_put_nonexistent_rv_409(cx: Context, stored: StoredObject) -> Checked {
    stored.collection.create("b").await?;
    let other = stored.collection.write("b", "second").await?;
    let mut versions = vec![other.version().to_owned()];
    if let Some(current) = decimal(stored.read.version()) {
        versions.extend(["1".to_owned(), (current + FAR).to_string()]);
    }
    versions.retain(|version| version != stored.read.version());

    for version in versions {
        let put = stored.put_with(|body| body["metadata"]["resourceVersion"] = version.into());
        cx.send(put).await?.expect_error(&[409], &["Conflict"])?;
    }
    stored.expect_unchanged().await
}

async fn update_put_missing_rv_builtin_unconditional(stored: StoredObject) -> Checked {
    let put = stored.put(&stored.collection.body(NAME, "second")).await?;

    if put.succeeded() {
        put.expect_status(&[200])?;
        return stored.expect_value("second").await;
    }
    let rejected = (400..500).contains(&put.status());
    put.expect(rejected, "HTTP 200, or a rejection with 4xx", put.brief())?;
    stored.expect_unchanged().await
}

async fn update_put_malformed_rv_rejected(cx: Context, stored: StoredObject) -> Checked {
    let put = stored.put_with(|body| body["metadata"]["resourceVersion"] = "abc".into());

    let response = cx.send(put).await?;

    response.expect(!response.succeeded(), "a rejection: abc is no resourceVersion", response.brief())?;
    stored.expect_unchanged().await
}
