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

use harness::Suite;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "apply-merge",
        [
            three_way::rows(),
            atomic::rows(),
            set_lists::rows(),
            keyed_lists::rows(),
            granular_maps::rows(),
            schema_markers::rows(),
            builtin::rows(),
            deployment::rows(),
            custom::rows(),
        ],
    )
}
