//! WATCH.

use crate::prelude::*;

rows![
    verbs_watch_streams_changes.also("resource-uris-watch-verb"),
    verbs_watch_query_parameter.also("resource-uris-watch-param-forms")
];

async fn verbs_watch_streams_changes(collection: Collection) -> Checked {
    let name = collection.name_of(NAME);
    let list = collection.list().fields(&format!("metadata.name={name}"));
    let listed = list.clone().page().await?;
    let mut watch = list.param("watch", "true").at(&listed.version).open().await?;

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
    let list = stored.collection.list().fields(&format!("metadata.name={name}"));
    let listed = list.clone().page().await?;

    for value in ["1", "true"] {
        let mut watch = list.clone().param("watch", value).at(&listed.version).open().await?;
        stored.write(&format!("watched-with-{value}")).await?;
        // The second watch gets the event of the first change, too.
        watch.expect("MODIFIED", name).await?;
    }
    for value in ["0", "false"] {
        let response = list.clone().param("watch", value).response_within(cx.event_timeout()).await?;
        let expected = format!("a list for watch={value}");
        let response = response.ok_or_else(|| cx.failed(expected, "a response that does not end", None))?;
        let page = response.page()?;
        page.expect(page.item(name).is_some(), format!("{name} in the list"), format!("{:?}", page.names()))?;
    }
    Ok(())
}
