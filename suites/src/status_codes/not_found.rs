//! 404 and 410.

use crate::invalid_requests::MISSING;
use crate::prelude::*;

rows![
    status_codes_404_missing_object,
    status_codes_404_missing_resource.also("resource-uris-unknown-type-404")
];

async fn status_codes_404_missing_object(cx: Context, collection: Collection) -> Checked {
    let path = collection.path_of(MISSING);
    let mut requests = vec![
        Request::get(&path),
        Request::merge_patch(&path, &collection.change("second")),
        Request::delete(&path),
    ];
    if collection.has_status() {
        requests.push(Request::get(collection.status_path_of(MISSING)));
    }

    for request in requests {
        cx.send(request).await?.expect_status(&[404])?;
    }
    Ok(())
}

/// In the group of the subject, and in an unknown group.
async fn status_codes_404_missing_resource(cx: Context, collection: Collection) -> Checked {
    let own = collection.path().replace(&collection.resource().plural, "nosuchthings");

    for path in [own.as_str(), "/apis/nosuch.kube-assay.dev/v1/things"] {
        cx.send(Request::get(path)).await?.expect_status(&[404])?;
    }
    Ok(())
}
