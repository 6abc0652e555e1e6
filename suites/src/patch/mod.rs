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
    Suite::new(
        "patch",
        [
            condition::rows(),
            media::rows(),
            absent::rows(),
            json::rows(),
            refused::rows(),
            merge::rows(),
            result::rows(),
            parallel::rows(),
            apply::rows(),
            condition::built_in_rows(),
            media::some_types_rows(),
            absent::built_in_rows(),
            strategic::rows(),
            access::rows(),
            apply::some_types_rows(),
        ],
    )
}
