//! Kinds without `metadata.generation`, which skip its scenarios.

use crate::prelude::*;

/// The generation of an object.
pub(crate) fn of(object: &Object) -> Option<i64> {
    object.json()["metadata"]["generation"].as_i64()
}

/// The generation of an object for which no client has sent one. Skips where it shows none.
pub(crate) fn counted(object: &Object) -> Result<i64, Halt> {
    let none = || Halt::skip("this type shows no metadata.generation");
    of(object).ok_or_else(none)
}
