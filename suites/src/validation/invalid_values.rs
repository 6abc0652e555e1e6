//! The field and the valid values in validation errors.

use super::rejections::expect_words;
use crate::known_validation::{DUPLICATE, NO_CHOICE, OfEachKind, WITHOUT_NAME};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    table(INVALID, Kinds::WithStatus, rejected_for_its_field)
}

/// The reason of the cause, and the mistake.
type Invalid = (&'static str, OfEachKind);

const INVALID: &[(&str, Invalid)] = &[
    ("validation-precise", ("FieldValueRequired", WITHOUT_NAME)),
    ("validation-tells-what-is-allowed", ("FieldValueNotSupported", NO_CHOICE)),
    ("validation-list-uniqueness-checked", ("FieldValueDuplicate", DUPLICATE)),
];

async fn rejected_for_its_field(cx: Context, (reason, mistake): Invalid) -> Checked {
    let collection = cx.collection_under_test().await?;
    let (body, mistake) = mistake.of(&collection)?;

    let refused = cx.send(Request::post(collection.path(), &body)).await?;

    expect_words(&refused, mistake.field, reason, mistake.words)
}
