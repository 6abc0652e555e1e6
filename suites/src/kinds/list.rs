//! The kinds of lists and of their items.

use crate::api_resources;
use crate::prelude::*;
use crate::verbs::or_note;

/// The maximum number of items of a list.
const MANY: usize = 100;

rows![
    kinds_collection_url_lists,
    kinds_element_url_addresses_one.also("resource-uris-name-retrieval"),
    kinds_resource_serves_one_kind,
    kinds_namespaced_list_is_subset
        .namespaced()
        .also("resource-uris-all-namespaces-collection")
        .also("resource-uris-namespace-collection"),
    kinds_list_resourceversion_covers_items.namespaced(),
    kinds_singletons_may_lack_list.own_kinds().read_only(),
];

pub(crate) async fn kinds_collection_url_lists(collection: Collection) -> Checked {
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

    for name in created.iter().map(Object::name) {
        let listed =
            page.item(name).ok_or_else(|| page.fail(format!("{name} among the items"), "no such item"))?;
        let got = cx.send(Request::get(format!("{}/{name}", collection.path()))).await?;

        let (uid, actual) = (listed.metadata("uid"), got.object()?);
        got.expect(actual.metadata("uid") == uid, format!("{name} of uid {uid}"), actual.metadata("uid"))?;
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

/// All items have this kind, or no kind.
fn expect_kind(listed: &Exchange, kind: &str) -> Checked {
    for item in listed.page()?.items {
        let actual = item.json().get("kind").unwrap_or(&Value::Null);
        let right = actual.is_null() || actual == kind;
        let expected = format!("items of kind {kind}, or without kind");
        listed.expect(right, expected, format!("{} of kind {actual}", item.name()))?;
    }
    Ok(())
}

const LABEL: &str = "assay-subset";

async fn kinds_namespaced_list_is_subset(cx: Context) -> Checked {
    let here = cx.collection_under_test().await?;
    // The name of one namespace is a prefix of the other.
    let longer = cx.namespace_beginning_with(cx.namespace().await?).await?;
    let there = here.within(&longer);
    let own = cx.own_name("x");
    here.create_labelled("a", LABEL, &own).await?;
    there.create_labelled("b", LABEL, &own).await?;

    expect_subsets(&here, &there, &own).await?;
    if !api_resources::once(&here) {
        return Ok(());
    }
    // Another type, whose handlers a server may have written separately. The user may lack the permission for it.
    let Some(here) = or_note(&cx, cx.deployments().await)? else { return Ok(()) };
    let there = here.within(&longer);
    for (collection, name) in [(&here, "a"), (&there, "b")] {
        let labelled =
            post_with(collection, name, |body| body["metadata"]["labels"][LABEL] = own.clone().into());
        if cx.send_if_offered(labelled).await?.is_none() {
            return Ok(());
        }
    }
    expect_subsets(&here, &there, &own).await
}

/// The lists of two namespaces have the labelled objects `a` and `b`, and the list of all namespaces has both.
async fn expect_subsets(here: &Collection, there: &Collection, own: &str) -> Checked {
    let selector = format!("{LABEL}={own}");

    let all = here.everywhere().list().labels(&selector).page().await?;

    for (collection, name) in [(here, "a"), (there, "b")] {
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

    for (kind, name) in [("ADDED", "new"), ("MODIFIED", "changed"), ("DELETED", "deleted"), ("ADDED", "last")]
    {
        watch.expect(kind, name).await?;
    }
    Ok(())
}

async fn kinds_singletons_may_lack_list(cx: Context) -> Checked {
    let mut tested = 0;
    for (root, found) in api_resources::discovered(&cx).await? {
        let create_only = |found: &&Value| {
            let plural = found["name"].as_str().is_some_and(|name| !name.contains('/'));
            plural && found["verbs"] == json!(["create"])
        };
        for only in api_resources::resources(&found).filter(create_only) {
            let scope = if only["namespaced"] == true { "/namespaces/default" } else { "" };
            let plural = only["name"].as_str().unwrap_or_default();
            let listed = cx.send(Request::get(format!("{root}{scope}/{plural}"))).await?;

            listed.expect_status(&[405])?;
            tested += 1;
        }
    }
    if tested == 0 {
        Err(cx.lacks("AuthorizationAPI", "no resource has create as its only verb"))
    } else {
        Ok(())
    }
}
