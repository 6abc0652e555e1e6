//! Types with closed schemas: the server drops or rejects fields that the schema does not have.
//!
//! Kubernetes' own types have such schemas, and so have ours. A user's custom type may keep unknown fields
//! (`x-kubernetes-preserve-unknown-fields`).

use harness::Subject;

use crate::patch_types::is_built_in;
use crate::prelude::*;

/// Whether the schema of a type is closed at every depth, without a look at it.
pub(crate) fn is_known(collection: &Collection) -> bool {
    is_built_in(collection) || Subject::is_usual(&collection.resource().group)
}

/// The scenario's collection. Skips if its type keeps unknown fields at the top of an object.
pub(crate) async fn collection(cx: &Context) -> Result<Collection, Halt> {
    let collection = cx.collection_under_test().await?;
    require(&collection)?;
    Ok(collection)
}

/// Skips if a type keeps unknown fields at the top of an object.
pub(crate) fn require(collection: &Collection) -> Checked {
    if collection.resource_under_test().keeps_unknown_fields {
        let plural = &collection.resource().plural;
        let why = format!("{plural} keep unknown fields (x-kubernetes-preserve-unknown-fields)");
        return Err(Halt::Skipped(why));
    }
    Ok(())
}
