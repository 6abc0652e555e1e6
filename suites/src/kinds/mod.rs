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
    let generic = [always::add, lifecycle::add, identity::add, list::add, document::add];
    let suite = generic.iter().fold(Suite::new("kinds"), |suite, add| add(suite)).on_custom_resources();
    let particular = [
        identity::add_of_some_types,
        list::add_of_all_types,
        document::add_versions,
        subresource::add,
        discovery::add,
        definition::add,
        published::add,
        scale::add,
        pod::add,
        event::add,
    ];
    particular.iter().fold(suite, |suite, add| add(suite))
}
