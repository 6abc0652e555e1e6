//! The field and the valid values in validation errors.

use super::rejections::expect_words;
use crate::known_validation::{DUPLICATE, NO_CHOICE, OfEachKind, WITHOUT_NAME};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    table(INVALID, Kinds::WithStatus, invalid_field)
}

/// The reason of the cause, and the invalid field.
type Invalid = (&'static str, OfEachKind);

const INVALID: &[(&str, Invalid)] = &[
    ("validation-precise", ("FieldValueRequired", WITHOUT_NAME)),
    ("validation-tells-what-is-allowed", ("FieldValueNotSupported", NO_CHOICE)),
    ("validation-list-uniqueness-checked", ("FieldValueDuplicate", DUPLICATE)),
];

async fn invalid_field(cx: Context, (reason, invalid): Invalid) -> Checked {
    let collection = cx.collection_under_test().await?;
    let (body, invalid) = invalid.of(&collection)?;

    let response = cx.send(Request::post(collection.path(), &body)).await?;

    expect_words(&response, invalid.field, reason, invalid.words)
}
