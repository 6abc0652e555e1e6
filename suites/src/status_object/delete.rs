//! The Status of a successful deletion.

use harness::invariant;
use harness::invariant::{CheckResult, ensure};

use crate::error_response::{accepts_json_only, of_resource};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(status_object_on_successful_delete),
        invariant("status-object-on-successful-delete", is_success_or_deleted),
        row!(status_object_delete_success_details),
    ]
}

/// A Status Success, the deleted object, or the list of the deleted objects.
fn is_success_or_deleted(exchange: &Exchange) -> CheckResult {
    let deleted = exchange.request.method == "DELETE" && matches!(exchange.status(), 200 | 202);
    (deleted && of_resource(exchange) && accepts_json_only(exchange)).then(|| {
        let legal = exchange.json().is_some_and(|body| match body["kind"].as_str() {
            Some("Status") => body["status"] == "Success",
            Some(_) => body["metadata"]["uid"].is_string() || body["items"].is_array(),
            None => false,
        });
        ensure(legal, "a Status Success, or the deleted object or list", || exchange.brief())
    })
}

async fn status_object_on_successful_delete(cx: Context, stored: StoredObject) -> Checked {
    let deleted = cx.send(Request::delete(stored.path())).await?;

    deleted.expect_passed(is_success_or_deleted(&deleted), "HTTP 200 or 202")?;
    let actual = deleted.json().and_then(|body| body["metadata"]["uid"].as_str());
    let uid = stored.read.metadata("uid");
    deleted.expect(actual.is_none_or(|actual| actual == uid), format!("uid {uid}, if any"), deleted.text())
}

async fn status_object_delete_success_details(cx: Context, stored: StoredObject) -> Checked {
    let deleted = cx.send(Request::delete(stored.path())).await?;

    deleted.expect_status(&[200, 202])?;
    let Some(status) = deleted.json().filter(|body| body["kind"] == "Status") else {
        return Err(Halt::skip("the response to a deletion is no Status"));
    };
    let (collection, details) = (&stored.collection, &status["details"]);
    let resource = collection.resource();
    let expected = [
        ("name", collection.name_of(NAME)),
        ("kind", resource.plural.clone()),
        ("group", resource.group.clone()),
        ("uid", stored.read.metadata("uid").to_owned()),
    ];
    for (field, value) in expected {
        let actual = details[field].as_str().unwrap_or_default();
        deleted.expect(actual == value, format!("details.{field}: {value:?}"), details.to_string())?;
    }
    Ok(())
}
