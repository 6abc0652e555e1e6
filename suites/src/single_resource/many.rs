//! Reads that are about many objects.

use harness::{Context, Halt, Suite};

/// The label of the objects that are asked for.
const LABEL: &str = "assay-wanted";

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("single-list-returns-many", a_list_shows_all_that_match)
        .scenario("single-watch-covers-many", a_watch_tells_of_every_object)
}

async fn a_list_shows_all_that_match(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    for name in ["a", "b", "c"] {
        things.create_labelled(name, LABEL, "yes").await?;
    }
    things.create("d").await?;

    let page = things.list().labels(&format!("{LABEL}=yes")).page().await?;

    page.expect_names(&["a", "b", "c"])
}

async fn a_watch_tells_of_every_object(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create_all(&["a", "b"]).await?;
    let listed = things.now().await?;
    let mut watch = things.watch().at(&listed.version).open().await?;

    for (name, value) in [("b", "second"), ("a", "second"), ("b", "third")] {
        let changed = things.write(name, value).await?;

        let told = watch.expect("MODIFIED", name).await?;
        if told.version() != changed.version() {
            return Err(watch.fail(format!("{name} at {}", changed.version()), told.version()));
        }
    }
    Ok(())
}
