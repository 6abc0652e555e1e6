//! Invalid bodies of applies, which the server must not store.

use super::{MANAGER, OTHER, expect_refused};
use crate::closed_schema;
use crate::patch_types;
use crate::prelude::*;
use crate::warning;

rows![
    apply_requests_invalid_result_rejected,
    apply_requests_invalid_result_writes_nothing.own_kinds(),
    apply_requests_unknown_field_rejected,
    apply_requests_duplicate_body_key_warn,
];

async fn apply_requests_invalid_result_rejected(fixture: ApplyFixture) -> Checked {
    let mut body = fixture.whole(&[("k", "v")]);
    body["metadata"]["labels"]["bad key!"] = json!("v");
    let invalid = || fixture.applying_body(MANAGER, &body);

    expect_invalid(&*fixture.send(invalid()).await?, "metadata.labels")?;
    fixture.write(fixture.applying_whole(MANAGER, &[("k", "v")])).await?;
    expect_invalid(&*fixture.send(invalid()).await?, "metadata.labels")
}

/// 422 Invalid, with a cause for the field.
fn expect_invalid(refused: &Exchange, field: &str) -> Checked {
    let status = refused.expect_error(&[422], &["Invalid"])?;
    let causes = status["details"]["causes"].as_array();
    let is_of_field = |cause: &Value| cause["field"].as_str().is_some_and(|named| named.starts_with(field));
    let named = causes.is_some_and(|causes| causes.iter().any(is_of_field));
    refused.expect(named, format!("a cause with field {field}"), status["details"].to_string())
}

async fn apply_requests_invalid_result_writes_nothing(fixture: Gizmo) -> Checked {
    let invalid =
        |manager: &str| fixture.applying(manager, &json!({ "spec": { "size": 1000, "mode": "new" } }));

    expect_invalid(&*fixture.send(invalid(MANAGER)).await?, "spec.size")?;
    fixture.expect_absent().await?;

    fixture.applied(MANAGER, &json!({ "spec": { "value": "v" } })).await?;
    let before = fixture.read().await?.written()?;
    for manager in [MANAGER, OTHER] {
        expect_invalid(&*fixture.send(invalid(manager)).await?, "spec.size")?;
        fixture.expect_unchanged(&before).await?;
    }
    Ok(())
}

/// A field that no type has.
const UNKNOWN: &str = "assayUnknown";

/// kube-apiserver returns 500, without a reason; 400 and 422 are better.
pub(super) const UNTYPED: [u16; 3] = [400, 422, 500];

async fn apply_requests_unknown_field_rejected(cx: Context, fixture: ApplyFixture) -> Checked {
    closed_schema::require(&fixture.collection)?;
    let mut body = fixture.whole(&[]);
    body[UNKNOWN] = json!({ "a": 1 });
    let at = |level: &str| fixture.applying_body(MANAGER, &body).query("fieldValidation", level);

    for level in ["Ignore", "Warn"] {
        let response = fixture.send(at(level)).await?;
        if response.succeeded() {
            // By the text of these levels, the server drops an unknown field.
            let dropped = response.object()?.json().get(UNKNOWN).is_none();
            response.expect(dropped, format!("an object without {UNKNOWN}"), response.text())?;
            cx.note(
                "the server drops an unknown field of an apply, as the text describes for Ignore and Warn",
            );
            fixture.collection.delete(fixture.name).await?;
        } else {
            response.expect_rejection(&UNTYPED)?;
        }
        fixture.expect_absent().await?;
    }
    expect_refused(&fixture, &[at("Strict")], &UNTYPED).await
}

/// The whole object with another value at a pointer.
pub(super) fn replaced(fixture: &ApplyFixture, pointer: &str, value: &Value) -> Value {
    let mut body = fixture.whole(&[("k", "v")]);
    body.pointer_mut(pointer).into_iter().for_each(|place| *place = value.clone());
    body
}

/// A duplicate key.
const TWICE: &str = "assay-twice";

/// An apply in YAML with a duplicate key, which no JSON value can have.
pub(super) fn applying_twice(fixture: &ApplyFixture) -> Request {
    let (once, twice) = (r#""assay-twice":"1""#, r#""assay-twice":"1","assay-twice":"2""#);
    let text = patch_types::yaml(&fixture.whole(&[(TWICE, "1")])).replacen(once, twice, 1);
    patch_types::raw_patch(&fixture.collection, fixture.name, APPLY, &text).query("fieldManager", MANAGER)
}

async fn apply_requests_duplicate_body_key_warn(fixture: ApplyFixture) -> Checked {
    for request in [applying_twice(&fixture), applying_twice(&fixture).query("fieldValidation", "Warn")] {
        let warned = fixture.send(request).await?;
        warned.object()?;
        warning::expect(&warned, TWICE)?;
    }
    Ok(())
}
