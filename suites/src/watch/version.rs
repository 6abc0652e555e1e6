//! The `resourceVersion` from which a watch can start.

use super::{expect_here, from_now};
use crate::prelude::*;

rows![
    watch_every_object_has_rv.namespaced(),
    watch_collection_has_rv.namespaced(),
    watch_from_collection_rv.namespaced(),
    watch_from_object_rv.namespaced(),
];

async fn watch_every_object_has_rv(cx: Context, collection: Collection) -> Checked {
    let mut watch = from_now(&collection).await?;

    let created = cx.send(Request::post(collection.path(), &collection.body("a", "first"))).await?;
    let first = expect_version(&created, created.object()?)?;
    let told = watch.expect("ADDED", "a").await?;
    expect_shown(&collection, &first).await?;
    let patched =
        cx.send(Request::merge_patch(collection.path_of("a"), &collection.change("second"))).await?;
    let second = expect_version(&patched, patched.object()?)?;
    let told_again = watch.expect("MODIFIED", "a").await?;
    expect_shown(&collection, &second).await?;

    let versions = [first.version(), second.version()];
    let told = [told.version(), told_again.version()];
    patched.expect(versions[0] != versions[1], "another version after a change", versions[1])?;
    let expected = format!("events at the versions of the writes, {versions:?}");
    if told == versions { Ok(()) } else { Err(watch.fail(expected, format!("{told:?}"))) }
}

fn expect_version(answer: &Exchange, object: Object) -> Result<Object, Halt> {
    let expected = format!("{} with a resourceVersion", object.name());
    answer.expect(!object.version().is_empty(), expected, answer.brief())?;
    Ok(object)
}

/// A get and a list show the object in the version in which it was written.
async fn expect_shown(collection: &Collection, written: &Object) -> Checked {
    let got = collection.get("a").await?;
    let found = expect_version(&got, got.object()?)?;
    let expected = format!("a at {}, as the write was answered", written.version());
    got.expect(found.version() == written.version(), expected.as_str(), got.brief())?;

    let page = collection.now().await?;
    let found = page.item("a").map_or("no a", Object::version);
    page.expect(found == written.version(), expected, format!("an item at {found:?}"))
}

async fn watch_collection_has_rv(cx: Context, collection: Collection) -> Checked {
    let empty = collection.within(&cx.another_namespace().await?);
    collection.create("a").await?;

    let everywhere = collection.everywhere().list().limit(5);
    let nothing =
        [collection.list().labels("kube-assay/no=thing"), collection.list().fields("metadata.name=no-thing")];
    for list in [everywhere, collection.list(), empty.list()].into_iter().chain(nothing) {
        let page = list.page().await?;

        let real = !["", "0"].contains(&page.version.as_str());
        page.expect(real, "a list with a resourceVersion other than 0", format!("{:?}", page.version))?;
    }
    Ok(())
}

/// What a list and a watch have in common.
type Selected = fn(Query) -> Query;

async fn watch_from_collection_rv(cx: Context, collection: Collection) -> Checked {
    collection.create_labelled("a", "assay", "wanted").await?;
    let selections: [Selected; 3] =
        [|all| all, |query| query.labels("assay=wanted"), |query| query.fields("metadata.name=b")];
    let mut watches = Vec::new();
    for scope in [collection.clone(), collection.everywhere()] {
        for selected in selections {
            let listed = selected(scope.list().limit(500)).page().await?;
            watches.push(selected(scope.watch().at(&listed.version)).open().await?);
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

    let versions = [written.version(), got.version()];
    let mut watches =
        [collection.watch().at(versions[0]).open().await?, collection.watch().at(versions[1]).open().await?];
    collection.create("b").await?;

    for watch in &mut watches {
        let told = watch.expect("MODIFIED", "a").await?;
        super::expect_as_written(watch, &told, &changed)?;
        watch.expect("DELETED", "a").await?;
        watch.expect("ADDED", "b").await?;
    }
    Ok(())
}
