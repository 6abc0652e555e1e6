//! Area `patch`: changes of an object that is there, in four forms.
//!
//! What an apply is in full stands with the areas `apply-…`; here stands what the page on patches says of it.

mod absent;
mod access;
mod apply;
mod condition;
mod json;
mod media;
mod merge;
mod parallel;
mod refused;
mod result;
mod strategic;

use harness::Suite;

/// The scenarios of this area.
pub(crate) fn suite() -> Suite {
    let generic = [
        condition::add,
        media::add,
        absent::add,
        json::add,
        refused::add,
        merge::add,
        result::add,
        parallel::add,
        apply::add,
    ];
    let suite = generic.iter().fold(Suite::new("patch"), |suite, add| add(suite));
    let of_some_types = [
        condition::add_built_in,
        media::add_of_some_types,
        absent::add_built_in,
        strategic::add,
        access::add,
        apply::add_of_some_types,
    ];
    of_some_types.iter().fold(suite, |suite, add| add(suite))
}
