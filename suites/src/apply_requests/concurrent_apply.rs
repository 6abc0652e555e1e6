//! Concurrent applies to one object.

use crate::prelude::*;
use crate::string_map;

rows![
    apply_requests_upsert_atomic_create,
    apply_requests_concurrent_retry,
    apply_requests_many_appliers_prune_correctly,
];

/// The number of connections for concurrent applies.
const CONNECTIONS: usize = 4;

/// The names of managers; each owns a string field of the same name.
fn managers(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("kube-assay-{number}")).collect()
}

/// Sends one request for each manager, concurrently.
async fn concurrently(
    fixture: &ApplyFixture,
    managers: &[String],
    request: impl Fn(&str) -> Request,
) -> Result<Vec<Arc<Exchange>>, Halt> {
    let sent = managers.iter().enumerate().map(|(number, manager)| {
        let connection = u8::try_from(number % CONNECTIONS).unwrap_or_default();
        fixture.send(request(manager).connection(connection))
    });
    try_join_all(sent).await
}

/// The object has the string fields of all managers, except the one that was given up.
async fn expect_texts(fixture: &ApplyFixture, managers: &[String], given_up: Option<&str>) -> Checked {
    let got = fixture.read().await?;
    let object = got.object()?;
    let is_wrong = |manager: &&str| {
        let stored = string_map::held(&fixture.collection, &object, manager).is_some();
        stored == (Some(*manager) == given_up)
    };
    let wrong: Vec<_> = managers.iter().map(String::as_str).filter(is_wrong).collect();
    let except = given_up.map(|one| format!(" except {one}")).unwrap_or_default();
    let expected = format!("the string fields of {} managers{except}", managers.len());
    got.expect(wrong.is_empty(), expected, format!("wrong for {wrong:?}"))
}

async fn apply_requests_upsert_atomic_create(fixture: ApplyFixture) -> Checked {
    let managers = managers(8);

    let apply = |manager: &str| fixture.applying_whole(manager, &[(manager, "there")]);
    let responses = concurrently(&fixture, &managers, apply).await?;

    responses.iter().try_for_each(|response| response.expect_status(&[200, 201]))?;
    let created = responses.iter().filter(|response| response.status() == 201).count();
    let expected = format!("HTTP 201 for one of {} applies", responses.len());
    responses[0].expect(created == 1, expected, format!("HTTP 201 for {created}"))?;
    expect_texts(&fixture, &managers, None).await
}

async fn apply_requests_concurrent_retry(fixture: ApplyFixture) -> Checked {
    fixture.created(&[]).await?;
    let managers = managers(20);

    let apply = |manager: &str| fixture.applying_texts(manager, &[(manager, "there")]);
    let responses = concurrently(&fixture, &managers, apply).await?;

    responses.iter().try_for_each(|response| response.expect_status(&[200]))?;
    expect_texts(&fixture, &managers, None).await
}

async fn apply_requests_many_appliers_prune_correctly(fixture: ApplyFixture) -> Checked {
    fixture.created(&[]).await?;
    let managers = managers(15);
    let apply = |manager: &str| fixture.applying_texts(manager, &[(manager, "there")]);
    let responses = concurrently(&fixture, &managers, apply).await?;
    responses.iter().try_for_each(|response| response.written().map(drop))?;

    let seventh = managers[6].as_str();
    fixture.send(fixture.applying(seventh, &json!({}))).await?.object()?;

    expect_texts(&fixture, &managers, Some(seventh)).await
}
