//! System metadata in the body of an apply.

use super::{MANAGER, OTHER, expect_refused};
use crate::apply_fixture::owner::{applier, expect_owns_none};
use crate::clock::another_second;
use crate::generations;
use crate::prelude::*;

rows![
    apply_requests_managed_fields_forbidden,
    apply_requests_managed_fields_empty_list_forbidden,
    apply_requests_null_system_metadata_tolerated,
    apply_requests_system_metadata_ignored,
];

/// An apply of the whole object with a field of its metadata.
fn applying(fixture: &ApplyFixture, field: &str, value: &Value) -> Request {
    let mut body = fixture.whole(&[("k", "v")]);
    body["metadata"][field] = value.clone();
    fixture.applying_body(MANAGER, &body)
}

async fn apply_requests_managed_fields_forbidden(fixture: ApplyFixture) -> Checked {
    let another = fixture.of("b");
    another.created(&[("k", "v")]).await?;
    let owned = another.write(another.applying_texts(OTHER, &[("l", "w")])).await?;
    let entries = &owned.json()["metadata"]["managedFields"];

    expect_refused(&fixture, &[applying(&fixture, "managedFields", entries)], &[400, 422]).await
}

async fn apply_requests_managed_fields_empty_list_forbidden(fixture: ApplyFixture) -> Checked {
    expect_refused(&fixture, &[applying(&fixture, "managedFields", &json!([]))], &[400, 422]).await?;

    let fresh = fixture.of("b");
    for _ in 0..2 {
        fresh.send(applying(&fresh, "managedFields", &Value::Null)).await?.object()?;
    }
    Ok(())
}

async fn apply_requests_null_system_metadata_tolerated(cx: Context, fixture: ApplyFixture) -> Checked {
    // kube-apiserver rejects a null resourceVersion of types whose updates require one.
    let is_config_map = fixture.collection.resource().plural == "configmaps";
    let fields: &[&str] =
        if is_config_map { &["creationTimestamp", "resourceVersion"] } else { &["creationTimestamp"] };

    for field in fields {
        fixture.send(applying(&fixture, field, &Value::Null)).await?.object()?;
        let before = fixture.read().await?.object()?;
        another_second(&cx, &fixture.collection, fixture.name).await?;
        let again = fixture.send(applying(&fixture, field, &Value::Null)).await?;

        again.object()?;
        expect_owns_none(&again, applier(MANAGER), &[&format!("f:metadata/f:{field}")])?;
        fixture.expect_unchanged(&before).await?;
    }
    Ok(())
}

const LONG_AGO: &str = "2000-01-01T00:00:00Z";
const GENERATION: i64 = 99;

async fn apply_requests_system_metadata_ignored(fixture: ApplyFixture) -> Checked {
    let forged = |text: &str, generation: bool| {
        let mut body = fixture.whole(&[("k", text)]);
        body["metadata"]["creationTimestamp"] = json!(LONG_AGO);
        if generation {
            body["metadata"]["generation"] = json!(GENERATION);
        }
        fixture.applying_body(MANAGER, &body)
    };

    // kube-apiserver stores the generation of a create if the type has none of its own.
    let counts = generations::of(&fixture.collection.create("counted").await?).is_some();
    let created = fixture.send(forged("v", counts)).await?;
    let time = created.object()?.metadata("creationTimestamp").to_owned();
    created.expect(time != LONG_AGO, "the time of the creation", &time)?;
    expect_own_generation(&created)?;

    let changed = fixture.send(forged("w", true)).await?;
    expect_own_generation(&changed)?;
    changed.expect_value("/metadata/creationTimestamp", &json!(time))
}

fn expect_own_generation(response: &Exchange) -> Checked {
    let generation = response.object()?.json()["metadata"]["generation"].clone();
    response.expect(generation != GENERATION, "a generation set by the server", generation.to_string())
}
