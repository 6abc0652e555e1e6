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

/// A check of a list.
type Check = fn(&Collection, &Exchange, &Value) -> Checked;

/// Checks of lists of some objects, of no objects, and of all namespaces.
#[rustfmt::skip]
const SHAPES: &[(&str, Check)] = &[
    ("collections-list-is-collection",       is_a_collection),
    ("collections-api-version",              has_the_version_of_its_path),
    ("collections-homogeneous",              has_items_of_its_type),
    ("collections-items-may-lack-typemeta",  has_items_with_both_or_none),
    ("collections-metadata-rv",              has_a_version),
    ("collections-shard-info-absent",        names_no_shard),
];

async fn shape(cx: Context, check: Check) -> Checked {
    let collection = cx.collection_under_test().await?;
    let empty = collection.list().await?;
    collection.create_all(&["a", "b"]).await?;

    let everywhere = collection.everywhere().list().limit(5).await?;
    for listed in [empty, collection.list().await?, collection.list().limit(1).await?, everywhere] {
        check(&collection, &listed, as_json(&listed)?)?;
    }
    Ok(())
}

fn as_json(listed: &Arc<Exchange>) -> Result<&Value, Halt> {
    listed.expect_status(&[200])?;
    listed.json().ok_or_else(|| listed.fail("JSON", listed.brief()))
}

fn is_a_collection(_: &Collection, listed: &Exchange, _: &Value) -> Checked {
    listed.expect_passed(a_list_is_a_collection(listed), "a list")
}

fn has_the_version_of_its_path(collection: &Collection, listed: &Exchange, list: &Value) -> Checked {
    let expected = collection.resource().api_version();
    let version = &list["apiVersion"];
    listed.expect(version == expected.as_str(), format!("apiVersion {expected:?}"), version.to_string())
}

fn has_items_of_its_type(collection: &Collection, listed: &Exchange, _: &Value) -> Checked {
    let ty = collection.resource();
    let (kind, version) = (Value::from(ty.kind.as_str()), Value::from(ty.api_version()));
    for item in listed.page()?.own_items() {
        let (json, name) = (item.json(), format!("the item {}", item.name()));
        let typed = [&kind, &Value::Null].contains(&&json["kind"])
            && [&version, &Value::Null].contains(&&json["apiVersion"]);
        let actual = format!("{name} of kind {} in {}", json["kind"], json["apiVersion"]);
        listed.expect(typed, format!("{name} of kind {kind} in {version}, or without both"), actual)?;
        let whole = ["name", "uid", "resourceVersion"].iter().all(|field| !item.metadata(field).is_empty());
        listed.expect(whole, format!("{name} with name, uid and resourceVersion"), json.to_string())?;
    }
    Ok(())
}

fn has_items_with_both_or_none(_: &Collection, listed: &Exchange, _: &Value) -> Checked {
    for item in listed.page()?.items {
        let (kind, version) = (item.json().get("kind"), item.json().get("apiVersion"));
        let both_or_none = kind.is_some() == version.is_some();
        let actual = format!("the item {} with only one of them", item.name());
        listed.expect(both_or_none, "items with kind and apiVersion, or neither", actual)?;
    }
    Ok(())
}

fn has_a_version(_: &Collection, listed: &Exchange, list: &Value) -> Checked {
    let version = &list["metadata"]["resourceVersion"];
    let present = version.as_str().is_some_and(|version| !version.is_empty());
    listed.expect(present, "a resourceVersion in the list's metadata", version.to_string())
}

fn names_no_shard(_: &Collection, listed: &Exchange, _: &Value) -> Checked {
    listed.expect_passed(a_list_without_a_selector_names_no_shard(listed), "a list")
}

async fn collections_item_represents_one(collection: Collection) -> Checked {
    collection.create_labelled("a", "assay-item", "a").await?;
    collection.create("b").await?;
    collection.write("b", "changed").await?;

    let page = collection.now().await?;

    for name in ["a", "b"] {
        let read = collection.get(name).object().await?;
        let actual = page.item(name).map(Object::untyped).unwrap_or_default();
        page.expect(actual == read.untyped(), read.untyped().to_string(), actual.to_string())?;
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
