//! Invariant checks of `resourceVersion` in every response.

use harness::invariant::{CheckResult, ensure};
use harness::{content_invariant, invariant};

use crate::prelude::*;

/// The invariant checks, and scenarios with responses that they judge.
pub(super) fn rows() -> Vec<Row> {
    vec![
        row!(rv_is_string).own_kinds(),
        row!(rv_one_kind_of_metadata).own_kinds(),
        invariant("rv-is-string", versions_are_strings),
        content_invariant("rv-identifies-server-version"),
        invariant("rv-one-kind-of-metadata", metadata_is_of_one_kind),
        invariant("rv-cache-warming-429", is_too_many_requests),
    ]
}

async fn rv_is_string(collection: Collection) -> Checked {
    let watch = collection.watch().open_if_offered().await?;
    collection.create("a").await?;

    if let Some(mut watch) = watch {
        // Another scenario tests that the event arrives.
        if let Next::Event(event) = watch.next().await? {
            let version = &event.object.json()["metadata"]["resourceVersion"];
            let expected = "an event's object with a string as resourceVersion";
            watch.expect_that(version.is_string(), expected, version.to_string())?;
        }
    }
    for query in [collection.get("a"), collection.list()] {
        let response = query.await?;
        response.expect_passed(versions_are_strings(&response), "a response with a resourceVersion")?;
    }
    // Not every server offers these representations.
    for kind in ["Table", "PartialObjectMetadataList"] {
        let accept = format!("application/json;as={kind};g=meta.k8s.io;v=v1");
        let response = collection.list().with(|request| request.accept(&accept)).await?;
        versions_are_strings(&response).map_or(Ok(()), |result| response.expect_passed(Some(result), ""))?;
    }
    Ok(())
}

async fn rv_one_kind_of_metadata(cx: Context, collection: Collection) -> Checked {
    let created = cx.send(Request::post(collection.path(), &collection.body("a", "first"))).await?;
    let (got, listed) = (collection.get("a").await?, collection.list().await?);

    for response in [created, got, listed, collection.list().limit(1).await?] {
        response.expect_passed(metadata_is_of_one_kind(&response), "a response with metadata")?;
    }
    Ok(())
}

/// Of objects, lists, items and events.
fn versions_are_strings(exchange: &Exchange) -> CheckResult {
    let versions: Vec<&Value> = documents(exchange).flat_map(versions).collect();
    let wrong = versions.iter().find(|version| !version.is_string());
    let actual = || wrong.map(ToString::to_string).unwrap_or_default();
    (!versions.is_empty()).then(|| ensure(wrong.is_none(), "strings as resourceVersions", actual))
}

/// A list has no metadata of an object, and an object has no metadata of a list.
fn metadata_is_of_one_kind(exchange: &Exchange) -> CheckResult {
    let mut with_metadata = documents(exchange).filter(|one| has_metadata(one)).peekable();
    with_metadata.peek()?;
    let wrong: Vec<_> = with_metadata.flat_map(of_the_other_kind).collect();
    Some(ensure(wrong.is_empty(), "metadata of an object or of a list, not of both", || wrong.join(", ")))
}

/// Flow control may reject a request in plain text.
fn is_too_many_requests(exchange: &Exchange) -> CheckResult {
    let status = exchange.json().filter(|_| exchange.status() == 429)?;
    let right = status["kind"] == "Status" && status["code"] == 429 && status["reason"] == "TooManyRequests";
    Some(ensure(right, "a Status of code 429 and reason TooManyRequests", || exchange.brief()))
}

/// The resources in a response: one, or the objects of watch events.
fn documents(exchange: &Exchange) -> impl Iterator<Item = &Value> {
    let is_read = exchange.succeeded() && exchange.request.path.starts_with("/api");
    let documents = if is_read { exchange.documents() } else { &[] };
    documents.iter().map(|document| document.get("object").unwrap_or(document))
}

/// The versions of a resource and of its items or rows.
fn versions(document: &Value) -> Vec<&Value> {
    let lists = ["items", "rows"].into_iter().filter_map(|list| document[list].as_array());
    let items = lists.flatten().map(|item| item.get("object").unwrap_or(item));
    let all = [document].into_iter().chain(items);
    all.filter_map(|one| one.pointer("/metadata/resourceVersion")).filter(|one| !one.is_null()).collect()
}

fn has_metadata(document: &Value) -> bool {
    document["metadata"].is_object() && document["kind"] != "Status"
}

fn of_the_other_kind(document: &Value) -> Vec<String> {
    let list = document["items"].is_array() || document["rows"].is_array();
    let others: &[&str] =
        if list { &["name", "uid", "creationTimestamp"] } else { &["continue", "remainingItemCount"] };
    let there = others.iter().filter(|field| !document["metadata"][**field].is_null());
    there.map(|field| format!("{}: metadata.{field}", document["kind"])).collect()
}
