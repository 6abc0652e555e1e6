//! Watches with selectors: objects that begin or cease to match.

use super::expect_as_written;
use crate::patch_types::merge_in;
use crate::prelude::*;

rows![
    watch_selector_leave_deleted.namespaced(),
    watch_selector_enter_added.namespaced(),
    watch_selector_leave_old_content.namespaced(),
];

async fn watch_selector_leave_deleted(collection: Collection) -> Checked {
    collection.create_labelled("a", "colour", "red").await?;
    let mut watch = of_the_red(&collection).await?;

    paint(&collection, "blue", "first").await?;
    collection.write("a", "second").await?;
    collection.create_labelled("b", "colour", "red").await?;
    collection.get("a").object().await?;

    watch.expect("DELETED", "a").await?;
    watch.expect("ADDED", "b").await.map(drop)
}

async fn watch_selector_enter_added(collection: Collection) -> Checked {
    collection.create_labelled("a", "colour", "blue").await?;
    let mut watch = of_the_red(&collection).await?;

    collection.write("a", "second").await?;
    let painted = paint(&collection, "red", "third").await?;
    let changed = collection.write("a", "fourth").await?;

    let told = watch.expect("ADDED", "a").await?;
    expect_as_written(&mut watch, &told, &painted)?;
    let told = watch.expect("MODIFIED", "a").await?;
    expect_as_written(&mut watch, &told, &changed)
}

async fn watch_selector_leave_old_content(collection: Collection) -> Checked {
    collection.create_labelled("a", "colour", "red").await?;
    let mut watch = of_the_red(&collection).await?;

    let left = paint(&collection, "blue", "second").await?;
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

async fn of_the_red(collection: &Collection) -> Result<Watch, Halt> {
    let listed = collection.list().labels("colour=red").page().await?;
    collection.watch().at(&listed.version).labels("colour=red").open().await
}

/// Gives `a` another colour and another value at once.
async fn paint(collection: &Collection, colour: &str, value: &str) -> Result<Object, Halt> {
    let mut change = collection.change(value);
    merge_in(&mut change, &json!({ "metadata": { "labels": { "colour": colour } } }));
    collection.patch("a", &change).await
}
