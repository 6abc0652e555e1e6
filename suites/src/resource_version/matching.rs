//! The parameter resourceVersionMatch.

use harness::{Context, Halt, Opening, Suite};

use super::no_token;
use super::past::{Past, five_things};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("rv-match-param-on-list", a_list_takes_both_values)
        .scenario("rv-match-decides-interpretation", the_match_says_how_the_version_is_meant)
        .scenario("rv-match-unsupported-acts-as-unset", the_match_is_honoured_altogether_or_not_at_all)
        .scenario("rv-match-unknown-value-422", another_value_is_refused)
        .scenario("rv-match-case-sensitive", a_value_in_lower_case_is_refused)
        .scenario("rv-match-with-continue-422", a_match_beside_a_token_is_refused)
        .also("pagination-match-with-continue-refused")
        .scenario("rv-match-on-get-ignored", a_get_does_not_stumble_over_a_match)
        .scenario("rv-match-on-watch-needs-initial-events-422", a_watch_without_initial_events_takes_no_match)
}

async fn a_list_takes_both_values(cx: Context) -> Result<(), Halt> {
    let things = five_things(&cx).await?;
    let version = things.now().await?.version;

    for list in [things.list().exactly(&version), things.list().not_older_than(&version)] {
        list.caught_up().await?.page()?;
    }
    Ok(())
}

async fn the_match_says_how_the_version_is_meant(cx: Context) -> Result<(), Halt> {
    let Past { things, before } = Past::arrange(&cx).await?;
    let last = things.create("g").await?;

    let exact = things.list().exactly(&before.version).held_page().await?;
    let newer = things.list().not_older_than(last.version());

    exact.expect_items(&before.items)?;
    for newer in [newer.clone(), newer.limit(500)] {
        newer.caught_up().await?.page()?.expect_names(&["a", "b", "d", "e", "f", "g"])?;
    }
    Ok(())
}

async fn the_match_is_honoured_altogether_or_not_at_all(cx: Context) -> Result<(), Halt> {
    let Past { things, before } = Past::arrange(&cx).await?;
    let latest = things.now().await?;

    let exact = things.list().exactly(&before.version).held_page().await?;
    let newer = things.list().not_older_than(&latest.version).caught_up().await?.page()?;

    newer.expect_items(&latest.items)?;
    if exact.version == before.version {
        return exact.expect_items(&before.items);
    }
    cx.note("this server does not honour resourceVersionMatch");
    // Without it the same request asks for anything not older.
    exact.expect_items(&latest.items)
}

async fn another_value_is_refused(cx: Context) -> Result<(), Halt> {
    let things = five_things(&cx).await?;
    let version = things.now().await?.version;

    let listed = things.list().at(&version).param("resourceVersionMatch", "Newest").await?;

    listed.expect_error(&[422], &["Invalid"]).map(drop)
}

async fn a_value_in_lower_case_is_refused(cx: Context) -> Result<(), Halt> {
    let things = five_things(&cx).await?;
    let version = things.now().await?.version;

    for value in ["exact", "notOlderThan"] {
        let listed = things.list().at(&version).param("resourceVersionMatch", value).await?;
        listed.expect_refusal(&[400, 422])?;
    }
    Ok(())
}

async fn a_match_beside_a_token_is_refused(cx: Context) -> Result<(), Halt> {
    let things = five_things(&cx).await?;
    let first = things.list().limit(2).page().await?;
    let token = first.token.as_deref().ok_or_else(no_token)?;

    let next = things.list().limit(2).after(token);
    for next in [next.clone().not_older_than(&first.version), next.exactly(&first.version)] {
        next.await?.expect_refusal(&[400, 422])?;
    }
    Ok(())
}

async fn a_get_does_not_stumble_over_a_match(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let created = things.create("a").await?;

    for get in [things.get("a").exactly("0"), things.get("a").exactly(created.version())] {
        let got = get.caught_up().await?;
        got.expect(
            got.status() < 500,
            "the object, or a refusal that is not the server's fault",
            got.brief(),
        )?;
    }
    Ok(())
}

async fn a_watch_without_initial_events_takes_no_match(cx: Context) -> Result<(), Halt> {
    let things = five_things(&cx).await?;
    let version = things.now().await?.version;

    match things.watch().not_older_than(&version).opening().await? {
        Opening::Refused(refused) => refused.expect_refusal(&[422]).map(drop),
        Opening::Watch(mut watch) => {
            Err(watch.fail("HTTP 422: resourceVersionMatch without sendInitialEvents", "a watch, HTTP 200"))
        }
    }
}
