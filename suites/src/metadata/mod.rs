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

pub(crate) fn suite() -> Suite {
    Suite::new(
        "metadata",
        [
            invariants::rows(),
            name::rows(),
            namespace::rows(),
            uid::rows(),
            generation::rows(),
            creation::rows(),
            deletion::rows(),
            label::rows(),
            annotation::rows(),
            system_labels::rows(),
            openapi::rows(),
            pod::rows(),
        ],
    )
}
