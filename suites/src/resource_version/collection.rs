//! The `resourceVersion` of lists, items and watch events.

use super::described;
use crate::prelude::*;

rows![
    rv_in_empty_list_metadata.namespaced(),
    rv_list_rv_usable_for_watch.namespaced(),
    rv_list_rv_moves_with_writes.namespaced(),
    rv_in_watch_events.namespaced(),
    rv_items_keep_own_rv.namespaced(),
];

async fn rv_in_empty_list_metadata(collection: Collection) -> Checked {
    let none = collection.list().labels("kube-assay/no=thing");
    // Controllers may have created objects in the namespace.
    let all = collection.now().await?.items.is_empty().then(|| collection.list());

    for list in [none.clone(), none.clone().limit(5), none.at("0")].into_iter().chain(all) {
        let page = list.page().await?;

        page.expect(page.items.is_empty(), "no items", page.names().join(", "))?;
        expect_version(&page)?;
    }
    Ok(())
}

/// The list has a resourceVersion other than 0.
pub(crate) fn expect_version(page: &Page) -> Checked {
    let real = !["", "0"].contains(&page.version.as_str());
    page.expect(real, "a list with a resourceVersion other than 0", format!("{:?}", page.version))
}

async fn rv_list_rv_usable_for_watch(collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    collection.write("a", "second").await?;
    let listed = collection.now().await?;
    collection.create_all(&["c", "d"]).await?;

    let mut watch = collection.watch().at(&listed.version).open().await?;

    watch.expect("ADDED", "c").await?;
    watch.expect("ADDED", "d").await.map(drop)
}

async fn rv_list_rv_moves_with_writes(collection: Collection) -> Checked {
    let empty = collection.now().await?;
    collection.create("a").await?;
    let created = collection.now().await?;
    collection.write("a", "second").await?;
    let updated = collection.now().await?;
    collection.delete("a").await?;
    let deleted = collection.now().await?;

    let steps =
        [("create", &empty, &created), ("update", &created, &updated), ("delete", &updated, &deleted)];
    steps.into_iter().try_for_each(|(write, before, after)| {
        let expected = format!("a resourceVersion other than {} after a {write}", before.version);
        after.expect(after.version != before.version, expected, after.version.as_str())
    })
}

async fn rv_in_watch_events(collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    let listed = collection.now().await?;
    let mut watch = collection.watch().at(&listed.version).open().await?;

    for (name, value) in [("a", "second"), ("b", "second"), ("a", "third")] {
        let written = collection.write(name, value).await?;
        let event = watch.expect("MODIFIED", name).await?;

        let same = event.version() == written.version();
        let expected = format!("{name} at {}, as in the response to the write", written.version());
        watch.expect_that(same, expected, format!("{name} at {:?}", event.version()))?;
    }
    Ok(())
}

async fn rv_items_keep_own_rv(collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    for value in ["second", "third", "fourth"] {
        collection.write("b", value).await?;
    }
    let got = collection.get("a").object().await?;

    for list in [collection.list(), collection.list().limit(500), collection.list().fields("metadata.name=a")]
    {
        let page = list.page().await?;

        let actual = page.item("a").map(Object::version);
        let expected = format!("a with version {:?}, as in a GET", got.version());
        page.expect(actual == Some(got.version()), expected, described("a", actual))?;
    }
    Ok(())
}
