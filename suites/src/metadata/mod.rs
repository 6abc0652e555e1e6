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

suite![
    "metadata",
    invariants,
    name,
    namespace,
    uid,
    generation,
    creation,
    deletion,
    label,
    annotation,
    system_labels,
    openapi,
    pod
];
