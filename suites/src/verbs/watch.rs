//! WATCH.

use crate::prelude::*;

rows![verbs_watch_streams_changes, verbs_watch_query_parameter];

async fn verbs_watch_streams_changes(collection: Collection) -> Checked {
    let name = collection.name_of(NAME);
    let only = format!("metadata.name={name}");
    let listed = collection.list().fields(&only).page().await?;
    let query = collection.list().param("watch", "true").fields(&only).at(&listed.version);
    let mut watch = query.open().await?;

    collection.create(NAME).await?;
    collection.write(NAME, "second").await?;
    collection.delete(NAME).await?;

    for kind in ["ADDED", "MODIFIED", "DELETED"] {
        watch.expect(kind, &name).await?;
    }
    Ok(())
}

async fn verbs_watch_query_parameter(cx: Context, stored: StoredObject) -> Checked {
    let name = stored.read.name();
    let only = format!("metadata.name={name}");
    let watched = |value: &str| -> Query { stored.collection.list().fields(&only).param("watch", value) };
    let listed = stored.collection.list().fields(&only).page().await?;

    for value in ["1", "true"] {
        let mut watch = watched(value).at(&listed.version).open().await?;
        stored.write(&format!("told-to-watch-{value}")).await?;
        // The second watch is told of the first change, too.
        watch.expect("MODIFIED", name).await?;
    }
    for value in ["0", "false"] {
        let asked = watched(value).answer_within(cx.event_timeout()).await?;
        let expected = format!("a list for watch={value}");
        let answer = asked.ok_or_else(|| cx.failed(expected, "no end of the answer", None))?;
        let page = answer.page()?;
        page.expect(page.item(name).is_some(), format!("{name} in the list"), format!("{:?}", page.names()))?;
    }
    Ok(())
}
