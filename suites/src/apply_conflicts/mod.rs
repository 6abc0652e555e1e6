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
    Suite::new(
        "apply-conflicts",
        [
            refused::rows(),
            told::rows(),
            free::rows(),
            force::rows(),
            forced_value::rows(),
            resolve::rows(),
            topology::rows(),
            migration::rows(),
            subresource::rows(),
            ancient::rows(),
        ],
    )
}
