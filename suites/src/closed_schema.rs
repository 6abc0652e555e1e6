//! Types with closed schemas: the server drops or rejects fields that the schema does not have.
//!
//! Kubernetes' own types have such schemas, and so have ours. A user's custom type may keep unknown fields
//! (`x-kubernetes-preserve-unknown-fields`).

use harness::{Checked, Collection, Context, Halt, Request, Subject};
use serde_json::Value;

use crate::patch_types::is_built_in;

/// Whether the schema of a type is closed at every depth, without a look at it.
pub(crate) fn is_known(things: &Collection) -> bool {
    is_built_in(things) || Subject::is_usual(&things.resource().group)
}

/// The scenario's collection. Skips if its type keeps unknown fields at the top of an object.
pub(crate) async fn collection(cx: &Context) -> Result<Collection, Halt> {
    let things = cx.things().await?;
    require(cx, &things).await?;
    Ok(things)
}

/// Skips if a type keeps unknown fields at the top of an object.
pub(crate) async fn require(cx: &Context, things: &Collection) -> Checked {
    if is_known(things) {
        return Ok(());
    }
    let resource = things.resource();
    let document = cx.send(Request::get(format!("/openapi/v3{}", resource.root()))).await?;
    let schemas = document.json().map(|json| &json["components"]["schemas"]).and_then(Value::as_object);
    let of_kind = |schema: &&Value| {
        let kinds = schema["x-kubernetes-group-version-kind"].as_array();
        kinds.is_some_and(|kinds| kinds.iter().any(|one| one["kind"] == resource.kind.as_str()))
    };
    let open = |schema: &Value| schema["x-kubernetes-preserve-unknown-fields"] == true;
    if schemas.into_iter().flat_map(|schemas| schemas.values()).filter(of_kind).any(open) {
        let why = format!("{} keep unknown fields (x-kubernetes-preserve-unknown-fields)", resource.plural);
        return Err(Halt::Skipped(why));
    }
    Ok(())
}
