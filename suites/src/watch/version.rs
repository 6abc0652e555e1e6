//! The `resourceVersion` from which a watch can start.

use super::{expect_here, expect_written, from_now};
use crate::prelude::*;
use crate::resource_version::expect_version;

rows![
    watch_every_object_has_rv.namespaced(),
    watch_collection_has_rv.namespaced(),
    watch_from_collection_rv.namespaced(),
    watch_from_object_rv.namespaced(),
];

async fn watch_every_object_has_rv(cx: Context, collection: Collection) -> Checked {
    let mut watch = from_now(&collection).await?;

    let created = cx.send(Request::post(collection.path(), &collection.body("a", "first"))).await?;
    let first = with_version(&created)?;
    let added = watch.expect("ADDED", "a").await?;
    expect_read(&collection, &first).await?;
    let patch = Request::merge_patch(collection.path_of("a"), &collection.change("second"));
    let patched = cx.send(patch).await?;
    let second = with_version(&patched)?;
    let modified = watch.expect("MODIFIED", "a").await?;
    expect_read(&collection, &second).await?;

    let versions = [first.version(), second.version()];
    patched.expect(versions[0] != versions[1], "another version after a change", versions[1])?;
    let actual = [added.version(), modified.version()];
    let expected = format!("events at the versions of the writes, {versions:?}");
    watch.expect_that(actual == versions, expected, format!("{actual:?}"))
}

/// The object of a response, which has a resourceVersion.
fn with_version(response: &Exchange) -> Result<Object, Halt> {
    let object = response.object()?;
    let expected = format!("{} with a resourceVersion", object.name());
    response.expect(!object.version().is_empty(), expected, response.brief())?;
    Ok(object)
}

/// A GET and a LIST have the object at the version of the response to the write.
async fn expect_read(collection: &Collection, written: &Object) -> Checked {
    let got = collection.get("a").await?;
    let object = with_version(&got)?;
    let expected = format!("a at {}, as in the response to the write", written.version());
    got.expect(object.version() == written.version(), expected.as_str(), got.brief())?;

    let page = collection.now().await?;
    let actual = page.item("a").map_or("no a", Object::version);
    page.expect(actual == written.version(), expected, format!("an item at {actual:?}"))
}

async fn watch_collection_has_rv(cx: Context, collection: Collection) -> Checked {
    let empty = collection.within(&cx.another_namespace().await?);
    collection.create("a").await?;

    for list in [
        collection.everywhere().list().limit(5),
        collection.list(),
        empty.list(),
        collection.list().labels("kube-assay/no=thing"),
        collection.list().fields("metadata.name=no-thing"),
    ] {
        expect_version(&list.page().await?)?;
    }
    Ok(())
}

async fn watch_from_collection_rv(cx: Context, collection: Collection) -> Checked {
    collection.create_labelled("a", "assay", "wanted").await?;
    let selections: [fn(Query) -> Query; 3] =
        [|all| all, |query| query.labels("assay=wanted"), |query| query.fields("metadata.name=b")];
    let mut watches = Vec::new();
    for scope in [collection.clone(), collection.everywhere()] {
        for select in selections {
            let listed = select(scope.list().limit(500)).page().await?;
            watches.push(select(scope.watch().at(&listed.version)).open().await?);
        }
    }

    collection.create_labelled("b", "assay", "wanted").await?;

    for watch in &mut watches {
        expect_here(&cx, watch, &collection, ("ADDED", "b")).await?;
    }
    Ok(())
}

async fn watch_from_object_rv(collection: Collection) -> Checked {
    collection.create("a").await?;
    let written = collection.write("a", "second").await?;
    let got = collection.get("a").object().await?;
    let changed = collection.write("a", "third").await?;
    collection.delete("a").await?;

    let from_write = collection.watch().at(written.version()).open().await?;
    let from_get = collection.watch().at(got.version()).open().await?;
    collection.create("b").await?;

    for mut watch in [from_write, from_get] {
        expect_written(&mut watch, "MODIFIED", &changed).await?;
        watch.expect("DELETED", "a").await?;
        watch.expect("ADDED", "b").await?;
    }
    Ok(())
}
