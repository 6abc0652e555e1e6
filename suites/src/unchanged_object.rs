//! Checks that a request left a stored object as it was.

use harness::{Checked, Collection, Exchange, Object};
use serde_json::Value;

/// A refusal of what a client has sent, whichever of the codes for it the server prefers.
///
/// The text says 400 of much that kube-apiserver answers with 422, and the other way round.
pub(crate) fn expect_rejected(answer: &Exchange) -> Checked {
    answer.expect_refusal(&[400, 409, 412, 422]).map(drop)
}

/// There is no object of this name.
pub(crate) async fn expect_absent(things: &Collection, name: &str) -> Checked {
    things.get(name).await?.expect_status(&[404])
}

/// The object is as it was when it was read. Only where nobody else writes to it.
pub(crate) async fn expect_unchanged(things: &Collection, name: &str, before: &Object) -> Checked {
    let got = things.get(name).await?;
    let shown = got.object()?;
    let expected = format!("{name} unchanged, at version {}: {}", before.version(), content(before));
    let same = shown.version() == before.version() && shown.untyped() == before.untyped();
    got.expect(same, expected, format!("version {}: {}", shown.version(), content(&shown)))
}

/// The object holds what it held, whatever others have noted on it since.
pub(crate) async fn expect_same_content(things: &Collection, name: &str, before: &Object) -> Checked {
    let got = things.get(name).await?;
    let (expected, shown) = (content(before), content(&got.object()?));
    got.expect(shown == expected, format!("{name} as before: {expected}"), shown.to_string())
}

/// An object without what others than its user write: versions, ownership, status.
pub(crate) fn content(object: &Object) -> Value {
    let mut content = object.untyped();
    remove(&mut content, "status");
    for field in ["resourceVersion", "managedFields", "generation"] {
        remove(&mut content["metadata"], field);
    }
    content
}

fn remove(object: &mut Value, field: &str) {
    if let Some(fields) = object.as_object_mut() {
        fields.shift_remove(field);
    }
}
