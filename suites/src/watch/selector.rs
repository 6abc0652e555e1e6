//! Watches with selectors: objects that begin or cease to match.

use harness::{Checked, Collection, Halt, Object, Watch};
use serde_json::json;

use super::expect_as_written;
use crate::patch_types::merge_in;

rows![
    watch_selector_leave_deleted.namespaced(),
    watch_selector_enter_added.namespaced(),
    watch_selector_leave_old_content.namespaced(),
];

async fn watch_selector_leave_deleted(things: Collection) -> Checked {
    things.create_labelled("a", "colour", "red").await?;
    let mut watch = of_the_red(&things).await?;

    paint(&things, "blue", "first").await?;
    things.write("a", "second").await?;
    things.create_labelled("b", "colour", "red").await?;
    things.get("a").object().await?;

    watch.expect("DELETED", "a").await?;
    watch.expect("ADDED", "b").await.map(drop)
}

async fn watch_selector_enter_added(things: Collection) -> Checked {
    things.create_labelled("a", "colour", "blue").await?;
    let mut watch = of_the_red(&things).await?;

    things.write("a", "second").await?;
    let painted = paint(&things, "red", "third").await?;
    let changed = things.write("a", "fourth").await?;

    let told = watch.expect("ADDED", "a").await?;
    expect_as_written(&mut watch, &told, &painted)?;
    let told = watch.expect("MODIFIED", "a").await?;
    expect_as_written(&mut watch, &told, &changed)
}

async fn watch_selector_leave_old_content(things: Collection) -> Checked {
    things.create_labelled("a", "colour", "red").await?;
    let mut watch = of_the_red(&things).await?;

    let left = paint(&things, "blue", "second").await?;
    let told = watch.expect("DELETED", "a").await?;

    let shown = [told.json()["metadata"]["labels"]["colour"].as_str().unwrap_or_default(), told.value()];
    if shown != ["red", "first"] {
        return Err(watch.fail("DELETED a as it was, red and with \"first\"", format!("{shown:?}")));
    }
    if told.version() != left.version() {
        let expected = format!("DELETED a at {}, where it ceased to match", left.version());
        return Err(watch.fail(expected, format!("at {}", told.version())));
    }
    Ok(())
}

async fn of_the_red(things: &Collection) -> Result<Watch, Halt> {
    let listed = things.list().labels("colour=red").page().await?;
    things.watch().at(&listed.version).labels("colour=red").open().await
}

/// Gives `a` another colour and another value at once.
async fn paint(things: &Collection, colour: &str, value: &str) -> Result<Object, Halt> {
    let mut change = things.change(value);
    merge_in(&mut change, &json!({ "metadata": { "labels": { "colour": colour } } }));
    things.patch("a", &change).await
}
