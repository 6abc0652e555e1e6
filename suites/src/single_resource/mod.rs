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
    let generic = [batch::add, many::add, delete_many::add, delete_options::add];
    let suite =
        generic.iter().fold(Suite::new("single-resource"), |suite, add| add(suite)).on_custom_resources();
    batch::add_built_in(suite)
}
