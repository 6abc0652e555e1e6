//! The kinds of lists and of their items.

use crate::api_resources;
use crate::prelude::*;

/// As much as one answer may show of a type.
const MANY: usize = 100;

rows![
    kinds_collection_url_lists,
    kinds_element_url_addresses_one,
    kinds_resource_serves_one_kind,
    kinds_namespaced_list_is_subset.namespaced(),
    kinds_list_resourceversion_covers_items.namespaced(),
    kinds_singletons_may_lack_list.own_kinds().read_only(),
];

async fn kinds_collection_url_lists(collection: Collection) -> Checked {
    let created = collection.create_all(&["a", "b"]).await?;

    let page = collection.now().await?;

    for object in created {
        let listed = page.item(object.name()).is_some();
        page.expect(listed, format!("{} among the items", object.name()), format!("{:?}", page.own_names()))?;
    }
    Ok(())
}

async fn kinds_element_url_addresses_one(cx: Context, collection: Collection) -> Checked {
    let created = collection.create_all(&["a", "b"]).await?;
    let page = collection.now().await?;

    for name in created.iter().map(harness::Object::name) {
        let listed =
            page.item(name).ok_or_else(|| page.fail(format!("{name} among the items"), "no such item"))?;
        let got = cx.send(Request::get(format!("{}/{name}", collection.path()))).await?;

        let (uid, shown) = (listed.metadata("uid"), got.object()?);
        got.expect(shown.metadata("uid") == uid, format!("{name} of uid {uid}"), shown.metadata("uid"))?;
    }
    Ok(())
}

async fn kinds_resource_serves_one_kind(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;

    let own = collection.list().limit(MANY).await?;
    expect_kind(&own, &collection.resource().kind)?;
    if !api_resources::once(&collection) {
        return Ok(());
    }
    for (ty, listed) in api_resources::lists(&cx).await? {
        expect_kind(&listed, &ty.kind)?;
    }
    Ok(())
}

/// All items are of this kind, if they say.
fn expect_kind(listed: &Exchange, kind: &str) -> Checked {
    for item in listed.page()?.items {
        let said = item.json().get("kind").unwrap_or(&Value::Null);
        let right = said.is_null() || said == kind;
        listed.expect(
            right,
            format!("items of kind {kind}, if they say"),
            format!("{} of kind {said}", item.name()),
        )?;
    }
    Ok(())
}

async fn kinds_namespaced_list_is_subset(cx: Context) -> Checked {
    const LABEL: &str = "assay-subset";
    let here = cx.collection_under_test().await?;
    // A name that begins with that of another namespace is not that of another namespace.
    let longer = cx.namespace_beginning_with(cx.namespace().await?).await?;
    let there = here.within(&longer);
    let own = cx.own_name("x");
    here.create_labelled("a", LABEL, &own).await?;
    there.create_labelled("b", LABEL, &own).await?;
    let selector = format!("{LABEL}={own}");

    let all = here.everywhere().list().labels(&selector).page().await?;

    for (collection, name) in [(&here, "a"), (&there, "b")] {
        let listed = collection.list().labels(&selector).page().await?;
        listed.expect_names(&[name])?;
        let elsewhere =
            listed.items.iter().find(|item| !collection.path().contains(&format!("/{}/", item.namespace())));
        let actual = elsewhere.map(|item| item.namespace().to_owned()).unwrap_or_default();
        listed.expect(elsewhere.is_none(), "items of this namespace", actual)?;
    }
    all.expect_names(&["a", "b"])
}

async fn kinds_list_resourceversion_covers_items(collection: Collection) -> Checked {
    collection.create_all(&["changed", "deleted", "kept"]).await?;
    let listed = collection.now().await?;
    collection.create("new").await?;
    collection.write("changed", "second").await?;
    collection.delete("deleted").await?;
    collection.create("last").await?;

    let mut watch = collection.watch().at(&listed.version).open().await?;

    expect_in_order(
        &mut watch,
        &[("ADDED", "new"), ("MODIFIED", "changed"), ("DELETED", "deleted"), ("ADDED", "last")],
    )
    .await
}

async fn expect_in_order(watch: &mut Watch, events: &[(&str, &str)]) -> Checked {
    for (kind, name) in events {
        watch.expect(kind, name).await?;
    }
    Ok(())
}

async fn kinds_singletons_may_lack_list(cx: Context) -> Checked {
    let mut asked = 0;
    for (root, found) in api_resources::discovered(&cx).await? {
        let posted = |found: &&Value| {
            let plural = found["name"].as_str().is_some_and(|name| !name.contains('/'));
            plural && found["verbs"] == serde_json::json!(["create"])
        };
        for only in api_resources::resources(&found).filter(posted) {
            let scope = if only["namespaced"] == true { "/namespaces/default" } else { "" };
            let plural = only["name"].as_str().unwrap_or_default();
            let listed = cx.send(Request::get(format!("{root}{scope}/{plural}"))).await?;

            listed.expect_status(&[405])?;
            asked += 1;
        }
    }
    if asked == 0 { Err(cx.lacks("AuthorizationAPI", "nothing is only posted")) } else { Ok(()) }
}
