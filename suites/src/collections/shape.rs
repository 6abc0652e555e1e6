//! The shape of lists: kind, metadata and items.

use super::invariants::{a_list_is_a_collection, a_list_without_a_selector_names_no_shard};
use crate::prelude::*;

pub(super) fn rows() -> Vec<Row> {
    [
        table(SHAPES, Kinds::Namespaced, shape),
        vec![
            row!(collections_item_represents_one).namespaced(),
            row!(collections_empty_items_array).namespaced().also("kinds-list-items-always-array"),
        ],
    ]
    .concat()
}

/// What is expected of a list of a collection.
type Check = fn(&Collection, &Exchange, &Value) -> Checked;

/// Lists of a few objects, of none, and of all namespaces, a row per clause.
#[rustfmt::skip]
const SHAPES: &[(&str, Check)] = &[
    ("collections-list-is-collection",       is_a_collection),
    ("collections-api-version",              has_the_version_of_its_path),
    ("collections-homogeneous",              has_items_of_its_type),
    ("collections-items-may-lack-typemeta",  has_items_with_both_or_none),
    ("collections-metadata-rv",              has_a_version),
    ("collections-shard-info-absent",        names_no_shard),
];

async fn shape(cx: Context, judge: Check) -> Checked {
    let collection = cx.collection_under_test().await?;
    let empty = collection.list().await?;
    collection.create_all(&["a", "b"]).await?;

    let everywhere = collection.everywhere().list().limit(5).await?;
    for listed in [empty, collection.list().await?, collection.list().limit(1).await?, everywhere] {
        judge(&collection, &listed, as_json(&listed)?)?;
    }
    Ok(())
}

fn as_json(listed: &Arc<Exchange>) -> Result<&Value, Halt> {
    listed.expect_status(&[200])?;
    listed.json().ok_or_else(|| listed.fail("JSON", listed.brief()))
}

fn is_a_collection(_: &Collection, listed: &Exchange, _: &Value) -> Checked {
    listed.expect_kept(a_list_is_a_collection(listed), "a list")
}

fn has_the_version_of_its_path(collection: &Collection, listed: &Exchange, list: &Value) -> Checked {
    let expected = collection.resource().api_version();
    listed.expect(
        list["apiVersion"] == expected.as_str(),
        format!("apiVersion {expected:?}"),
        list["apiVersion"].to_string(),
    )
}

fn has_items_of_its_type(collection: &Collection, listed: &Exchange, _: &Value) -> Checked {
    let ty = collection.resource();
    let (kind, version) = (Value::from(ty.kind.as_str()), Value::from(ty.api_version()));
    for item in listed.page()?.own_items() {
        let (said, named) = (item.json(), format!("the item {}", item.name()));
        let typed = [&kind, &Value::Null].contains(&&said["kind"])
            && [&version, &Value::Null].contains(&&said["apiVersion"]);
        let shown = format!("{named} of kind {} in {}", said["kind"], said["apiVersion"]);
        listed.expect(typed, format!("{named} of kind {kind} in {version}, if it says"), shown)?;
        let whole = ["name", "uid", "resourceVersion"].iter().all(|field| !item.metadata(field).is_empty());
        listed.expect(whole, format!("{named} with name, uid and resourceVersion"), said.to_string())?;
    }
    Ok(())
}

fn has_items_with_both_or_none(_: &Collection, listed: &Exchange, _: &Value) -> Checked {
    for item in listed.page()?.items {
        let (kind, version) = (item.json().get("kind"), item.json().get("apiVersion"));
        let shown = format!("the item {} with only one of them", item.name());
        listed.expect(
            kind.is_some() == version.is_some(),
            "items with kind and apiVersion, or neither",
            shown,
        )?;
    }
    Ok(())
}

fn has_a_version(_: &Collection, listed: &Exchange, list: &Value) -> Checked {
    let version = &list["metadata"]["resourceVersion"];
    let there = version.as_str().is_some_and(|version| !version.is_empty());
    listed.expect(there, "a resourceVersion in the list's metadata", version.to_string())
}

fn names_no_shard(_: &Collection, listed: &Exchange, _: &Value) -> Checked {
    listed.expect_kept(a_list_without_a_selector_names_no_shard(listed), "a list")
}

async fn collections_item_represents_one(collection: Collection) -> Checked {
    collection.create_labelled("a", "assay-item", "a").await?;
    collection.create("b").await?;
    collection.write("b", "changed").await?;

    let page = collection.now().await?;

    for name in ["a", "b"] {
        let read = collection.get(name).object().await?;
        let shown = page.item(name).map(Object::untyped).unwrap_or_default();
        page.expect(shown == read.untyped(), read.untyped().to_string(), shown.to_string())?;
    }
    Ok(())
}

async fn collections_empty_items_array(collection: Collection) -> Checked {
    let no_such_label = collection.list().labels("assay-nobody=has");

    for list in [collection.list(), no_such_label.clone(), no_such_label.limit(5)] {
        let listed = list.await?;
        let items = &as_json(&listed)?["items"];
        let empty = items.is_array() && listed.page()?.own_items().is_empty();
        listed.expect(empty, "items: []", format!("items: {items}"))?;
    }
    Ok(())
}
