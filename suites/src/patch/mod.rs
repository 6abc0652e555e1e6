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

suite![
    "patch",
    precondition,
    media_types,
    rejections,
    json,
    rejected_json,
    merge,
    result,
    concurrent_patches,
    apply,
    strategic,
    authorization
];
