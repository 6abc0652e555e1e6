//! Area `watch`: watch events.
//!
//! The area `gone` tests watches from expired versions.

mod completeness;
mod deleted_events;
mod http;
mod list_and_watch;
mod new_types;
mod order;
mod parameter;
mod scope;
mod selector;
mod shard;
mod types;
mod version;
mod write_events;
mod writers;

use std::collections::BTreeMap;

use crate::prelude::*;

suite![
    "watch",
    version,
    list_and_watch,
    completeness,
    write_events,
    deleted_events,
    http,
    scope,
    selector,
    order,
    parameter,
    shard,
    new_types,
    types
];

/// Applies an event to a state: a text of each object by name. Returns whether the event is possible in the state.
pub(crate) fn play(
    event: &WatchEvent,
    state: &mut BTreeMap<String, String>,
    text: fn(&Object) -> &str,
) -> bool {
    let (name, text) = (event.object.name().to_owned(), text(&event.object).to_owned());
    match event.kind.as_str() {
        "ADDED" => state.insert(name, text).is_none(),
        "MODIFIED" => state.insert(name, text).is_some(),
        "DELETED" => state.remove(&name).is_some(),
        _ => false,
    }
}

/// The version of each own object of a list by name.
pub(crate) fn versions(page: &Page) -> BTreeMap<String, String> {
    page.own_items().iter().map(|item| (item.name().to_owned(), item.version().to_owned())).collect()
}

/// A watch of the changes of a collection from now on.
pub(crate) async fn from_now(collection: &Collection) -> Result<Watch, Halt> {
    let listed = collection.now().await?;
    collection.watch().at(&listed.version).open_as_fixture().await
}

/// The limit for an event among those of other namespaces, in event timeouts.
const AMONG_OTHERS: u32 = 4;

/// The next event of this collection on a watch of all namespaces. Skips the events of other namespaces.
async fn expect_here(
    cx: &Context,
    watch: &mut Watch,
    collection: &Collection,
    (kind, name): (&str, &str),
) -> Result<Object, Halt> {
    let expected = format!("{kind} {}", collection.path_of(name));
    let deadline = Instant::now() + cx.event_timeout() * AMONG_OTHERS;
    loop {
        let event = match watch.next().await? {
            Next::Event(event) if Instant::now() < deadline => event,
            Next::End => return Err(watch.ended(&expected)),
            Next::Event(_) | Next::Silence => return Err(watch.fail(expected, "no such event in time")),
        };
        let here = collection.path().contains(&format!("/namespaces/{}/", event.object.namespace()));
        if here && event.kind == kind && event.object.name() == name {
            return Ok(event.object);
        }
        if here || event.kind == "ERROR" {
            return Err(watch.unexpected(expected, &event).await);
        }
    }
}

/// The next event has this type, and the object as in the response to the write.
async fn expect_written(watch: &mut Watch, kind: &str, written: &Object) -> Result<Object, Halt> {
    let object = watch.expect(kind, written.name()).await?;
    let brief = |object: &Object| {
        let (name, version, value) = (object.name(), object.version(), object.value());
        format!("{name} at {version:?} with {value:?}")
    };
    let (expected, actual) = (brief(written), brief(&object));
    let same = expected == actual;
    watch.expect_that(same, format!("{expected}, as in the response to the write"), actual)?;
    Ok(object)
}
