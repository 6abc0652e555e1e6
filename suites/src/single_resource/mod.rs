//! Area `single-resource`: requests that are about one object, and those that are about many.

mod batch;
mod delete_many;
mod delete_options;
mod many;

use harness::Suite;

/// The scenarios of this area.
///
/// They stay in namespaces: what a wrong server makes of them must touch nothing but what is theirs.
pub(crate) fn suite() -> Suite {
    Suite::new(
        "single-resource",
        [batch::rows(), many::rows(), delete_many::rows(), delete_options::rows(), batch::built_in_rows()],
    )
}
