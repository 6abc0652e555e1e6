//! Area `metadata`: what every object says of itself, what of it is the client's, and what is the server's alone.

mod always;
mod annotation;
mod creation;
mod deletion;
mod generation;
mod label;
mod name;
mod namespace;
mod pod;
mod published;
mod system;
mod uid;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    Suite::new(
        "metadata",
        [
            always::rows(),
            name::rows(),
            name::namespaced_rows(),
            namespace::rows(),
            uid::rows(),
            generation::rows(),
            creation::rows(),
            deletion::rows(),
            label::rows(),
            annotation::rows(),
            namespace::particular_rows(),
            system::rows(),
            published::rows(),
            pod::rows(),
        ],
    )
}
