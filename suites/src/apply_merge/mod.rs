//! Area `apply-merge`: how server-side apply merges a configuration into an object.

mod atomic;
mod builtin;
mod custom;
mod deployment;
mod granular_maps;
mod keyed_lists;
mod schema_markers;
mod set_lists;
mod three_way;

suite![
    "apply-merge",
    three_way,
    atomic,
    set_lists,
    keyed_lists,
    granular_maps,
    schema_markers,
    builtin,
    deployment,
    custom
];
