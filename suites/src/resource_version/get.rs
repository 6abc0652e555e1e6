//! What a resourceVersion means on get.

use std::collections::BTreeMap;

use harness::{Context, Exchange, Halt, Object, Suite, decimal};

use super::{READER, rounds};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("rv-get-unset-most-recent", a_get_without_version_shows_the_last_write)
        .scenario("rv-get-zero-any", a_get_at_zero_shows_a_state_that_was)
        .scenario("rv-get-nonzero-not-older", a_get_at_a_writes_version_shows_that_write)
        .scenario("rv-get-old-version-returns-newer", a_get_at_an_old_version_shows_that_or_a_newer_state)
}

async fn a_get_without_version_shows_the_last_write(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;
    for round in rounds() {
        let value = format!("write-{round}");
        things.write("a", &value).await?;

        let got = things.get("a").with(|request| request.lane(READER)).await?;

        expect_value(&got, &[&value])?;
    }
    Ok(())
}

async fn a_get_at_zero_shows_a_state_that_was(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let mut states = BTreeMap::new();
    let mut record = |object: Object| states.insert(object.version().to_owned(), object.value().to_owned());
    record(things.create("a").await?);
    for value in ["second", "third"] {
        record(things.write("a", value).await?);
    }

    // What answers may not even have heard of the object yet.
    let asked = cx.eventually(|| async {
        let got = things.get("a").at("0").await?;
        Ok((got.status() != 404).then_some(got))
    });
    let Some(got) = asked.await? else {
        return Err(cx.failed("the object in any state that it has had", "404 again and again", None));
    };

    let object = got.object()?;
    let was = states.get(object.version()).is_some_and(|value| value == object.value());
    got.expect(was, format!("a state that the object has had: {states:?}"), got.brief())
}

async fn a_get_at_a_writes_version_shows_that_write(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;
    for round in rounds() {
        let value = format!("write-{round}");
        let written = things.write("a", &value).await?;

        let get = things.get("a").at(written.version()).with(|request| request.lane(READER));

        expect_value(&*get.caught_up().await?, &[&value])?;
    }
    Ok(())
}

async fn a_get_at_an_old_version_shows_that_or_a_newer_state(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let created = things.create("a").await?;
    for value in ["second", "third"] {
        things.write("a", value).await?;
    }

    // Version 1 is older than anything of ours, and history hardly reaches back to it.
    let oldest = decimal(created.version()).map(|_| "1");
    for old in [created.version()].into_iter().chain(oldest) {
        expect_value(&*things.get("a").at(old).await?, &["first", "second", "third"])?;
    }
    Ok(())
}

fn expect_value(got: &Exchange, legal: &[&str]) -> Result<(), Halt> {
    let object = got.object()?;
    let shown = format!("{:?} at {}", object.value(), object.version());
    got.expect(legal.contains(&object.value()), format!("the object with {}", legal.join(" or ")), shown)
}
