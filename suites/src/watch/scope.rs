//! The scope of a watch: a namespace, all namespaces, or one object.

use harness::{Checked, Collection, Context, Watch};

use super::{expect_here, from_now};

rows![
    watch_namespace_scope.namespaced(),
    watch_all_namespaces.namespaced(),
    watch_label_selector.namespaced(),
    watch_single_object_field_selector.namespaced(),
];

async fn watch_namespace_scope(cx: Context, things: Collection) -> Checked {
    let others = things.within(&cx.another_namespace().await?);
    let mut watch = from_now(&things).await?;

    for name in ["a", "b"] {
        let theirs = format!("not-{name}");
        others.create(&theirs).await?;
        others.write(&theirs, "second").await?;
        others.delete(&theirs).await?;
        things.create(name).await?;

        watch.expect("ADDED", name).await?;
    }
    Ok(())
}

async fn watch_all_namespaces(cx: Context, things: Collection) -> Checked {
    let listed = things.everywhere().list().limit(5).page().await?;
    let mut watch = things.everywhere().watch().at(&listed.version).open().await?;

    let later = things.within(&cx.another_namespace().await?);
    later.create("a").await?;
    things.create("a").await?;
    later.delete("a").await?;

    expect_here(&cx, &mut watch, &later, ("ADDED", "a")).await?;
    expect_here(&cx, &mut watch, &things, ("ADDED", "a")).await?;
    expect_here(&cx, &mut watch, &later, ("DELETED", "a")).await.map(drop)
}

async fn watch_label_selector(things: Collection) -> Checked {
    let version = things.now().await?.version;
    let labelled = |selector: &'static str| things.watch().at(&version).labels(selector).open();
    let mut red = labelled("colour=red").await?;
    let mut blue = labelled("colour=blue").await?;
    let mut both = labelled("colour in (red,blue)").await?;

    live(&things, &["red", "green", "blue"]).await?;

    expect_lives(&mut red, &["red"]).await?;
    expect_lives(&mut blue, &["blue"]).await?;
    expect_lives(&mut both, &["red", "blue"]).await
}

/// Objects of these colours come, change and go, all of them each time; in the end there is one more of each.
async fn live(things: &Collection, colours: &[&str]) -> Checked {
    for colour in colours {
        things.create_labelled(colour, "colour", colour).await?;
    }
    for colour in colours {
        things.write(colour, "second").await?;
    }
    for colour in colours {
        things.delete(colour).await?;
    }
    for colour in colours {
        things.create_labelled(&format!("last-{colour}"), "colour", colour).await?;
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

async fn watch_single_object_field_selector(things: Collection) -> Checked {
    let version = things.now().await?.version;
    let mut watch = things.watch().at(&version).fields("metadata.name=a").open().await?;

    things.create_all(&["b", "a"]).await?;
    for name in ["b", "a"] {
        things.write(name, "second").await?;
    }
    for name in ["b", "a"] {
        things.delete(name).await?;
    }
    things.create_all(&["b", "a"]).await?;

    for kind in ["ADDED", "MODIFIED", "DELETED", "ADDED"] {
        watch.expect(kind, "a").await?;
    }
    Ok(())
}
