//! `metadata.name`: syntax, uniqueness and immutability.

use crate::deletion::expect_invalid;
use crate::fields::remove;
use crate::names;
use crate::patch_types::patched;
use crate::prelude::*;

rows![
    metadata_name_used_in_path,
    metadata_name_immutable,
    metadata_name_required_on_create,
    metadata_name_path_safe,
    metadata_name_unique_per_namespace.namespaced(),
    metadata_name_scoped_to_resource.namespaced(),
    metadata_name_format.namespaced(),
];

async fn metadata_name_used_in_path(cx: Context, collection: Collection) -> Checked {
    let created = collection.create("abc-def").await?;

    let got = collection.get("abc-def").await?;
    let beginning = collection.get("abc").await?;
    let capitals = format!("{}/{}", collection.path(), created.name().to_uppercase());
    let capitals = cx.send(Request::get(capitals)).await?;

    let shown = got.object()?;
    got.expect(shown.name() == created.name(), created.name(), shown.name())?;
    beginning.expect_status(&[404])?;
    capitals.expect_status(&[404])
}

async fn metadata_name_immutable(cx: Context, stored: StoredObject) -> Checked {
    let other = stored.collection.name_of("b");
    let mut body = stored.body("second");
    body["metadata"]["name"] = other.as_str().into();

    let put = stored.put(&body).await?;
    let patch = patched(&cx, &stored.collection, MERGE, &json!({ "metadata": { "name": other } })).await?;

    put.expect_refusal(&[400])?;
    patch.expect_refusal(&[400, 422])?;
    stored.collection.get("b").await?.expect_status(&[404])?;
    stored.expect_unchanged().await
}

/// An object that is created under exactly this name.
fn named(collection: &Collection, name: &str) -> Request {
    let mut body = collection.body("a", "first");
    body["metadata"]["name"] = name.into();
    Request::post(collection.path(), &body)
}

/// The object was refused for its name.
fn expect_bad_name(collection: &Collection, refused: &Exchange) -> Checked {
    // Services are given addresses before their names are looked at, and addresses want to know whose they are.
    if collection.resource().plural == "services" {
        return refused.expect_error(&[422], &["Invalid"]).map(drop);
    }
    expect_invalid(refused, "metadata.name")
}

async fn metadata_name_required_on_create(cx: Context, collection: Collection) -> Checked {
    let mut body = collection.body("a", "first");
    remove(&mut body["metadata"], "name");

    let refused = cx.send(Request::post(collection.path(), &body)).await?;

    if let Ok(created) = refused.object() {
        cx.remove_in_the_end(&format!("{}/{}", collection.path(), created.name()));
    }
    expect_bad_name(&collection, &refused)
}

async fn metadata_name_path_safe(cx: Context, collection: Collection) -> Checked {
    let mut names = vec![collection.name_of("a/b"), collection.name_of("a%b")];
    if collection.is_namespaced() {
        // Elsewhere nobody could remove them if they were taken.
        names.extend([".", ".."].map(str::to_owned));
    }

    for name in names {
        let refused = cx.send(named(&collection, &name)).await?;

        expect_bad_name(&collection, &refused)?;
    }
    Ok(())
}

async fn metadata_name_unique_per_namespace(cx: Context, collection: Collection) -> Checked {
    let elsewhere = collection.within(&cx.another_namespace().await?);
    let first = collection.create("a").await?;

    let again = cx.send(Request::post(collection.path(), &collection.body("a", "second"))).await?;
    let namesake = cx.send(Request::post(elsewhere.path(), &elsewhere.body("a", "second"))).await?;

    again.expect_error(&[409], &["AlreadyExists"])?;
    namesake.expect_status(&[201])?;
    let other = namesake.object()?.metadata("uid").to_owned();
    namesake.expect(other != first.metadata("uid"), "another object, of another uid", other)
}

async fn metadata_name_scoped_to_resource(cx: Context, collection: Collection) -> Checked {
    let (secrets, maps) = (Resource::core("secrets", "Secret"), Resource::configmaps());
    let others = cx.collection(if *collection.resource() == maps { secrets } else { maps }).await?;
    collection.create("a").await?;
    let body = json!({
        "apiVersion": "v1", "kind": others.resource().kind, "metadata": { "name": "a" },
    });

    cx.send(Request::post(others.path(), &body)).await?.expect_status(&[201])
}

async fn metadata_name_format(cx: Context, collection: Collection) -> Checked {
    names::require_subdomains(collection.resource())?;

    for name in ["Upper", "a_b", "-a", &"a".repeat(254)] {
        let refused = cx.send(named(&collection, name)).await?;

        expect_bad_name(&collection, &refused)?;
    }
    let accepted = cx.send(named(&collection, "a-b.c-1")).await?;
    let taken = accepted.status() == 201 || dotless(&accepted);
    accepted.expect(taken, "HTTP 201: a-b.c-1 is a subdomain", accepted.brief())
}

/// A type may want less of its names than a subdomain: a label, without dots.
fn dotless(answer: &Exchange) -> bool {
    let said = answer.json().map(|json| &json["reason"]);
    answer.status() == 422 && said.and_then(Value::as_str) == Some("Invalid")
}
