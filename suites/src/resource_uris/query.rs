//! Unknown, repeated and very long query parameters.

use crate::prelude::*;

rows![
    resource_uris_unknown_parameter_ignored.namespaced(),
    resource_uris_repeated_parameter.namespaced(),
    resource_uris_long_url.namespaced(),
];

async fn resource_uris_unknown_parameter_ignored(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;
    let requests = [
        Request::get(collection.path()),
        Request::post(collection.path(), &collection.body("b", "first")),
        Request::get(stored.path()),
        stored.put_with(|_| ()),
        stored.patch(MERGE, &collection.change("third")),
        Request::delete(stored.path()),
    ];

    for request in requests {
        let response = cx.send(request.query("kubeAssayUnknown", 1)).await?;
        response.expect(response.succeeded(), "success: the parameter is unknown", response.brief())?;
    }
    Ok(())
}

/// The server may reject the request, or apply one of the values, or both.
async fn resource_uris_repeated_parameter(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b", "c"]).await?;
    let one_of_two = collection.list().fields("metadata.name=a").fields("metadata.name=b");
    let create = Request::post(collection.path(), &collection.body("d", "first"));

    let listed = one_of_two.await?;
    if listed.succeeded() {
        let page = listed.page()?;
        page.expect(page.item("c").is_none(), "no item but a or b", format!("{:?}", page.names()))?;
    }
    cx.send(create.query("dryRun", "All").query("dryRun", "All")).await?;
    expect_absent(&collection, "d").await
}

/// Numbers of requirements in a selector: their URLs have about 8 and 60 KB.
const REQUIREMENTS: [usize; 2] = [450, 3300];

/// The codes for a URL that is too long.
const TOO_LONG: &[u16] = &[400, 413, 414, 431];

/// The last requirement of each selector excludes the object.
async fn resource_uris_long_url(collection: Collection) -> Checked {
    for count in REQUIREMENTS {
        let last = format!("v{:04}", count - 1);
        collection.create_labelled(&last, "assay", &last).await?;
        let selector: Vec<_> = (0..count).map(|number| format!("assay!=v{number:04}")).collect();

        let listed = collection.list().labels(&selector.join(",")).await?;

        if !TOO_LONG.contains(&listed.status()) {
            let page = listed.page()?;
            let excluded = page.item(&last).is_none();
            page.expect(excluded, format!("no item {last}: {count} requirements exclude it"), last)?;
        }
    }
    Ok(())
}
