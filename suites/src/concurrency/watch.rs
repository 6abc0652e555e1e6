//! Watches from the `resourceVersion` of a read or a write.

use harness::{Checked, Collection};

use crate::object_fixture::NAME;

rows![concurrency_watch_from_resourceversion, concurrency_watch_from_object_resourceversion];

async fn concurrency_watch_from_resourceversion(things: Collection) -> Checked {
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

async fn concurrency_watch_from_object_resourceversion(things: Collection) -> Checked {
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
