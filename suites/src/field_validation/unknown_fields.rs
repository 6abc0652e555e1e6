//! Unknown and duplicate fields without `fieldValidation`.

use super::{TWICE, UNKNOWN, at, post, post_text, warning, with_duplicate, with_unknown};
use crate::closed_schema;
use crate::patch_types;
use crate::prelude::*;
use crate::string_map;

pub(super) fn rows() -> Vec<Row> {
    let own = vec![
        row!(fieldval_unknown_dropped_put),
        row!(fieldval_unknown_dropped_patch),
        row!(fieldval_unknown_means_not_in_schema),
        row!(fieldval_names_case_sensitive),
        row!(fieldval_duplicate_dropped),
        row!(fieldval_cr_pruned_by_schema).own_kinds(),
    ];
    [table(CREATES, Kinds::All, create_with_unknown), own].concat()
}

/// The handling of an unknown field in an accepted object.
#[derive(Debug, Clone, Copy)]
enum Expect {
    Dropped,
    Warning,
}

/// Creates with an unknown field, at a level or without one.
#[rustfmt::skip]
const CREATES: &[(&str, (Option<&str>, Expect))] = &[
    ("fieldval-unknown-dropped-post",    (None,           Expect::Dropped)),
    ("fieldval-ignore-succeeds-unknown", (Some("Ignore"), Expect::Dropped)),
    ("fieldval-warn-succeeds",           (Some("Warn"),   Expect::Dropped)),
    ("fieldval-default-is-warn",         (None,           Expect::Warning)),
];

async fn create_with_unknown(cx: Context, (level, expected): (Option<&str>, Expect)) -> Checked {
    let collection = closed_schema::collection(&cx).await?;
    let create = post(&collection, &with_unknown(&collection, "a"));

    let created = cx.send(level.map_or(create.clone(), |level| at(level, create))).await?;

    created.expect_status(&[201])?;
    match expected {
        Expect::Dropped => expect_dropped(&collection, &created, &[UNKNOWN]).await,
        Expect::Warning => warning::expect(&created, UNKNOWN),
    }
}

/// The response and the stored object lack these fields, each a path with slashes.
pub(super) async fn expect_dropped(collection: &Collection, response: &Exchange, fields: &[&str]) -> Checked {
    for response in [response, &*collection.get("a").await?] {
        let object = response.object()?;
        for field in fields {
            let value = object.json().pointer(&format!("/{field}"));
            let actual = value.map(|value| format!("{field}: {value}")).unwrap_or_default();
            response.expect(value.is_none(), format!("an object without {field}"), actual)?;
        }
    }
    Ok(())
}

async fn fieldval_unknown_dropped_put(cx: Context, collection: ClosedSchema) -> Checked {
    string_map::create(&collection, "a", &[("k", "v")]).await?;
    let mut body = collection.get("a").object().await?.json().clone();
    body[UNKNOWN] = json!(1);

    let updated = cx.send(Request::put(collection.path_of("a"), &body)).await?;

    updated.expect_status(&[200])?;
    expect_dropped(&collection, &updated, &[UNKNOWN]).await
}

async fn fieldval_unknown_dropped_patch(cx: Context, collection: ClosedSchema) -> Checked {
    string_map::create(&collection, "a", &[("k", "v")]).await?;
    let list = json!([{ "op": "add", "path": format!("/{UNKNOWN}"), "value": 1 }]);

    for (form, body, text) in [
        (MERGE, unknown_beside(&collection, "merged"), "merged"),
        (STRATEGIC, unknown_beside(&collection, "strategic"), "strategic"),
        (JSON, list, ""),
    ] {
        let patched = patch_types::patched(&cx, &collection, form, &body).await?;
        // Custom resources have no strategic merge patches.
        if patched.status() == 415 && form == STRATEGIC {
            continue;
        }
        patched.expect_status(&[200])?;
        expect_dropped(&collection, &patched, &[UNKNOWN]).await?;
        let object = patched.object()?;
        let applied = text.is_empty() || string_map::held(&collection, &object, "k") == Some(&json!(text));
        patched.expect(applied, format!("k: {text} as in the patch"), patched.text())?;
    }
    Ok(())
}

/// A merge patch of a string field and an unknown field.
fn unknown_beside(collection: &Collection, text: &str) -> Value {
    let mut patch = string_map::set(collection, "k", text);
    patch[UNKNOWN] = json!(1);
    patch
}

async fn fieldval_unknown_means_not_in_schema(cx: Context, collection: ClosedSchema) -> Checked {
    let mut body = with_unknown(&collection, "a");
    body["metadata"][UNKNOWN] = json!(1);
    if body["spec"].is_object() && closed_schema::is_known(&collection) {
        body["spec"][UNKNOWN] = json!(1);
    }

    let created = cx.send(post(&collection, &body)).await?;

    created.expect_status(&[201])?;
    let fields = [UNKNOWN, "metadata/assayUnknown", "spec/assayUnknown"];
    expect_dropped(&collection, &created, &fields).await
}

async fn fieldval_names_case_sensitive(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body("a", "first");
    body["metadata"]["Labels"] = json!({ "assay-case": "upper" });

    let refused = cx.send(at("Strict", post(&collection, &body))).await?;
    let status = refused.expect_error(&[400], &["BadRequest"])?;
    let named = status["message"].as_str().is_some_and(|message| message.contains("Labels"));
    refused.expect(named, "a message with metadata.Labels", refused.brief())?;
    expect_absent(&collection, "a").await?;

    let created = cx.send(post(&collection, &body)).await?;
    created.expect_status(&[201])?;
    expect_dropped(&collection, &created, &["metadata/Labels", "metadata/labels/assay-case"]).await
}

async fn fieldval_duplicate_dropped(cx: Context, collection: Collection) -> Checked {
    let created = cx.send(post_text(&collection, &with_duplicate(&collection, "a"))).await?;

    created.expect_status(&[201])?;
    let got = collection.get("a").await?;
    for response in [&*created, &*got] {
        let object = response.object()?;
        let label = &object.json()["metadata"]["labels"][TWICE];
        let one = ["1", "2"].iter().any(|value| label == value);
        response.expect(one, format!("the label {TWICE} with one of its two values"), label.to_string())?;
    }
    Ok(())
}

async fn fieldval_cr_pruned_by_schema(cx: Context, collection: CustomResources) -> Checked {
    let mut body = collection.body("a", "first");
    body["spec"][UNKNOWN] = json!(1);

    let refused = cx.send(at("Strict", post(&collection, &body))).await?;
    refused.expect_error(&[400], &["BadRequest"])?;
    expect_absent(&collection, "a").await?;

    let created = cx.send(post(&collection, &body)).await?;
    created.expect_status(&[201])?;
    warning::expect(&created, "spec.assayUnknown")?;
    expect_dropped(&collection, &created, &["spec/assayUnknown"]).await
}
