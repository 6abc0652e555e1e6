//! The parameter `drop` of Accept: responses without managedFields.

use super::content::{PLAIN_JSON, expect_encoding};
use crate::fields::remove;
use crate::prelude::*;

rows![
    representations_drop_managed_fields,
    representations_drop_unknown_ignored,
    representations_drop_does_not_affect_storage,
];

const WITHOUT_MANAGERS: &str = "application/json;drop=metadata.managedFields";

/// A get with a parameter `drop`; without managedFields, the object is as it was.
async fn got(stored: &StoredObject, accept: &str) -> Result<Arc<Exchange>, Halt> {
    let response = stored.get().with(|request| request.accept(accept)).await?;
    response.expect_status(&[200])?;
    expect_encoding(&response, PLAIN_JSON)?;
    Ok(response)
}

fn managers(object: &Value) -> &Value {
    &object["metadata"]["managedFields"]
}

async fn representations_drop_managed_fields(stored: StoredObject) -> Checked {
    let response = got(&stored, WITHOUT_MANAGERS).await?;

    let object = response.object()?;
    let mut expected = stored.read.json().clone();
    if managers(object.json()).is_null() {
        remove(&mut expected["metadata"], "managedFields");
    }
    response.expect(*object.json() == expected, expected.to_string(), object.json().to_string())
}

async fn representations_drop_unknown_ignored(stored: StoredObject) -> Checked {
    let response = got(&stored, "application/json;drop=metadata.bogus").await?;

    let object = response.object()?;
    let expected = stored.read.json();
    response.expect(object.json() == expected, expected.to_string(), object.json().to_string())
}

async fn representations_drop_does_not_affect_storage(cx: Context, stored: StoredObject) -> Checked {
    let response = got(&stored, WITHOUT_MANAGERS).await?;
    let object = response.object()?;
    if managers(stored.read.json()).is_null() || !managers(object.json()).is_null() {
        return Err(
            cx.lacks("ManagedFieldsOptOut", "the server ignores the parameter drop=metadata.managedFields")
        );
    }

    stored.put(object.json()).await?.expect_status(&[200])?;

    let again = stored.get().await?;
    let shown = again.object()?;
    let expected = managers(stored.read.json());
    again.expect(managers(shown.json()) == expected, expected.to_string(), managers(shown.json()).to_string())
}
