//! Area `update`: PUT, which puts one object in the place of another.

mod identity;
mod place;
mod replace;
mod version;

use harness::Suite;

pub(crate) use version::add_to_concurrency;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let parts = [replace::add, version::add, place::add, identity::add, place::add_namespaced];
    let suite = parts.iter().fold(Suite::new("update"), |suite, add| add(suite)).on_custom_resources();
    version::add_custom(suite)
}
