//! Area `watch`: watch events.
//!
//! What watches owe to those who come too late stands with the area `gone`.

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

/// A watch of what happens to a collection from now on.
pub(crate) async fn from_now(collection: &Collection) -> Result<Watch, Halt> {
    let listed = collection.now().await?;
    collection.watch().at(&listed.version).arranged().await
}

/// How many times the event timeout an event may take that comes behind those of other namespaces.
const AMONG_OTHERS: u32 = 4;

/// The next event of this collection, on a watch of all namespaces; those of other namespaces are passed over.
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
            Next::End => return Err(watch.fail(expected, "the server ended the watch")),
            Next::Event(_) | Next::Silence => return Err(watch.fail(expected, "nothing of it in time")),
        };
        let here = collection.path().contains(&format!("/namespaces/{}/", event.object.namespace()));
        if here && event.kind == kind && event.object.name() == name {
            return Ok(event.object);
        }
        if here || event.kind == "ERROR" {
            return Err(watch.fail(expected, event.brief()));
        }
    }
}

/// The event shows the object as a write was answered.
fn expect_as_written(watch: &mut Watch, shown: &Object, written: &Object) -> Checked {
    let brief = |object: &Object| {
        let (name, version, value) = (object.name(), object.version(), object.value());
        format!("{name} at {version:?} with {value:?}")
    };
    let (expected, actual) = (brief(written), brief(shown));
    if expected == actual {
        return Ok(());
    }
    Err(watch.fail(format!("{expected}, as the write was answered"), actual))
}
