//! The operations of a JSON patch, one by one and within limits.

use std::slice;

use json_patch::PatchOperation;
use json_patch::jsonptr::Pointer;
use serde_json::Value;

use crate::depth;
use crate::failure::Failure;

/// The maximum length of all copies of a JSON patch, in bytes: a few copies of copies would fill the memory. Values that
/// move to a longer path count as well, because each needs a look at its depth.
const LARGEST_COPIES: usize = 3 << 20;

/// Carries out operations; after an error, some are done.
pub(super) fn apply_operations(object: &mut Value, operations: &Value) -> Result<(), Failure> {
    if operations.is_null() {
        return Ok(());
    }
    let patch: json_patch::Patch = serde_json::from_value(operations.clone()).map_err(|_| rejected())?;
    let mut copied = 0;
    for operation in &patch.0 {
        if let Some(moved) = moved_value(object, operation) {
            copied += moved.to_string().len();
        }
        if copied > LARGEST_COPIES {
            return Err(rejected());
        }
        if placed_value(object, operation)
            .is_some_and(|(value, path)| depth::is_too_deep(value, path.count()))
        {
            return Err(Failure::bad_patch(object, depth::ERROR));
        }
        json_patch::patch_unsafe(object, slice::from_ref(operation)).map_err(|_| rejected())?;
    }
    Ok(())
}

fn rejected() -> Failure {
    Failure::rejected("the server rejected our request due to an error in our request")
}

/// The value of the object that an operation copies, or moves to a longer path.
fn moved_value<'a>(object: &'a Value, operation: &PatchOperation) -> Option<&'a Value> {
    match operation {
        PatchOperation::Copy(copy) => object.pointer(copy.from.as_str()),
        PatchOperation::Move(one) if one.path.count() > one.from.count() => object.pointer(one.from.as_str()),
        _ => None,
    }
}

/// The value that an operation places deeper than it was, and its path.
fn placed_value<'a>(object: &'a Value, operation: &'a PatchOperation) -> Option<(&'a Value, &'a Pointer)> {
    match operation {
        PatchOperation::Add(add) => Some((&add.value, &add.path)),
        PatchOperation::Replace(replace) => Some((&replace.value, &replace.path)),
        PatchOperation::Copy(copy) => Some((moved_value(object, operation)?, &copy.path)),
        PatchOperation::Move(one) => Some((moved_value(object, operation)?, &one.path)),
        PatchOperation::Remove(_) | PatchOperation::Test(_) => None,
    }
}
