//! Area `single-resource`: requests for one object, and requests for a collection.

mod batch;
mod delete_collection;
mod delete_options;
mod multi_object_reads;

use harness::Suite;

/// The scenarios of this area.
///
/// They stay in namespaces: what a wrong server makes of them must touch nothing but what is theirs.
pub(crate) fn suite() -> Suite {
    Suite::new(
        "single-resource",
        [
            batch::rows(),
            multi_object_reads::rows(),
            delete_collection::rows(),
            delete_options::rows(),
            batch::built_in_rows(),
        ],
    )
}
