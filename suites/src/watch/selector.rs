//! Watches with selectors: objects that begin or cease to match.

use super::expect_written;
use crate::patch_types::merge_in;
use crate::prelude::*;

rows![
    watch_selector_leave_deleted.namespaced(),
    watch_selector_enter_added.namespaced(),
    watch_selector_leave_old_content.namespaced(),
];

async fn watch_selector_leave_deleted(collection: Collection) -> Checked {
    collection.create_labelled("a", "colour", "red").await?;
    let mut watch = watch_red(&collection).await?;

    paint(&collection, "blue", "first").await?;
    collection.write("a", "second").await?;
    collection.create_labelled("b", "colour", "red").await?;
    collection.get("a").object().await?;

    watch.expect("DELETED", "a").await?;
    watch.expect("ADDED", "b").await.map(drop)
}

async fn watch_selector_enter_added(collection: Collection) -> Checked {
    collection.create_labelled("a", "colour", "blue").await?;
    let mut watch = watch_red(&collection).await?;

    collection.write("a", "second").await?;
    let painted = paint(&collection, "red", "third").await?;
    let changed = collection.write("a", "fourth").await?;

    expect_written(&mut watch, "ADDED", &painted).await?;
    expect_written(&mut watch, "MODIFIED", &changed).await.map(drop)
}

async fn watch_selector_leave_old_content(collection: Collection) -> Checked {
    collection.create_labelled("a", "colour", "red").await?;
    let mut watch = watch_red(&collection).await?;

    let painted = paint(&collection, "blue", "second").await?;
    let object = watch.expect("DELETED", "a").await?;

    let actual = (&object.json()["metadata"]["labels"]["colour"], object.value());
    let before = actual.0 == "red" && actual.1 == "first";
    let expected = "DELETED a as before the change, red and with \"first\"";
    watch.expect_that(before, expected, format!("{actual:?}"))?;
    let same = object.version() == painted.version();
    let expected = format!("DELETED a at {}, the version of the change", painted.version());
    watch.expect_that(same, expected, format!("at {}", object.version()))
}

/// A watch of the objects with the label `colour=red`.
async fn watch_red(collection: &Collection) -> Result<Watch, Halt> {
    let listed = collection.list().labels("colour=red").page().await?;
    collection.watch().at(&listed.version).labels("colour=red").open().await
}

/// Changes the colour and the value of `a` with one write.
async fn paint(collection: &Collection, colour: &str, value: &str) -> Result<Object, Halt> {
    let mut change = collection.change(value);
    merge_in(&mut change, &json!({ "metadata": { "labels": { "colour": colour } } }));
    collection.patch("a", &change).await
}
