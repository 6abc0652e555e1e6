//! Area `metadata`: `ObjectMeta`, field by field.

mod annotation;
mod creation;
mod deletion;
mod generation;
mod invariants;
mod label;
mod name;
mod namespace;
mod openapi;
mod pod;
mod system_labels;
mod uid;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    Suite::new(
        "metadata",
        [
            invariants::rows(),
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
            system_labels::rows(),
            openapi::rows(),
            pod::rows(),
        ],
    )
}
