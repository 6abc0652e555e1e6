//! Checks that a request left a stored object as it was.

use crate::fields::remove;
use crate::prelude::*;
use crate::rejections::OF_CLIENTS;

/// The rejection of an invalid request, with any of the codes for it.
pub(crate) fn expect_rejected(response: &Exchange) -> Checked {
    response.expect_rejection(OF_CLIENTS).map(drop)
}

/// There is no object of this name.
pub(crate) async fn expect_absent(collection: &Collection, name: &str) -> Checked {
    collection.get(name).await?.expect_status(&[404])
}

/// The object is as it was when it was read. Only for objects without other writers.
pub(crate) async fn expect_unchanged(collection: &Collection, name: &str, before: &Object) -> Checked {
    let got = collection.get(name).await?;
    let shown = got.object()?;
    let expected = format!("{name} unchanged, at version {}: {}", before.version(), content(before));
    let same = shown.version() == before.version() && shown.untyped() == before.untyped();
    got.expect(same, expected, format!("version {}: {}", shown.version(), content(&shown)))
}

/// The object has the same content as before: see [`content`].
pub(crate) async fn expect_same_content(collection: &Collection, name: &str, before: &Object) -> Checked {
    let got = collection.get(name).await?;
    let (expected, shown) = (content(before), content(&got.object()?));
    got.expect(shown == expected, format!("{name} as before: {expected}"), shown.to_string())
}

/// The object is there, and it is the one that was there before.
pub(crate) fn expect_there(got: &Exchange, before: &Object) -> Result<Object, Halt> {
    let (object, uid) = (got.object()?, before.metadata("uid"));
    let expected = format!("{} as before, of uid {uid}", before.name());
    got.expect(object.metadata("uid") == uid, expected, format!("uid {}", object.metadata("uid")))?;
    Ok(object)
}

/// The object exists and is not being deleted.
pub(crate) fn expect_alive(got: &Exchange, before: &Object) -> Result<Object, Halt> {
    let object = expect_there(got, before)?;
    let timestamp = object.metadata("deletionTimestamp");
    got.expect(
        timestamp.is_empty(),
        "an object that is not being deleted",
        format!("one since {timestamp}"),
    )?;
    Ok(object)
}

/// An object without the fields that the server and controllers write: versions, ownership, status.
pub(crate) fn content(object: &Object) -> Value {
    let mut content = object.untyped();
    remove(&mut content, "status");
    if let Some(metadata) = content.get_mut("metadata") {
        for field in ["resourceVersion", "managedFields", "generation"] {
            remove(metadata, field);
        }
    }
    content
}
