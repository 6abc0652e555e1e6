//! Watches from the `resourceVersion` of a read or a write.

use crate::prelude::*;

rows![concurrency_watch_from_resourceversion, concurrency_watch_from_object_resourceversion];

async fn concurrency_watch_from_resourceversion(collection: Collection) -> Checked {
    let name = collection.name_of(NAME);
    let selector = format!("metadata.name={name}");
    let listed = collection.list().fields(&selector).page().await?;
    collection.create(NAME).await?;
    collection.write(NAME, "second").await?;
    collection.delete(NAME).await?;

    let mut watch = collection.watch().fields(&selector).at(&listed.version).open().await?;

    for kind in ["ADDED", "MODIFIED", "DELETED"] {
        watch.expect(kind, &name).await?;
    }
    Ok(())
}

async fn concurrency_watch_from_object_resourceversion(collection: Collection) -> Checked {
    let name = collection.name_of(NAME);
    let created = collection.create(NAME).await?;
    let changed = collection.write(NAME, "second").await?;

    let watch = collection.watch().fields(&format!("metadata.name={name}"));
    let mut watch = watch.at(created.version()).open().await?;

    let event = watch.expect("MODIFIED", &name).await?;
    let same = event.version() == changed.version();
    watch.expect_that(same, format!("MODIFIED at {}", changed.version()), event.version())
}
