//! Many who apply to the same object.

use std::sync::Arc;

use futures::future::try_join_all;
use harness::{Context, Exchange, Halt, Request, Suite};
use serde_json::json;

use crate::story::Story;
use crate::texts;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("apply-requests-upsert-atomic-create", of_many_who_create_one_does_and_all_are_merged)
        .on_every_shape()
        .scenario("apply-requests-concurrent-retry", applies_of_different_fields_do_not_meet)
        .on_every_shape()
        .scenario("apply-requests-many-appliers-prune-correctly", who_gives_up_a_field_takes_no_other_along)
        .on_every_shape()
}

/// On how many connections those travel who apply at the same time.
const LANES: usize = 4;

/// The names of so many managers; each has a text of the same name.
fn managers(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("kube-assay-{number}")).collect()
}

/// Sends a request for each, all at the same time.
async fn at_once(
    story: &Story,
    managers: &[String],
    request: impl Fn(&str) -> Request,
) -> Result<Vec<Arc<Exchange>>, Halt> {
    let sent = managers.iter().enumerate().map(|(number, manager)| {
        let lane = u8::try_from(number % LANES).unwrap_or_default();
        story.ask(request(manager).lane(lane))
    });
    try_join_all(sent).await
}

/// Of the texts of all managers, only that of one who has given it up is not there.
async fn expect_texts(story: &Story, managers: &[String], given_up: Option<&str>) -> Result<(), Halt> {
    let got = story.read().await?;
    let object = got.object()?;
    let wrong: Vec<_> = managers
        .iter()
        .map(String::as_str)
        .filter(|manager| {
            let there = texts::held(&story.things, &object, manager).is_some();
            there == (Some(*manager) == given_up)
        })
        .collect();
    let except = given_up.map(|one| format!(", but not that of {one}")).unwrap_or_default();
    let expected = format!("the texts of {} managers{except}", managers.len());
    got.expect(wrong.is_empty(), expected, format!("it is otherwise with those of {wrong:?}"))
}

async fn of_many_who_create_one_does_and_all_are_merged(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    let managers = managers(8);

    let apply = |manager: &str| story.applying_whole(manager, &[(manager, "there")]);
    let answers = at_once(&story, &managers, apply).await?;

    answers.iter().try_for_each(|answer| answer.expect_status(&[200, 201]))?;
    let created = answers.iter().filter(|answer| answer.status() == 201).count();
    let expected = format!("201 once among {} applies", answers.len());
    answers[0].expect(created == 1, expected, format!("{created} times 201"))?;
    expect_texts(&story, &managers, None).await
}

async fn applies_of_different_fields_do_not_meet(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    story.created(&[]).await?;
    let managers = managers(20);

    let apply = |manager: &str| story.applying_texts(manager, &[(manager, "there")]);
    let answers = at_once(&story, &managers, apply).await?;

    answers.iter().try_for_each(|answer| answer.expect_status(&[200]))?;
    expect_texts(&story, &managers, None).await
}

async fn who_gives_up_a_field_takes_no_other_along(cx: Context) -> Result<(), Halt> {
    let story = Story::of_the_subject(&cx).await?;
    story.created(&[]).await?;
    let managers = managers(15);
    let apply = |manager: &str| story.applying_texts(manager, &[(manager, "there")]);
    for answer in at_once(&story, &managers, apply).await? {
        answer.written()?;
    }

    let seventh = managers[6].as_str();
    story.ask(story.applying(seventh, &json!({}))).await?.object()?;

    expect_texts(&story, &managers, Some(seventh)).await
}
