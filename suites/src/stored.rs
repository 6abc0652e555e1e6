//! What is stored: whether a write that was refused, or one that changes nothing, has left everything as it was.

use harness::{Collection, Exchange, Halt, Object};
use serde_json::Value;

/// What a controller of Deployments writes into their metadata.
const REVISION: &str = "deployment.kubernetes.io/revision";

/// A refusal of what a client has sent, whichever of the codes for it the server prefers.
///
/// The text says 400 of much that kube-apiserver answers with 422, and the other way round.
pub(crate) fn expect_rejected(answer: &Exchange) -> Result<(), Halt> {
    answer.expect_refusal(&[400, 409, 412, 422]).map(drop)
}

/// There is no object of this name.
pub(crate) async fn expect_absent(things: &Collection, name: &str) -> Result<(), Halt> {
    things.get(name).await?.expect_status(&[404])
}

/// The object is as it was when it was read.
pub(crate) async fn expect_unchanged(things: &Collection, name: &str, before: &Object) -> Result<(), Halt> {
    let got = things.get(name).await?;
    let shown = got.object()?;
    let expected = format!("{name} unchanged, at version {}", before.version());
    let actual = || format!("{} with {}", got.brief(), content(&shown));
    if shown.version() == before.version() {
        return got.expect(shown.untyped() == before.untyped(), expected, actual());
    }
    let by_others = is_written_by_others(things) && content(&shown) == content(before);
    got.expect(by_others, expected, actual())
}

/// Whether controllers may write to objects of ours at any time: where all of Kubernetes runs, they do to Deployments.
pub(crate) fn is_written_by_others(things: &Collection) -> bool {
    things.resource().group == "apps"
}

/// An object without what others than its user write: versions, ownership, status.
pub(crate) fn content(object: &Object) -> Value {
    let mut content = object.untyped();
    if let Some(fields) = content.as_object_mut() {
        fields.shift_remove("status");
    }
    if let Some(metadata) = content["metadata"].as_object_mut() {
        metadata.shift_remove("resourceVersion");
        metadata.shift_remove("managedFields");
    }
    if let Some(annotations) = content["metadata"].get_mut("annotations").and_then(Value::as_object_mut) {
        annotations.shift_remove(REVISION);
        if annotations.is_empty() {
            remove(&mut content["metadata"], "annotations");
        }
    }
    content
}

fn remove(object: &mut Value, field: &str) {
    if let Some(fields) = object.as_object_mut() {
        fields.shift_remove(field);
    }
}
