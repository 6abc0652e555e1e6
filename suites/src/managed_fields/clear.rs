//! Clearing of `managedFields` by a list with one empty entry.

use super::write_method::Way;
use crate::apply_fixture::owner::{applier, entries, expect_owns, owners_text, updater};
use crate::prelude::*;
use crate::unchanged_object::content;

pub(super) fn rows() -> Vec<Row> {
    [
        table(CLEARING, Kinds::All, one_empty_entry_clears),
        table(STRATEGICALLY, Kinds::Own, one_empty_entry_clears),
        vec![
            row!(managed_fields_clear_not_by_apply),
            row!(managed_fields_empty_list_does_not_clear),
            row!(managed_fields_absent_does_not_clear),
            row!(managed_fields_null_does_not_clear),
        ],
    ]
    .concat()
}

const CLEARING: &[(&str, Way)] = &[
    ("managed-fields-clear-merge-patch", Way::Merge),
    ("managed-fields-clear-json-patch", Way::Json),
    ("managed-fields-clear-put", Way::Put),
];

/// Custom resources have no strategic merge patches.
const STRATEGICALLY: &[(&str, Way)] = &[("managed-fields-clear-strategic-merge-patch", Way::Strategic)];

/// A write of `managedFields` and no other field.
fn writing(fixture: &ApplyFixture, now: &Object, way: Way, entries: &Value) -> Result<Request, Halt> {
    let patch = json!({ "metadata": { "managedFields": entries } });
    let replace = json!([{ "op": "replace", "path": "/metadata/managedFields", "value": entries }]);
    Ok(match way {
        Way::Json => fixture.editing("u", &replace),
        Way::Put => fixture.putting("u", &now.with(&patch)?),
        Way::Strategic => fixture.merging_strategically("u", &patch),
        _ => fixture.merging("u", &patch),
    })
}

/// The fixture of an object with an entry of `m1`.
async fn applied(cx: &Context) -> Result<(ApplyFixture, Object), Halt> {
    let fixture = ApplyFixture::of_a_tracked_thing(cx).await?;
    let object = fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    Ok((fixture, object))
}

fn expect_none(response: &Exchange) -> Checked {
    let object = response.object()?;
    response.expect(entries(&object).is_empty(), "no managedFields", owners_text(&object))
}

async fn one_empty_entry_clears(cx: Context, way: Way) -> Checked {
    let (fixture, before) = applied(&cx).await?;

    let cleared = fixture.send(writing(&fixture, &before, way, &json!([{}]))?).await?;

    cleared.expect_status(&[200])?;
    for response in [cleared, fixture.read().await?] {
        expect_none(&response)?;
        let now = content(&response.object()?);
        let expected = format!("all other fields as before: {}", content(&before));
        response.expect(now == content(&before), expected, now.to_string())?;
    }
    Ok(())
}

async fn managed_fields_clear_not_by_apply(cx: Context) -> Checked {
    let (fixture, before) = applied(&cx).await?;
    let clearing = json!({ "metadata": { "managedFields": [{}] } });

    let refused = fixture.send(fixture.applying("m1", &clearing)).await?;

    refused.expect_rejection(&[400, 422])?;
    fixture.expect_unchanged(&before).await
}

/// By the text, the entries stay; kube-apiserver handles an empty list like a list with an empty entry.
async fn managed_fields_empty_list_does_not_clear(cx: Context) -> Checked {
    let (fixture, _) = applied(&cx).await?;
    for way in [Way::Merge, Way::Put] {
        let before = fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

        let written = fixture.send(writing(&fixture, &before, way, &json!([]))?).await?;

        let object = written.object()?;
        if entries(&object).is_empty() {
            cx.note("an empty list clears managedFields, as a list with one empty entry does");
        } else {
            fixture.expect_owned_texts(&written, applier("m1"), &["a"])?;
        }
    }
    Ok(())
}

async fn managed_fields_absent_does_not_clear(cx: Context) -> Checked {
    let (fixture, _) = applied(&cx).await?;
    let mut whole = fixture.now_with("b", "1").await?;
    whole["metadata"].as_object_mut().and_then(|metadata| metadata.shift_remove("managedFields"));

    let put = fixture.send(fixture.putting("u", &whole)).await?;

    fixture.expect_owned_texts(&put, applier("m1"), &["a"])?;
    expect_owns(&put, updater("u"), &[&fixture.path_of_text("b")])
}

async fn managed_fields_null_does_not_clear(cx: Context) -> Checked {
    let (fixture, before) = applied(&cx).await?;
    let null = json!({ "metadata": { "managedFields": null } });
    let remove = json!([{ "op": "remove", "path": "/metadata/managedFields" }]);

    for request in [fixture.merging("u", &null), fixture.editing("u", &remove)] {
        let written = fixture.send(request).await?;

        let object = written.object()?;
        let same = entries(&object) == entries(&before);
        written.expect(same, format!("the same entries: {}", owners_text(&before)), owners_text(&object))?;
    }
    Ok(())
}
