//! `metadata.uid`.

use std::collections::BTreeMap;

use crate::api_resources;
use crate::patch_types::patch;
use crate::prelude::*;

/// A uid that no object has.
const NOBODY: &str = "00000000-0000-4000-8000-00000000000a";

/// As much as one answer may show of a type.
const MANY: usize = 100;

rows![
    metadata_uid_client_value_ignored_on_create,
    metadata_uid_unique,
    metadata_uid_stable,
    metadata_uid_change_refused,
];

async fn metadata_uid_client_value_ignored_on_create(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body("a", "first");
    body["metadata"]["uid"] = NOBODY.into();

    let created = cx.send(Request::post(collection.path(), &body)).await?;

    created.expect_status(&[201])?;
    for shown in [created, collection.get("a").await?] {
        let uid = shown.object()?.metadata("uid").to_owned();
        shown.expect(uid != NOBODY, "a uid of the server's own", uid)?;
    }
    Ok(())
}

async fn metadata_uid_unique(cx: Context, collection: Collection) -> Checked {
    collection.create_all(&["a", "b", "c"]).await?;
    let mut known = BTreeMap::new();

    let own = collection.list().limit(MANY).await?;
    expect_new_uids(&own, &mut known)?;
    if !api_resources::once(&collection) {
        return Ok(());
    }
    for (ty, listed) in api_resources::lists_of_up_to(&cx, api_resources::all(&cx).await?, MANY).await? {
        if ty.is_stored() {
            expect_new_uids(&listed, &mut known)?;
        }
    }
    Ok(())
}

/// Each item has a uid that only the object of its name has. Several groups and versions may show the same object.
fn expect_new_uids(listed: &Exchange, known: &mut BTreeMap<String, String>) -> Checked {
    for item in listed.page()?.items {
        let (uid, name) = (item.metadata("uid").to_owned(), format!("{}/{}", item.namespace(), item.name()));
        if uid.is_empty() {
            continue;
        }
        let other = known.entry(uid.clone()).or_insert_with(|| name.clone());
        let expected = format!("another uid for {name} than {uid}, that of {other}");
        listed.expect(*other == name, expected, uid)?;
    }
    Ok(())
}

/// The same object, as an answer shows it.
fn expect_same(answer: &Exchange, before: &Object) -> Checked {
    let (uid, shown) = (before.metadata("uid"), answer.object()?);
    answer.expect(shown.metadata("uid") == uid, format!("uid {uid}, as before"), shown.metadata("uid"))
}

async fn metadata_uid_stable(cx: Context, stored: StoredObject) -> Checked {
    let collection = &stored.collection;
    let label = json!({ "metadata": { "labels": { "assay": "changed" } } });
    let list = json!([{ "op": "add", "path": "/metadata/annotations", "value": { "assay": "changed" } }]);
    let mut patches = vec![patch(collection, NAME, MERGE, &label), patch(collection, NAME, JSON, &list)];
    if stored.is_built_in() {
        patches.push(patch(
            collection,
            NAME,
            STRATEGIC,
            &json!({ "metadata": { "labels": { "assay": "again" } } }),
        ));
    }
    let applied = collection.body(NAME, "applied");
    let apply =
        patch(collection, NAME, APPLY, &applied).query("fieldManager", "kube-assay").query("force", true);
    patches.push(apply);
    if let (true, Ok(status)) = (collection.has_status(), collection.status_change("changed")) {
        patches.push(Request::new(Method::PATCH, collection.status_path_of(NAME)).json(MERGE, &status));
    }

    let put = Request::put(stored.path(), &stored.body("second"));
    for write in [vec![put], patches].concat() {
        // Not every server writes in every way.
        if let Some(written) = cx.send_if_offered(write).await? {
            expect_same(&written, &stored.read)?;
        }
    }
    expect_same(&*stored.get().await?, &stored.read)
}

async fn metadata_uid_change_refused(cx: Context, stored: StoredObject) -> Checked {
    let mut body = stored.body("second");
    body["metadata"]["uid"] = Value::from(NOBODY);
    let another = json!({ "metadata": { "uid": NOBODY } });

    let put = stored.put(&body).await?;
    let patched = cx.send(stored.patch(MERGE, &another)).await?;

    put.expect_refusal(&[409, 422])?;
    patched.expect_refusal(&[409, 422])?;
    stored.expect_unchanged().await
}
