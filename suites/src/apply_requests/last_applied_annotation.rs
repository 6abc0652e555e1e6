//! The annotation `last-applied-configuration` of client-side apply.

use super::MANAGER;
use crate::prelude::*;
use crate::string_map;

rows![
    apply_requests_migration_annotation_kept_current,
    apply_requests_migration_annotation_untouched_by_others,
];

const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Creates the object as a client-side apply does, and returns the annotation.
async fn applied_by_a_client(fixture: &ApplyFixture) -> Result<String, Halt> {
    let mut body = fixture.whole(&[("k", "v")]);
    let annotation = format!("{body}\n");
    body["metadata"]["annotations"][LAST_APPLIED] = json!(annotation);
    fixture.collection.create_body(&body).await?;
    Ok(annotation)
}

fn annotation(object: &Object) -> &str {
    object.json()["metadata"]["annotations"][LAST_APPLIED].as_str().unwrap_or_default()
}

async fn apply_requests_migration_annotation_kept_current(fixture: ApplyFixture) -> Checked {
    let old = applied_by_a_client(&fixture).await?;

    let without = fixture.holding(&[("k", "w")]);
    let mut with = fixture.holding(&[("k", "x")]);
    with["metadata"]["annotations"][LAST_APPLIED] = json!(old);

    for (body, text) in [(without, "w"), (with, "x")] {
        let response = fixture.send(fixture.applying_body("kubectl", &body).query("force", true)).await?;
        expect_current(&fixture, &response, text)?;
        expect_current(&fixture, &*fixture.read().await?, text)?;
    }
    Ok(())
}

/// The annotation has the applied value.
fn expect_current(fixture: &ApplyFixture, response: &Exchange, text: &str) -> Checked {
    let object = response.object()?;
    let applied: Value = serde_json::from_str(annotation(&object)).unwrap_or_default();
    let texts = applied.pointer(string_map::place(&fixture.collection)).unwrap_or(&Value::Null);
    response.expect(texts["k"] == text, format!("an annotation with k: {text:?}"), annotation(&object))
}

async fn apply_requests_migration_annotation_untouched_by_others(fixture: ApplyFixture) -> Checked {
    let old = applied_by_a_client(&fixture).await?;

    let response = fixture.send(fixture.applying_texts(MANAGER, &[("l", "w")])).await?;

    for response in [response, fixture.read().await?] {
        let object = response.object()?;
        response.expect(annotation(&object) == old, format!("the annotation {old}"), annotation(&object))?;
    }
    Ok(())
}
