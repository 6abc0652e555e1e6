//! The scope of a watch: a namespace, all namespaces, or one object.

use super::{expect_here, from_now};
use crate::prelude::*;

rows![
    watch_namespace_scope.namespaced(),
    watch_all_namespaces.namespaced(),
    watch_label_selector.namespaced(),
    watch_single_object_field_selector.namespaced(),
];

async fn watch_namespace_scope(cx: Context, collection: Collection) -> Checked {
    let others = collection.within(&cx.another_namespace().await?);
    let mut watch = from_now(&collection).await?;

    for name in ["a", "b"] {
        let other = format!("not-{name}");
        others.create(&other).await?;
        others.write(&other, "second").await?;
        others.delete(&other).await?;
        collection.create(name).await?;

        watch.expect("ADDED", name).await?;
    }
    Ok(())
}

async fn watch_all_namespaces(cx: Context, collection: Collection) -> Checked {
    let listed = collection.everywhere().list().limit(5).page().await?;
    let mut watch = collection.everywhere().watch().at(&listed.version).open().await?;

    let later = collection.within(&cx.another_namespace().await?);
    later.create("a").await?;
    collection.create("a").await?;
    later.delete("a").await?;

    expect_here(&cx, &mut watch, &later, ("ADDED", "a")).await?;
    expect_here(&cx, &mut watch, &collection, ("ADDED", "a")).await?;
    expect_here(&cx, &mut watch, &later, ("DELETED", "a")).await.map(drop)
}

async fn watch_label_selector(collection: Collection) -> Checked {
    let version = collection.now().await?.version;
    let labelled = |selector: &'static str| collection.watch().at(&version).labels(selector).open();
    let mut red = labelled("colour=red").await?;
    let mut blue = labelled("colour=blue").await?;
    let mut both = labelled("colour in (red,blue)").await?;
    let named = collection.watch().at(&version).labels("colour in (red,blue)").fields("metadata.name!=blue");
    let named = named.open_if_offered().await?;

    change_all(&collection, &["red", "green", "blue"]).await?;

    expect_changes(&mut red, &["red"]).await?;
    expect_changes(&mut blue, &["blue"]).await?;
    expect_changes(&mut both, &["red", "blue"]).await?;
    // With a field selector beside it, both must hold.
    if let Some(mut named) = named {
        expect_changes(&mut named, &["red"]).await?;
        named.expect("ADDED", "last-blue").await?;
    }
    Ok(())
}

/// Creates, changes and deletes an object of each colour, and creates a last one.
async fn change_all(collection: &Collection, colours: &[&str]) -> Checked {
    for colour in colours {
        collection.create_labelled(colour, "colour", colour).await?;
    }
    for colour in colours {
        collection.write(colour, "second").await?;
    }
    for colour in colours {
        collection.delete(colour).await?;
    }
    for colour in colours {
        collection.create_labelled(&format!("last-{colour}"), "colour", colour).await?;
    }
    Ok(())
}

/// The events are the changes of the objects of these colours, and no others.
async fn expect_changes(watch: &mut Watch, colours: &[&str]) -> Checked {
    for kind in ["ADDED", "MODIFIED", "DELETED"] {
        for colour in colours {
            watch.expect(kind, colour).await?;
        }
    }
    for colour in colours {
        watch.expect("ADDED", &format!("last-{colour}")).await?;
    }
    Ok(())
}

async fn watch_single_object_field_selector(collection: Collection) -> Checked {
    let version = collection.now().await?.version;
    let mut watch = collection.watch().at(&version).fields("metadata.name=a").open().await?;

    collection.create_all(&["b", "a"]).await?;
    for name in ["b", "a"] {
        collection.write(name, "second").await?;
    }
    for name in ["b", "a"] {
        collection.delete(name).await?;
    }
    collection.create_all(&["b", "a"]).await?;

    for kind in ["ADDED", "MODIFIED", "DELETED", "ADDED"] {
        watch.expect(kind, "a").await?;
    }
    Ok(())
}
