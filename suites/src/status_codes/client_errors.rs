//! Client errors: a status code for each invalid request.

use crate::access_review;
use crate::invalid_requests;
use crate::patch_types;
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [
        vec![row!(status_codes_400_bad_request)],
        table(CODES, Kinds::All, code),
        vec![
            row!(status_codes_405_method_not_allowed).with_status(),
            row!(status_codes_409_update_conflict),
            row!(status_codes_422_unprocessable),
        ],
    ]
    .concat()
}

/// The reason of the invalid requests.
#[rustfmt::skip]
const CODES: &[(&str, &str)] = &[
    ("status-codes-409-create-exists",          "AlreadyExists"),
    ("status-codes-406-not-acceptable",         "NotAcceptable"),
    ("status-codes-415-unsupported-media-type", "UnsupportedMediaType"),
];

async fn code(cx: Context, reason: &'static str) -> Checked {
    let Outdated(stored, _) = Outdated::arrange(&cx).await?;

    for invalid in invalid_requests::all(&stored).into_iter().filter(|invalid| invalid.reason == reason) {
        cx.send(invalid.request).await?.expect_status(&[invalid.code])?;
    }
    Ok(())
}

async fn status_codes_400_bad_request(cx: Context, collection: Collection) -> Checked {
    let array = json!([collection.body("a", "first")]).to_string();

    for body in ["{", "", array.as_str()] {
        let post = Request::new(Method::POST, collection.path());
        cx.send(patch_types::raw(post, "application/json", body)).await?.expect_status(&[400])?;
    }
    Ok(())
}

async fn status_codes_405_method_not_allowed(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;
    let not_allowed = invalid_requests::not_allowed(&stored).into_iter();
    let mut requests: Vec<_> = not_allowed.map(|invalid| invalid.request).collect();
    // A custom type handles a PUT to its collection as one of an object without a name.
    if stored.is_built_in() {
        requests.push(Request::put(collection.path(), &collection.body("b", "first")));
    }
    if cx.discovers(&access_review::resource()).await? {
        requests.push(Request::get(access_review::path(&cx).await?));
    }

    for request in requests {
        cx.send(request).await?.expect_status(&[405])?;
    }
    Ok(())
}

async fn status_codes_409_update_conflict(Outdated(stored, _): Outdated) -> Checked {
    stored.put(&stored.body("third")).await?.expect_status(&[409])
}

async fn status_codes_422_unprocessable(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;
    let labels = json!({ "assay": "with a space" });
    let requests = [
        // The percent sign is invalid in names of roles, too.
        post_with(collection, "b", |body| body["metadata"]["name"] = collection.name_of("Bad_%").into()),
        stored.put_with(|body| body["metadata"]["labels"] = labels.clone()),
        stored.patch(MERGE, &json!({ "metadata": { "labels": labels } })),
    ];

    for request in requests {
        cx.send(request).await?.expect_status(&[422])?;
    }
    Ok(())
}
