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
        let theirs = format!("not-{name}");
        others.create(&theirs).await?;
        others.write(&theirs, "second").await?;
        others.delete(&theirs).await?;
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

    live(&collection, &["red", "green", "blue"]).await?;

    expect_lives(&mut red, &["red"]).await?;
    expect_lives(&mut blue, &["blue"]).await?;
    expect_lives(&mut both, &["red", "blue"]).await
}

/// Objects of these colours come, change and go, all of them each time; in the end there is one more of each.
async fn live(collection: &Collection, colours: &[&str]) -> Checked {
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

/// The watch tells what happened to objects of these colours, and nothing else.
async fn expect_lives(watch: &mut Watch, colours: &[&str]) -> Checked {
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
