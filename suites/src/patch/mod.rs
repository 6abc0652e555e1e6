//! Area `patch`: the four patch types.
//!
//! What an apply is in full stands with the areas `apply-…`; here stands what the page on patches says of it.

mod apply;
mod authorization;
mod concurrent_patches;
mod json;
mod media_types;
mod merge;
mod precondition;
mod rejected_json;
mod rejections;
mod result;
mod strategic;

use harness::Suite;

pub(crate) fn suite() -> Suite {
    Suite::new(
        "patch",
        [
            precondition::rows(),
            media_types::rows(),
            rejections::rows(),
            json::rows(),
            rejected_json::rows(),
            merge::rows(),
            result::rows(),
            concurrent_patches::rows(),
            apply::rows(),
            strategic::rows(),
            authorization::rows(),
        ],
    )
}
