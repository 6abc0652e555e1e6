//! Area `spec-status`: spec, status, defaulting and conditions.

mod allocation;
mod authorization;
mod condition;
mod defaulting;
mod late_initialization;
mod main_endpoint;
mod openapi;
mod review;
mod sent_and_returned;
mod spec;
mod subresource;
mod version;

use crate::prelude::*;

suite![
    "spec-status",
    subresource,
    authorization,
    main_endpoint,
    spec,
    openapi,
    review,
    condition,
    defaulting,
    version,
    late_initialization,
    allocation
];

/// The object of the last read, with another value in its status.
fn with_status(stored: &StoredObject, value: &str) -> Result<Value, Halt> {
    stored.read.with(&stored.collection.status_change(value)?)
}

/// Sends a PUT of the status.
async fn put_status(cx: &Context, stored: &StoredObject, body: &Value) -> Result<Arc<Exchange>, Halt> {
    cx.send(Request::put(stored.collection.status_path_of(NAME), body)).await
}

/// Creates an object with a value in its status. A failure is a test error.
async fn create_with_status(cx: &Context, value: &str) -> Result<StoredObject, Halt> {
    let stored = StoredObject::create(cx).await?;
    put_status(cx, &stored, &with_status(&stored, value)?).await?.written()?;
    stored.again().await
}

/// The response has an object with this value in its status, or without one.
fn expect_status_value(stored: &StoredObject, response: &Exchange, expected: Option<&str>) -> Checked {
    let object = response.object()?;
    let at = stored.collection.resource_under_test().status_at().unwrap_or_default();
    let actual = object.json().pointer(at).unwrap_or(&Value::Null);
    let same = actual.as_str().filter(|text| !text.is_empty()) == expected;
    let expected = expected.map_or_else(|| format!("no {at}"), |text| format!("{text:?} at {at}"));
    response.expect(same, expected, format!("{actual} at {at}"))
}

/// A GET has an object with this value in its status, or without one.
async fn expect_stored_status(stored: &StoredObject, expected: Option<&str>) -> Checked {
    expect_status_value(stored, &*stored.get().await?, expected)
}
