//! HTTP methods.

use super::expect_same_or_rejected;
use crate::patch_types;
use crate::prelude::*;

rows![
    resource_uris_http_verbs,
    resource_uris_body_of_get_ignored.namespaced(),
    resource_uris_no_method_override.namespaced(),
];

async fn resource_uris_http_verbs(cx: Context, stored: StoredObject) -> Checked {
    let (path, collection) = (stored.path(), &stored.collection);
    let requests: [(Request, &[u16]); 5] = [
        (Request::post(collection.path(), &collection.body("b", "first")), &[201]),
        (Request::get(&path), &[200]),
        (stored.put_with(|_| ()), &[200]),
        (stored.patch(MERGE, &collection.change("third")), &[200]),
        (Request::delete(&path), &[200, 202]),
    ];

    for (request, codes) in requests {
        cx.send(request).await?.expect_status(codes)?;
    }
    stored.expect_gone().await
}

async fn resource_uris_body_of_get_ignored(cx: Context, stored: StoredObject) -> Checked {
    let options = json!({ "apiVersion": "v1", "kind": "DeleteOptions" });

    for body in [stored.body("second"), options] {
        let got = cx.send(Request::get(stored.path()).json("application/json", &body)).await?;

        expect_same_or_rejected(&got, &stored.read)?;
    }
    stored.expect_unchanged().await
}

/// Headers by which some servers let clients replace the method.
const OVERRIDES: [&str; 3] = ["x-http-method-override", "x-http-method", "x-method-override"];

async fn resource_uris_no_method_override(cx: Context, stored: StoredObject) -> Checked {
    let get = || Request::get(stored.path());
    // Without an object: a custom type takes a POST to the URL of an object for a create.
    let post = || patch_types::raw(Request::new(Method::POST, stored.path()), "application/json", "{}");
    let with = |request: Request| {
        let headers = OVERRIDES.map(|header| request.clone().header(header, "DELETE"));
        headers.into_iter().chain([request.query("_method", "DELETE")])
    };

    for request in with(get()) {
        expect_same_or_rejected(&*cx.send(request).await?, &stored.read)?;
    }
    for request in with(post()) {
        let posted = cx.send(request).await?;
        posted.expect(!posted.succeeded(), "a rejection: the method is POST", posted.brief())?;
    }
    stored.expect_unchanged().await
}
