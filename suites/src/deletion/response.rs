//! The response to a deletion.

use harness::decimal;

use super::{ACCEPTED, FIRST, held, is_terminating, with_options};
use crate::prelude::*;
use crate::watch::from_now;

rows![
    deletion_response_is_status_or_object,
    deletion_response_shows_marked_object,
    deletion_status_details_identify_object,
    deletion_response_status_rv,
    deletion_legacy_orphandependents_202,
    deletion_response_object_rv_matches_event.own_kinds()
];

async fn deletion_response_is_status_or_object(cx: Context, collection: Collection) -> Checked {
    held(&collection, "held", &[FIRST]).await?;
    collection.create("free").await?;

    for name in ["held", "free"] {
        let deleted = cx.send(Request::delete(collection.path_of(name))).await?;

        deleted.expect_status(ACCEPTED)?;
        let kind = &collection.resource().kind;
        let right = deleted.json().is_some_and(|json| is_success(json) || json["kind"] == kind.as_str());
        deleted.expect(right, format!("a Status with status Success, or a {kind}"), deleted.brief())?;
    }
    Ok(())
}

/// Whether a document is a Status of a success.
fn is_success(document: &Value) -> bool {
    document["kind"] == "Status" && document["status"] == "Success"
}

async fn deletion_response_shows_marked_object(cx: Context, collection: Collection) -> Checked {
    let created = held(&collection, "a", &[FIRST]).await?;

    let deleted = cx.send(Request::delete(collection.path_of("a"))).await?;

    deleted.expect_status(ACCEPTED)?;
    let kind = &collection.resource().kind;
    let object = Object::new(deleted.json().cloned().unwrap_or_default());
    let same = object.json()["kind"] == kind.as_str() && object.name() == created.name();
    let expected = format!("the {kind} {} with metadata.deletionTimestamp", created.name());
    deleted.expect(same && is_terminating(&object), expected, deleted.brief())
}

async fn deletion_status_details_identify_object(cx: Context, collection: Collection) -> Checked {
    let created = collection.create("a").await?;

    let deleted = cx.send(Request::delete(collection.path_of("a"))).await?;

    let details = &success(&deleted)?["details"];
    let ty = collection.resource();
    let expected = [
        ("name", created.name()),
        ("group", ty.group.as_str()),
        ("kind", ty.plural.as_str()),
        ("uid", created.metadata("uid")),
    ];
    let wrong = expected.iter().find(|(field, value)| details[*field].as_str().unwrap_or_default() != *value);
    let (field, value) = wrong.copied().unwrap_or_default();
    let actual = format!("{:?}", details[field].as_str().unwrap_or_default());
    deleted.expect(wrong.is_none(), format!("details.{field} {value:?}"), actual)
}

/// The Status of a deletion. Skips where the response is the object.
fn success(deleted: &Exchange) -> Result<&Value, Halt> {
    deleted.expect_status(ACCEPTED)?;
    let status = deleted.json().filter(|json| is_success(json));
    status.ok_or_else(|| Halt::skip(format!("the response is no Status: {}", deleted.brief())))
}

async fn deletion_response_status_rv(cx: Context, collection: Collection) -> Checked {
    collection.create("a").await?;
    let last = collection.write("a", "last").await?;

    let deleted = cx.send(Request::delete(collection.path_of("a"))).await?;

    let version = success(&deleted)?["metadata"]["resourceVersion"].as_str().unwrap_or_default();
    if version.is_empty() {
        cx.note("the Status of a deletion has no resourceVersion, which is legal");
        return Ok(());
    }
    let falls = decimal(last.version()).zip(decimal(version)).is_some_and(|(last, end)| end < last);
    let expected = format!("no resourceVersion, or one after {}, the last of the object", last.version());
    deleted.expect(version != last.version() && !falls, expected, version)
}

async fn deletion_legacy_orphandependents_202(cx: Context, collection: Collection) -> Checked {
    held(&collection, "legacy", &[FIRST]).await?;
    held(&collection, "plain", &[FIRST]).await?;
    collection.create("free").await?;
    let legacy = json!({ "orphanDependents": false });

    let stays = cx.send(with_options(collection.path_of("legacy"), &legacy)).await?;
    let goes = cx.send(with_options(collection.path_of("free"), &legacy)).await?;
    let plain = cx.send(Request::delete(collection.path_of("plain"))).await?;

    stays.expect_status(&[202])?;
    goes.expect_status(&[200])?;
    plain.expect_status(&[200])
}

async fn deletion_response_object_rv_matches_event(cx: Context) -> Checked {
    let accounts = cx.collection(Resource::core("serviceaccounts", "ServiceAccount")).await?;
    let account = json!({ "apiVersion": "v1", "kind": "ServiceAccount", "metadata": { "name": "a" } });
    accounts.create_body(&account).await?;
    let mut watch = from_now(&accounts).await?;

    let deleted = cx.send(Request::delete(accounts.path_of("a"))).await?;
    let events =
        watch.until("DELETED a", |event| event.kind == "DELETED" && event.object.name() == "a").await?;

    let object = deleted.object()?;
    if object.json()["kind"] != "ServiceAccount" {
        return Err(Halt::skip("the response to the deletion of a ServiceAccount is a Status"));
    }
    let version = events.last().map_or("", |event| event.object.version());
    let expected = format!("the object at version {version}, as in its DELETED event");
    deleted.expect(object.version() == version, expected, deleted.brief())
}
