//! `metadata.uid`.

use std::collections::BTreeMap;

use crate::api_resources;
use crate::prelude::*;
use crate::single_resource::delete_collection::{LABEL, delete_doomed};

/// A uid that a client chooses.
const CHOSEN: &str = "00000000-0000-4000-8000-00000000000a";

/// The limit of each list.
const LIMIT: usize = 100;

rows![metadata_uid_client_value_ignored_on_create, metadata_uid_unique, metadata_uid_stable];

async fn metadata_uid_client_value_ignored_on_create(cx: Context, collection: Collection) -> Checked {
    let post = post_with(&collection, "a", |body| body["metadata"]["uid"] = CHOSEN.into());

    let created = cx.send(post).await?;

    created.expect_status(&[201])?;
    for response in [created, collection.get("a").await?] {
        let uid = response.object()?.metadata("uid").to_owned();
        response.expect(uid != CHOSEN, "a uid that the server chooses", uid)?;
    }
    Ok(())
}

async fn metadata_uid_unique(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b", "c"]).await?;
    let mut known = BTreeMap::new();

    let own = collection.list().limit(LIMIT).await?;
    expect_new_uids(&own, &mut known)?;
    if !api_resources::once(&collection) {
        return Ok(());
    }
    for (ty, listed) in api_resources::lists_of_up_to(&cx, api_resources::all(&cx).await?, LIMIT).await? {
        if ty.is_stored() {
            expect_new_uids(&listed, &mut known)?;
        }
    }
    Ok(())
}

/// No two objects have one uid. Several groups and versions may serve the same object.
fn expect_new_uids(listed: &Exchange, known: &mut BTreeMap<String, String>) -> Checked {
    for item in listed.page()?.items {
        let (uid, name) = (item.metadata("uid").to_owned(), format!("{}/{}", item.namespace(), item.name()));
        if uid.is_empty() {
            continue;
        }
        let other = known.entry(uid.clone()).or_insert_with(|| name.clone());
        let expected = format!("a uid of {name} other than {uid}, that of {other}");
        listed.expect(*other == name, expected, uid)?;
    }
    Ok(())
}

fn expect_same(response: &Exchange, before: &Object) -> Checked {
    let (uid, actual) = (before.metadata("uid"), response.object()?.metadata("uid").to_owned());
    response.expect(actual == uid, format!("uid {uid} as before"), actual)
}

async fn metadata_uid_stable(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;
    let label = json!({ "metadata": { "labels": { "assay": "changed" } } });
    let list = json!([{ "op": "add", "path": "/metadata/annotations", "value": { "assay": "changed" } }]);
    let again = json!({ "metadata": { "labels": { "assay": "again" } } });
    let mut writes = vec![stored.put_with(|_| ()), stored.patch(MERGE, &label), stored.patch(JSON, &list)];
    if stored.is_built_in() {
        writes.push(stored.patch(STRATEGIC, &again));
    }
    let apply = stored.patch(APPLY, &collection.body(NAME, "applied"));
    writes.push(apply.query("fieldManager", "kube-assay").query("force", true));
    if let (true, Ok(status)) = (collection.has_status(), collection.status_change("changed")) {
        writes.push(Request::merge_patch(collection.status_path_of(NAME), &status));
    }

    for write in writes {
        // Not every server offers every write.
        if let Some(written) = cx.send_if_offered(write).await? {
            expect_same(&written, &stored.read)?;
        }
    }
    expect_same(&*stored.get().await?, &stored.read)?;
    if collection.is_namespaced() { stable_in_lists(&cx, collection).await } else { Ok(()) }
}

/// The items of a list, and those that a deletion of the collection returns, have the uids of their objects.
async fn stable_in_lists(cx: &Context, collection: &Collection) -> Checked {
    let doomed = collection.create_labelled("b", LABEL, "yes").await?;
    let listed = collection.list().await?;
    let deleted = cx.send_if_offered(delete_doomed(collection)).await?;

    for list in [Some(listed), deleted].into_iter().flatten() {
        // A Status is a legal response to the deletion.
        let items = list.json().and_then(|list| list["items"].as_array()).into_iter().flatten();
        for item in items.filter(|item| item["metadata"]["name"] == doomed.name()) {
            let (expected, actual) = (doomed.metadata("uid"), &item["metadata"]["uid"]);
            list.expect(
                actual == expected,
                format!("{} of uid {expected}", doomed.name()),
                actual.to_string(),
            )?;
        }
    }
    Ok(())
}
