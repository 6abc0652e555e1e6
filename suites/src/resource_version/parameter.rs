//! The parameter resourceVersion: where it is taken, and what is refused.

use harness::{Collection, Context, Exchange, Halt, Match, Object, Opening, Suite, Watch, decimal};

use super::older_than;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("rv-expresses-consistency", get_list_and_watch_take_a_lists_version)
        .scenario("rv-accepted-unmodified", versions_from_everywhere_are_taken)
        .scenario("rv-param-on-get", a_get_takes_the_objects_version)
        .scenario("rv-param-on-list", a_list_takes_a_lists_version)
        .scenario("rv-param-on-watch", a_watch_begins_at_the_version_given)
        .scenario("rv-malformed-list-400", a_list_at_what_is_no_version_is_refused)
        .scenario("rv-malformed-get-rejected", a_get_at_what_is_no_version_is_refused)
        .scenario("rv-malformed-watch-rejected", a_watch_from_what_is_no_version_is_refused)
}

async fn get_list_and_watch_take_a_lists_version(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;
    let version = things.now().await?.version;

    things.get("a").at(&version).caught_up().await?.object()?;
    things.list().at(&version).caught_up().await?.page()?;
    things.watch().at(&version).open().await.map(drop)
}

async fn versions_from_everywhere_are_taken(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;
    let mut watch = things.watch().open().await?;
    let event = watch.expect("ADDED", "a").await?;
    let object = things.get("a").object().await?;
    let listed = things.now().await?;

    let sources = [("event", event.version()), ("object", object.version()), ("list", &listed.version)];
    for (source, version) in sources {
        things.list().not_older_than(version).caught_up().await?.page()?;
        let mut watch = things.watch().at(version).open().await?;
        let written = things.write("a", source).await?;
        takes_up(&mut watch, &written).await?;
    }
    Ok(())
}

/// The watch goes on until it shows a write.
async fn takes_up(watch: &mut Watch, written: &Object) -> Result<(), Halt> {
    let expected = format!("MODIFIED a at {}", written.version());
    let events =
        watch.until(&expected, |event| event.kind == "ERROR" || event.object.version() == written.version());
    match events.await?.pop() {
        Some(error) if error.kind == "ERROR" => Err(watch.fail(expected, error.brief())),
        _ => Ok(()),
    }
}

async fn a_get_takes_the_objects_version(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let created = things.create("a").await?;

    let got = things.get("a").at(created.version()).caught_up().await?;

    got.object().map(drop)
}

async fn a_list_takes_a_lists_version(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;
    let listed = things.now().await?;

    let again = things.list().at(&listed.version).caught_up().await?;

    again.page()?.expect_names(&["a"])
}

async fn a_watch_begins_at_the_version_given(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;
    let listed = things.now().await?;
    things.create("b").await?;
    things.write("a", "second").await?;

    let mut watch = things.watch().at(&listed.version).open().await?;

    watch.expect("ADDED", "b").await?;
    watch.expect("MODIFIED", "a").await.map(drop)
}

/// No decimal numbers, nor anything like it.
const MALFORMED: [&str; 5] = ["abc", "-1", "1.5", "0x10", "1 2"];

async fn a_list_at_what_is_no_version_is_refused(cx: Context) -> Result<(), Halt> {
    let things = decimal_things(&cx).await?;
    // Releases before 1.33 say 500 where they list from the cache.
    let legal: &[u16] = if older_than(&cx, 33) { &[400, 500] } else { &[400] };

    for malformed in MALFORMED {
        for matching in [Match::Unset, Match::Exact, Match::NotOlderThan] {
            let listed = things.list().at(malformed).matching(matching).await?;
            listed.expect_refusal(legal)?;
        }
    }
    Ok(())
}

async fn a_get_at_what_is_no_version_is_refused(cx: Context) -> Result<(), Halt> {
    let things = decimal_things(&cx).await?;

    for malformed in MALFORMED {
        is_error(&*things.get("a").at(malformed).await?)?;
    }
    Ok(())
}

async fn a_watch_from_what_is_no_version_is_refused(cx: Context) -> Result<(), Halt> {
    let things = decimal_things(&cx).await?;

    for malformed in MALFORMED {
        let mut watch = match things.watch().at(malformed).opening().await? {
            Opening::Refused(refused) => {
                is_error(&refused)?;
                continue;
            }
            Opening::Watch(watch) => watch,
        };
        let event = watch.event_or_fail("a refusal, or an ERROR event").await?;
        if event.kind != "ERROR" {
            return Err(watch.fail("a refusal, or an ERROR event", event.brief()));
        }
    }
    Ok(())
}

/// Any code will do: kube-apiserver itself says 400 or 500, depending on what serves the type.
fn is_error(answer: &Exchange) -> Result<(), Halt> {
    answer.expect(answer.status() >= 400, "an error: that is no resourceVersion", answer.brief())
}

/// One thing; where versions are not decimal, nobody knows what else may be one.
async fn decimal_things(cx: &Context) -> Result<Collection, Halt> {
    let things = cx.things().await?;
    let created = things.create("a").await?;
    match decimal(created.version()) {
        Some(_) => Ok(things),
        None => Err(Halt::Skipped(
            "this server's versions are not decimal: what it cannot read as one is not known".to_owned(),
        )),
    }
}
