//! Area `apply-conflicts`: what an apply is refused for, what the refusal says, and what `force` does about it.

mod ancient;
mod force;
mod forced_value;
mod free;
mod migration;
mod refused;
mod resolve;
mod subresource;
mod told;
mod topology;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let parts = [
        refused::add,
        told::add,
        free::add,
        force::add,
        forced_value::add,
        resolve::add,
        topology::add,
        migration::add,
        subresource::add,
        ancient::add,
    ];
    parts.iter().fold(Suite::new("apply-conflicts"), |suite, add| add(suite))
}
