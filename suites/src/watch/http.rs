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

/// What is no document of that shape fails where it is read.
async fn watch_event_shape(collection: Collection) -> Checked {
    let mut watch = from_now(&collection).await?;

    collection.create("a").await?;
    collection.write("a", "second").await?;
    collection.delete("a").await?;

    for _ in 0..3 {
        let event = watch.event_or_fail("a JSON document with type and object for each change").await?;
        if !TYPES.contains(&event.kind.as_str()) || !event.object.json().is_object() {
            let expected = format!("one of the types {} with an object", TYPES.join(", "));
            return Err(watch.fail(expected, event.brief()));
        }
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
        let told = watch.expect(kind, "a").await?;
        if told != got {
            return Err(
                watch.fail(format!("{kind} {}, as a get shows it", got.json()), told.json().to_string())
            );
        }
    }
    Ok(())
}

async fn watch_content_type_json(collection: Collection) -> Checked {
    let mut watch = from_now(&collection).await?;

    let shown = watch.exchange();
    let given = shown.header("content-type").unwrap_or("none");
    let media_type = given.split(';').next().unwrap_or_default().trim();
    if media_type.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(watch.fail("Content-Type: application/json", given))
}

async fn watch_chunked(collection: Collection) -> Checked {
    let listed = collection.now().await?;

    let query = collection.watch().at(&listed.version).param("timeoutSeconds", 2);
    let mut watch = query.with(|request| request.protocol(Protocol::Http1)).open().await?;

    let shown = watch.exchange();
    if shown.response.protocol != "HTTP/1.1" {
        return Err(Halt::Skipped(format!("the server speaks {} only", shown.response.protocol)));
    }
    let chunked = shown.header("transfer-encoding").is_some_and(|coding| coding.contains("chunked"));
    match shown.header("content-length") {
        None if chunked => Ok(()),
        None => Err(watch.fail("Transfer-Encoding: chunked", "none")),
        Some(length) => Err(watch.fail("no Content-Length", format!("Content-Length: {length}"))),
    }
}

async fn watch_incremental_delivery(collection: Collection) -> Checked {
    let mut watch = from_now(&collection).await?;

    for name in ["a", "b", "c"] {
        collection.create(name).await?;

        watch.expect("ADDED", name).await?;
    }
    Ok(())
}

/// Nothing is written while the head is waited for.
async fn watch_header_before_events(cx: Context, collection: Collection) -> Checked {
    let listed = collection.now().await?;
    let quiet = Request::get(collection.path()).query("watch", 1).query("resourceVersion", &listed.version);

    let opening = cx.open_within(quiet, cx.event_timeout()).await?;

    match opening {
        Some(Opening::Watch(watch)) => then_tells(*watch, &cx).await,
        Some(Opening::Refused(refused)) => Err(refused.fail("a watch, HTTP 200", refused.brief())),
        None => Err(cx.failed("the head of the answer at once", "nothing", None)),
    }
}

/// What comes then is the first event.
async fn then_tells(mut watch: Watch, cx: &Context) -> Checked {
    cx.collection_under_test().await?.create("a").await?;
    watch.expect("ADDED", "a").await.map(drop)
}
