//! The Content-Type header of requests.

use super::content::expect_created;
use crate::patch_types::{raw, yaml};
use crate::prelude::*;
use crate::rejections::rejected;
use crate::serialization::encodings::YAML;
use crate::serialization::json::create_without;

pub(super) fn rows() -> Vec<Row> {
    let unknown =
        rejected("representations-unsupported-content-type-415", &[415], |collection: &Collection| {
            Request::new(Method::POST, collection.path())
                .json("application/x-nonsense", &collection.body(NAME, "first"))
        });
    vec![
        row!(representations_request_content_type),
        row!(representations_request_default_json),
        unknown.reason("UnsupportedMediaType").row(),
        row!(representations_content_type_parameters),
    ]
}

/// A create with this body, unchanged.
fn create(collection: &Collection, media_type: &str, body: &str) -> Request {
    raw(Request::new(Method::POST, collection.path()), media_type, body)
}

async fn representations_request_content_type(cx: Context, collection: Collection) -> Checked {
    let body = yaml(&collection.body("b", "first"));
    let as_json = cx.send(create(&collection, "application/json", &body)).await?;
    as_json.expect_rejection(&[400])?;
    expect_absent(&collection, "b").await?;

    let as_yaml = cx.send(create(&collection, YAML, &body)).await?;

    expect_created(&cx, &collection, &as_yaml).await
}

async fn representations_request_default_json(cx: Context, collection: Collection) -> Checked {
    cx.send(create_without(&collection, "content-type")).await?.expect_status(&[201])
}

async fn representations_content_type_parameters(cx: Context, collection: Collection) -> Checked {
    let body = collection.body(NAME, "first").to_string();

    let created = cx.send(create(&collection, "application/json; charset=utf-8", &body)).await?;

    created.expect_status(&[201])
}
