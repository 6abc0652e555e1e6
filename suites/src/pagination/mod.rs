//! Area `pagination`: lists in chunks, by `limit` and `continue`.

mod always;
mod chunks;
mod selection;
mod snapshot;
mod token;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let suite = Suite::new("pagination");
    let suite = token::add(selection::add(snapshot::add(chunks::add(suite))));
    let suite = crate::gone::add_to_pagination(suite).on_custom_resources();
    always::add(token::add_types(suite))
}
