//! Area `kinds`: what is sent and shown says what it is, and every kind has its places.

mod always;
mod definition;
mod discovery;
mod document;
mod event;
mod identity;
mod lifecycle;
mod list;
mod pod;
mod published;
mod scale;
mod subresource;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    Suite::new(
        "kinds",
        [
            always::rows(),
            lifecycle::rows(),
            identity::rows(),
            list::rows(),
            document::rows(),
            identity::some_types_rows(),
            list::all_types_rows(),
            document::versions_rows(),
            subresource::rows(),
            discovery::rows(),
            definition::rows(),
            published::rows(),
            scale::rows(),
            pod::rows(),
            event::rows(),
        ],
    )
}
