//! Concurrent applies to one object.

use crate::prelude::*;
use crate::string_map;

rows![
    apply_requests_upsert_atomic_create,
    apply_requests_concurrent_retry,
    apply_requests_many_appliers_prune_correctly,
];

/// On how many connections those travel who apply at the same time.
const CONNECTIONS: usize = 4;

/// The names of so many managers; each has a text of the same name.
fn managers(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("kube-assay-{number}")).collect()
}

/// Sends a request for each, all at the same time.
async fn at_once(
    fixture: &ApplyFixture,
    managers: &[String],
    request: impl Fn(&str) -> Request,
) -> Result<Vec<Arc<Exchange>>, Halt> {
    let sent = managers.iter().enumerate().map(|(number, manager)| {
        let connection = u8::try_from(number % CONNECTIONS).unwrap_or_default();
        fixture.ask(request(manager).connection(connection))
    });
    try_join_all(sent).await
}

/// Of the texts of all managers, only that of one who has given it up is not there.
async fn expect_texts(fixture: &ApplyFixture, managers: &[String], given_up: Option<&str>) -> Checked {
    let got = fixture.read().await?;
    let object = got.object()?;
    let wrong: Vec<_> = managers
        .iter()
        .map(String::as_str)
        .filter(|manager| {
            let there = string_map::held(&fixture.collection, &object, manager).is_some();
            there == (Some(*manager) == given_up)
        })
        .collect();
    let except = given_up.map(|one| format!(", but not that of {one}")).unwrap_or_default();
    let expected = format!("the texts of {} managers{except}", managers.len());
    got.expect(wrong.is_empty(), expected, format!("it is otherwise with those of {wrong:?}"))
}

async fn apply_requests_upsert_atomic_create(fixture: ApplyFixture) -> Checked {
    let managers = managers(8);

    let apply = |manager: &str| fixture.applying_whole(manager, &[(manager, "there")]);
    let answers = at_once(&fixture, &managers, apply).await?;

    answers.iter().try_for_each(|answer| answer.expect_status(&[200, 201]))?;
    let created = answers.iter().filter(|answer| answer.status() == 201).count();
    let expected = format!("201 once among {} applies", answers.len());
    answers[0].expect(created == 1, expected, format!("{created} times 201"))?;
    expect_texts(&fixture, &managers, None).await
}

async fn apply_requests_concurrent_retry(fixture: ApplyFixture) -> Checked {
    fixture.created(&[]).await?;
    let managers = managers(20);

    let apply = |manager: &str| fixture.applying_texts(manager, &[(manager, "there")]);
    let answers = at_once(&fixture, &managers, apply).await?;

    answers.iter().try_for_each(|answer| answer.expect_status(&[200]))?;
    expect_texts(&fixture, &managers, None).await
}

async fn apply_requests_many_appliers_prune_correctly(fixture: ApplyFixture) -> Checked {
    fixture.created(&[]).await?;
    let managers = managers(15);
    let apply = |manager: &str| fixture.applying_texts(manager, &[(manager, "there")]);
    for answer in at_once(&fixture, &managers, apply).await? {
        answer.written()?;
    }

    let seventh = managers[6].as_str();
    fixture.ask(fixture.applying(seventh, &json!({}))).await?.object()?;

    expect_texts(&fixture, &managers, Some(seventh)).await
}
