//! Client errors: one status code for each mistake.

use crate::access_review;
use crate::invalid_requests;
use crate::patch_types;
use crate::prelude::*;
use crate::scenario::Fixture;

pub(super) fn rows() -> Vec<Row> {
    [
        vec![row!(status_codes_400_bad_request)],
        table(CODES, Kinds::All, a_mistake_is_answered_with_its_code),
        vec![
            row!(status_codes_405_method_not_allowed).with_status(),
            row!(status_codes_409_update_conflict),
            row!(status_codes_422_unprocessable),
        ],
    ]
    .concat()
}

#[rustfmt::skip]
const CODES: &[(&str, &str)] = &[
    ("status-codes-409-create-exists",          "AlreadyExists"),
    ("status-codes-406-not-acceptable",         "NotAcceptable"),
    ("status-codes-415-unsupported-media-type", "UnsupportedMediaType"),
];

async fn a_mistake_is_answered_with_its_code(cx: Context, reason: &'static str) -> Checked {
    let Outdated(stored, _) = Outdated::arrange(&cx).await?;

    for mistake in invalid_requests::all(&stored).into_iter().filter(|mistake| mistake.reason == reason) {
        let refused = cx.send(mistake.request).await?;

        refused.expect_status(&[mistake.code])?;
    }
    Ok(())
}

async fn status_codes_400_bad_request(cx: Context, collection: Collection) -> Checked {
    let array = json!([collection.body("a", "first")]).to_string();

    for body in ["{", "", array.as_str()] {
        post_text(&cx, &collection, body).await?.expect_status(&[400])?;
    }
    Ok(())
}

async fn post_text(cx: &Context, collection: &Collection, body: &str) -> Result<Arc<Exchange>, Halt> {
    cx.send(patch_types::raw(Request::new(Method::POST, collection.path()), "application/json", body)).await
}

async fn status_codes_405_method_not_allowed(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;
    let mut requests: Vec<_> =
        invalid_requests::not_allowed(&stored).into_iter().map(|mistake| mistake.request).collect();
    // A custom type takes a PUT to its collection for one of an object without a name.
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
    let (mut named, mut labelled) = (collection.body("b", "first"), stored.body("second"));
    // Names of roles may be nearly anything.
    named["metadata"]["name"] = collection.name_of("Bad_%").into();
    labelled["metadata"]["labels"] = labels.clone();

    cx.send(Request::post(collection.path(), &named)).await?.expect_status(&[422])?;
    stored.put(&labelled).await?.expect_status(&[422])?;
    let patch = json!({ "metadata": { "labels": labels } });
    cx.send(stored.patch(MERGE, &patch)).await?.expect_status(&[422])
}
