//! Requests that are not answered 410, however old their version.

use harness::{Context, Halt, Next, Opening, Query, Suite};

use super::past::Past;

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("gone-notolder-never-410", a_list_not_older_than_an_expired_version_is_served)
        .scenario("gone-plain-list-never-410", a_plain_list_at_an_old_version_is_served)
        .scenario("gone-get-never-410", a_get_at_an_old_version_is_served)
        .scenario("gone-unset-and-zero-never-410", the_present_has_not_expired)
}

async fn a_list_not_older_than_an_expired_version_is_served(cx: Context) -> Result<(), Halt> {
    let past = Past::arrange(&cx).await?;
    let expired = past.expired().await?;

    let list = past.things.list().not_older_than(&expired);
    for list in [list.clone(), list.clone().limit(2), list.limit(500)] {
        is_newer(list, &expired).await?;
    }
    Ok(())
}

async fn a_plain_list_at_an_old_version_is_served(cx: Context) -> Result<(), Halt> {
    let past = Past::arrange(&cx).await?;
    let oldest = past.oldest().await?;

    is_newer(past.things.list().at(&oldest), &oldest).await
}

async fn a_get_at_an_old_version_is_served(cx: Context) -> Result<(), Halt> {
    let past = Past::arrange(&cx).await?;
    let oldest = past.oldest().await?;

    // What serves it may not have heard of the object yet.
    let got = cx.eventually(|| async {
        let got = past.things.get("a").at(&oldest).await?;
        got.expect_status(&[200, 404])?;
        Ok(got.succeeded().then_some(got))
    });
    match got.await? {
        Some(got) => got.object().map(drop),
        None => Err(cx.failed("the object, HTTP 200", "404 again and again", None)),
    }
}

async fn the_present_has_not_expired(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;
    if cx.may_expire().is_ok() {
        cx.compaction().await?;
    }

    for (list, watch) in [(things.list(), things.watch()), (things.list().at("0"), things.watch().at("0"))] {
        list.await?.expect_status(&[200])?;
        begins(watch).await?;
    }
    Ok(())
}

/// The answer shows a version that has come after one.
async fn is_newer(list: Query, old: &str) -> Result<(), Halt> {
    let listed = list.page().await?;
    listed.expect(listed.version != old, format!("a list at a version newer than {old}"), "that version")
}

/// The watch begins with an event that is no error.
async fn begins(watch: Query) -> Result<(), Halt> {
    let mut watch = match watch.opening().await? {
        Opening::Watch(watch) => watch,
        Opening::Refused(refused) => return refused.expect_status(&[200]),
    };
    match watch.next().await? {
        Next::Event(event) if event.kind != "ERROR" => Ok(()),
        Next::Event(event) => Err(watch.fail("a watch that begins with the present state", event.brief())),
        Next::End | Next::Silence => Err(watch.fail("an event of a", "none")),
    }
}
