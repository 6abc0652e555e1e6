//! Clearing of `managedFields` by a list with one empty entry.

use super::write_method::Way;
use crate::apply_fixture::owner::{applier, entries, expect_owns, told, updater};
use crate::prelude::*;
use crate::unchanged_object::content;

pub(super) fn rows() -> Vec<Row> {
    [
        table(CLEARING, Kinds::All, one_empty_entry_takes_all_records_away),
        table(STRATEGICALLY, Kinds::Own, one_empty_entry_takes_all_records_away),
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

/// Not of every type.
const STRATEGICALLY: &[(&str, Way)] = &[("managed-fields-clear-strategic-merge-patch", Way::Strategic)];

/// A write, in one of these ways, of the records of an object and nothing else.
fn writing(fixture: &ApplyFixture, now: &Object, way: Way, records: &Value) -> Request {
    let patch = json!({ "metadata": { "managedFields": records } });
    let replace = json!([{ "op": "replace", "path": "/metadata/managedFields", "value": records }]);
    let mut whole = now.json().clone();
    whole["metadata"]["managedFields"] = records.clone();
    match way {
        Way::Json => fixture.editing("u", &replace),
        Way::Put => fixture.putting("u", &whole),
        Way::Strategic => fixture.merging_strategically("u", &patch),
        _ => fixture.merging("u", &patch),
    }
}

/// An object with records of `m1`.
async fn recorded(cx: &Context) -> Result<(ApplyFixture, Object), Halt> {
    let fixture = ApplyFixture::of_a_tracked_thing(cx).await?;
    let applied = fixture.applied("m1", &fixture.texts([("a", "1")])).await?;
    Ok((fixture, applied))
}

fn expect_none(answer: &Exchange) -> Checked {
    let object = answer.object()?;
    answer.expect(entries(&object).is_empty(), "no managedFields", told(&object))
}

async fn one_empty_entry_takes_all_records_away(cx: Context, way: Way) -> Checked {
    let (fixture, before) = recorded(&cx).await?;

    let cleared = fixture.ask(writing(&fixture, &before, way, &json!([{}]))).await?;

    cleared.expect_status(&[200])?;
    for answer in [cleared, fixture.read().await?] {
        expect_none(&answer)?;
        let now = content(&answer.object()?);
        let expected = format!("all else as it was: {}", content(&before));
        answer.expect(now == content(&before), expected, now.to_string())?;
    }
    Ok(())
}

async fn managed_fields_clear_not_by_apply(cx: Context) -> Checked {
    let (fixture, before) = recorded(&cx).await?;
    let clearing = json!({ "metadata": { "managedFields": [{}] } });

    let refused = fixture.ask(fixture.applying("m1", &clearing)).await?;

    refused.expect_refusal(&[400, 422])?;
    fixture.expect_unchanged(&before).await
}

/// By the text the records stay; kube-apiserver takes an empty list for one of an empty entry.
async fn managed_fields_empty_list_does_not_clear(cx: Context) -> Checked {
    let (fixture, _) = recorded(&cx).await?;
    for way in [Way::Merge, Way::Put] {
        let before = fixture.applied("m1", &fixture.texts([("a", "1")])).await?;

        let written = fixture.ask(writing(&fixture, &before, way, &json!([]))).await?;

        let object = written.object()?;
        if entries(&object).is_empty() {
            cx.note("an empty list takes all managedFields away, as a list of one empty entry does");
        } else {
            fixture.expect_owned_texts(&written, applier("m1"), &["a"])?;
        }
    }
    Ok(())
}

async fn managed_fields_absent_does_not_clear(cx: Context) -> Checked {
    let (fixture, _) = recorded(&cx).await?;
    let mut whole = fixture.now_with("b", "1").await?;
    whole["metadata"].as_object_mut().and_then(|metadata| metadata.shift_remove("managedFields"));

    let put = fixture.ask(fixture.putting("u", &whole)).await?;

    fixture.expect_owned_texts(&put, applier("m1"), &["a"])?;
    expect_owns(&put, updater("u"), &[&fixture.path_of_text("b")])
}

async fn managed_fields_null_does_not_clear(cx: Context) -> Checked {
    let (fixture, before) = recorded(&cx).await?;
    let null = json!({ "metadata": { "managedFields": null } });
    let remove = json!([{ "op": "remove", "path": "/metadata/managedFields" }]);

    for request in [fixture.merging("u", &null), fixture.editing("u", &remove)] {
        let written = fixture.ask(request).await?;

        let object = written.object()?;
        let same = entries(&object) == entries(&before);
        written.expect(same, format!("as before: {}", told(&before)), told(&object))?;
    }
    Ok(())
}
