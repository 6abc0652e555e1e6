//! `metadata.name`: syntax, uniqueness and immutability.

use crate::deletion::expect_invalid;
use crate::fields::remove;
use crate::names;
use crate::prelude::*;

rows![
    metadata_name_used_in_path,
    metadata_name_immutable,
    metadata_name_required_on_create,
    metadata_name_path_safe,
    metadata_name_unique_per_namespace.namespaced().also("resource-uris-name-reuse-other-namespace"),
    metadata_name_scoped_to_resource.namespaced().also("resource-uris-name-per-kind"),
    metadata_name_format.namespaced(),
];

async fn metadata_name_used_in_path(cx: Context, collection: Collection) -> Checked {
    let created = collection.create("abc-def").await?;
    let uppercase = format!("{}/{}", collection.path(), created.name().to_uppercase());

    let got = collection.get("abc-def").await?;

    let object = got.object()?;
    got.expect(object.name() == created.name(), created.name(), object.name())?;
    collection.get("abc").await?.expect_status(&[404])?;
    cx.send(Request::get(uppercase)).await?.expect_status(&[404])
}

async fn metadata_name_immutable(cx: Context, stored: StoredObject) -> Checked {
    let other = stored.collection.name_of("b");
    let change = json!({ "metadata": { "name": other } });

    let put = cx.send(stored.put_with(|body| body["metadata"]["name"] = other.as_str().into())).await?;
    let patch = cx.send(stored.patch(MERGE, &change)).await?;

    put.expect_rejection(&[400])?;
    patch.expect_rejection(&[400, 422])?;
    expect_absent(&stored.collection, "b").await?;
    stored.expect_unchanged().await
}

/// The create of an object of exactly this name; not yet sent.
fn named(collection: &Collection, name: &str) -> Request {
    post_with(collection, "a", |body| body["metadata"]["name"] = name.into())
}

fn expect_invalid_name(collection: &Collection, response: &Exchange) -> Checked {
    // kube-apiserver allocates the addresses of a Service before it validates the name: the cause is another field.
    if collection.resource().plural == "services" {
        return response.expect_error(&[422], &["Invalid"]).map(drop);
    }
    expect_invalid(response, "metadata.name")
}

async fn expect_invalid_names<N: AsRef<str>>(cx: &Context, collection: &Collection, names: &[N]) -> Checked {
    for name in names {
        expect_invalid_name(collection, &*cx.send(named(collection, name.as_ref())).await?)?;
    }
    Ok(())
}

async fn metadata_name_required_on_create(cx: Context, collection: Collection) -> Checked {
    let nameless = post_with(&collection, "a", |body| remove(&mut body["metadata"], "name"));

    let response = cx.send(nameless).await?;

    if let Ok(created) = response.object() {
        cx.remove_in_the_end(&format!("{}/{}", collection.path(), created.name()));
    }
    expect_invalid_name(&collection, &response)
}

async fn metadata_name_path_safe(cx: Context, collection: Collection) -> Checked {
    let mut names = vec![collection.name_of("a/b"), collection.name_of("a%b")];
    if collection.is_namespaced() {
        // Objects of these names can only be removed with their namespace.
        names.extend([".", ".."].map(str::to_owned));
    }

    expect_invalid_names(&cx, &collection, &names).await
}

async fn metadata_name_unique_per_namespace(cx: Context, collection: Collection) -> Checked {
    let elsewhere = collection.within(&cx.another_namespace().await?);
    let first = collection.create("a").await?;

    let again = cx.send(Request::post(collection.path(), &collection.body("a", "second"))).await?;
    let other = cx.send(Request::post(elsewhere.path(), &elsewhere.body("a", "second"))).await?;

    again.expect_error(&[409], &["AlreadyExists"])?;
    other.expect_status(&[201])?;
    let uid = other.object()?.metadata("uid").to_owned();
    other.expect(uid != first.metadata("uid"), "an object of another uid", uid)
}

async fn metadata_name_scoped_to_resource(cx: Context, collection: Collection) -> Checked {
    let (secrets, maps) = (Resource::core("secrets", "Secret"), Resource::configmaps());
    let others = cx.collection(if *collection.resource() == maps { secrets } else { maps }).await?;
    collection.create("a").await?;
    let body = json!({ "apiVersion": "v1", "kind": others.resource().kind, "metadata": { "name": "a" } });

    cx.send(Request::post(others.path(), &body)).await?.expect_status(&[201])
}

async fn metadata_name_format(cx: Context, collection: Collection) -> Checked {
    names::require_subdomains(collection.resource())?;

    expect_invalid_names(&cx, &collection, &["Upper", "a_b", "-a", &"a".repeat(254)]).await?;
    let valid = cx.send(named(&collection, "a-b.c-1")).await?;
    // A type may require a label, which has no dots.
    let reason = valid.json().map_or(&Value::Null, |json| &json["reason"]);
    let legal = valid.status() == 201 || (valid.status() == 422 && reason == "Invalid");
    valid.expect(legal, "HTTP 201: a-b.c-1 is a subdomain", valid.brief())
}
