//! Lists and watches, the only requests about several objects.

use crate::prelude::*;

/// The label of the listed objects.
const LABEL: &str = "assay-wanted";

rows![single_list_returns_many.namespaced(), single_watch_covers_many.namespaced()];

async fn single_list_returns_many(collection: Collection) -> Checked {
    for name in ["a", "b", "c"] {
        collection.create_labelled(name, LABEL, "yes").await?;
    }
    collection.create("d").await?;

    let page = collection.list().labels(&format!("{LABEL}=yes")).page().await?;

    page.expect_names(&["a", "b", "c"])
}

async fn single_watch_covers_many(collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    let listed = collection.now().await?;
    let mut watch = collection.watch().at(&listed.version).open().await?;

    for (name, value) in [("b", "second"), ("a", "second"), ("b", "third")] {
        let changed = collection.write(name, value).await?;

        let event = watch.expect("MODIFIED", name).await?;
        if event.version() != changed.version() {
            return Err(watch.fail(format!("{name} at {}", changed.version()), event.version()));
        }
    }
    Ok(())
}
