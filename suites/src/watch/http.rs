//! The HTTP stream of a watch: headers, frames and chunks.

use harness::Protocol;

use super::from_now;
use crate::prelude::*;

rows![
    watch_event_shape.namespaced(),
    watch_event_full_object.namespaced(),
    watch_content_type_json.namespaced(),
    watch_chunked.namespaced(),
    watch_incremental_delivery.namespaced(),
    watch_header_before_events.namespaced().also("verbs-watch-response-starts-at-once"),
];

const TYPES: &[&str] = &["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"];

/// The reader of the watch fails at documents of another shape.
async fn watch_event_shape(collection: Collection) -> Checked {
    let mut watch = from_now(&collection).await?;

    collection.create("a").await?;
    collection.write("a", "second").await?;
    collection.delete("a").await?;

    for _ in 0..3 {
        let event = watch.event_or_fail("a JSON document with type and object for each change").await?;
        let right = TYPES.contains(&event.kind.as_str()) && event.object.json().is_object();
        let expected = format!("one of the types {} with an object", TYPES.join(", "));
        watch.expect_that(right, expected, event.brief())?;
    }
    Ok(())
}

async fn watch_event_full_object(collection: Collection) -> Checked {
    let mut watch = from_now(&collection).await?;

    collection.create_labelled("a", "assay", "shown").await?;
    let created = collection.get("a").object().await?;
    collection.write("a", "second").await?;
    let changed = collection.get("a").object().await?;

    for (kind, got) in [("ADDED", created), ("MODIFIED", changed)] {
        let object = watch.expect(kind, "a").await?;
        let expected = format!("{kind} {}, as in a GET", got.json());
        watch.expect_that(object == got, expected, object.json().to_string())?;
    }
    Ok(())
}

async fn watch_content_type_json(collection: Collection) -> Checked {
    let mut watch = from_now(&collection).await?;

    let response = watch.exchange();
    let content_type = response.header("content-type").unwrap_or("none");
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    let json = media_type.eq_ignore_ascii_case("application/json");
    watch.expect_that(json, "Content-Type: application/json", content_type)
}

async fn watch_chunked(collection: Collection) -> Checked {
    let listed = collection.now().await?;

    let query = collection.watch().at(&listed.version).param("timeoutSeconds", 2);
    let opened = query.with(|request| request.protocol(Protocol::Http1)).open().await;
    if matches!(opened, Err(Halt::Errored(_))) && speaks_http2_alone(collection.context()).await {
        return Err(Halt::skip("the server, or a proxy before it, speaks HTTP/2 only"));
    }
    let mut watch = opened?;

    let response = watch.exchange();
    if response.response.protocol != "HTTP/1.1" {
        return Err(Halt::skip(format!("the server speaks {} only", response.response.protocol)));
    }
    let chunked = response.header("transfer-encoding").is_some_and(|coding| coding.contains("chunked"));
    match response.header("content-length") {
        None if chunked => Ok(()),
        // Each proxy chooses how a body ends.
        None => {
            Err(Halt::skip("the watch ends with its connection, as the server or a proxy before it chose"))
        }
        Some(length) => Err(watch.fail("no Content-Length", format!("Content-Length: {length}"))),
    }
}

/// Whether a read that HTTP/2 carries has no response over HTTP/1.1.
async fn speaks_http2_alone(cx: &Context) -> bool {
    let read = || Request::get("/version");
    let old = cx.send(read().protocol(Protocol::Http1)).await;
    let usual = cx.send(read()).await;
    old.is_err() && usual.is_ok_and(|exchange| exchange.response.protocol.starts_with("HTTP/2"))
}

async fn watch_incremental_delivery(collection: Collection) -> Checked {
    let mut watch = from_now(&collection).await?;

    for name in ["a", "b", "c"] {
        collection.create(name).await?;

        watch.expect("ADDED", name).await?;
    }
    Ok(())
}

/// The collection does not change before the response headers.
async fn watch_header_before_events(cx: Context, collection: Collection) -> Checked {
    let listed = collection.now().await?;
    let watch = Request::get(collection.path()).query("watch", 1).query("resourceVersion", &listed.version);

    match cx.open_within(watch, cx.event_timeout()).await? {
        Some(Opening::Watch(mut watch)) => {
            collection.create("a").await?;
            watch.expect("ADDED", "a").await.map(drop)
        }
        Some(Opening::Rejected(refused)) => Err(refused.fail("a watch, HTTP 200", refused.brief())),
        None => Err(cx.failed("the response headers before the first event", "no response", None)),
    }
}
