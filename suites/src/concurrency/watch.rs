//! Watches from the versions that reads and writes are answered with.

use harness::{Context, Halt, Suite};

use crate::stored::NAME;

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("concurrency-watch-from-resourceversion", a_watch_tells_what_was_done_before_it_was_opened)
        .on_every_shape()
        .scenario(
            "concurrency-watch-from-object-resourceversion",
            a_watch_begins_with_the_version_of_an_object,
        )
        .on_every_shape()
}

async fn a_watch_tells_what_was_done_before_it_was_opened(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let name = things.name_of(NAME);
    let selector = format!("metadata.name={name}");
    let listed = things.list().fields(&selector).page().await?;
    things.create(NAME).await?;
    things.write(NAME, "second").await?;
    things.delete(NAME).await?;

    let mut watch = things.watch().fields(&selector).at(&listed.version).open().await?;

    for kind in ["ADDED", "MODIFIED", "DELETED"] {
        watch.expect(kind, &name).await?;
    }
    Ok(())
}

async fn a_watch_begins_with_the_version_of_an_object(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let name = things.name_of(NAME);
    let created = things.create(NAME).await?;
    let changed = things.write(NAME, "second").await?;

    let watch = things.watch().fields(&format!("metadata.name={name}"));
    let mut watch = watch.at(created.version()).open().await?;

    let told = watch.expect("MODIFIED", &name).await?;
    if told.version() == changed.version() {
        return Ok(());
    }
    Err(watch.fail(format!("MODIFIED at {}", changed.version()), told.version()))
}
