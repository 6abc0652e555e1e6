//! Names: which there may be, what they tell apart, and that they stay.

use harness::{Collection, Context, Exchange, Halt, Request, Resource, Suite};
use serde_json::{Value, json};

use crate::deletion::expect_invalid;
use crate::forms::{MERGE, patched};
use crate::names;
use crate::stored::Stored;

/// Adds the scenarios that are asked of every type.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("metadata-name-used-in-path", an_object_is_found_under_its_name_alone)
        .on_every_shape()
        .scenario("metadata-name-immutable", an_object_keeps_its_name)
        .on_every_shape()
        .scenario("metadata-name-required-on-create", a_new_object_has_a_name)
        .on_every_shape()
        .scenario("metadata-name-path-safe", a_name_is_one_step_of_a_path)
        .on_every_shape()
}

/// Adds those that are asked of types with namespaces.
pub(super) fn add_namespaced(suite: Suite) -> Suite {
    suite
        .scenario("metadata-name-unique-per-namespace", a_name_is_one_object_in_each_namespace)
        .scenario("metadata-name-scoped-to-resource", objects_of_two_types_may_have_one_name)
        .scenario("metadata-name-format", a_name_is_a_subdomain)
}

async fn an_object_is_found_under_its_name_alone(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let created = things.create("abc-def").await?;

    let got = things.get("abc-def").await?;
    let beginning = things.get("abc").await?;
    let capitals = format!("{}/{}", things.path(), created.name().to_uppercase());
    let capitals = cx.send(Request::get(capitals)).await?;

    let shown = got.object()?;
    got.expect(shown.name() == created.name(), created.name(), shown.name())?;
    beginning.expect_status(&[404])?;
    capitals.expect_status(&[404])
}

async fn an_object_keeps_its_name(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let other = stored.things.name_of("b");
    let mut body = stored.body("second");
    body["metadata"]["name"] = other.as_str().into();

    let put = stored.put(&body).await?;
    let patch = patched(&cx, &stored.things, MERGE, &json!({ "metadata": { "name": other } })).await?;

    put.expect_refusal(&[400])?;
    patch.expect_refusal(&[400, 422])?;
    stored.things.get("b").await?.expect_status(&[404])?;
    stored.expect_unchanged().await
}

/// An object that is created under exactly this name.
fn named(things: &Collection, name: &str) -> Request {
    let mut body = things.body("a", "first");
    body["metadata"]["name"] = name.into();
    Request::post(things.path(), &body)
}

/// The object was refused for its name.
fn expect_bad_name(things: &Collection, refused: &Exchange) -> Result<(), Halt> {
    // Services are given addresses before their names are looked at, and addresses want to know whose they are.
    if things.resource().plural == "services" {
        return refused.expect_error(&[422], &["Invalid"]).map(drop);
    }
    expect_invalid(refused, "metadata.name")
}

async fn a_new_object_has_a_name(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let mut body = things.body("a", "first");
    if let Some(metadata) = body["metadata"].as_object_mut() {
        metadata.shift_remove("name");
    }

    let refused = cx.send(Request::post(things.path(), &body)).await?;

    if let Ok(created) = refused.object() {
        cx.remove_in_the_end(&format!("{}/{}", things.path(), created.name()));
    }
    expect_bad_name(&things, &refused)
}

async fn a_name_is_one_step_of_a_path(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let mut names = vec![things.name_of("a/b"), things.name_of("a%b")];
    if things.is_namespaced() {
        // Elsewhere nobody could remove them if they were taken.
        names.extend([".", ".."].map(str::to_owned));
    }

    for name in names {
        let refused = cx.send(named(&things, &name)).await?;

        expect_bad_name(&things, &refused)?;
    }
    Ok(())
}

async fn a_name_is_one_object_in_each_namespace(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let elsewhere = things.within(&cx.another_namespace().await?);
    let first = things.create("a").await?;

    let again = cx.send(Request::post(things.path(), &things.body("a", "second"))).await?;
    let namesake = cx.send(Request::post(elsewhere.path(), &elsewhere.body("a", "second"))).await?;

    again.expect_error(&[409], &["AlreadyExists"])?;
    namesake.expect_status(&[201])?;
    let other = namesake.object()?.metadata("uid").to_owned();
    namesake.expect(other != first.metadata("uid"), "another object, of another uid", other)
}

async fn objects_of_two_types_may_have_one_name(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let (secrets, maps) = (Resource::core("secrets", "Secret"), Resource::configmaps());
    let others = cx.collection(if *things.resource() == maps { secrets } else { maps }).await?;
    things.create("a").await?;
    let body = json!({
        "apiVersion": "v1", "kind": others.resource().kind, "metadata": { "name": "a" },
    });

    cx.send(Request::post(others.path(), &body)).await?.expect_status(&[201])
}

async fn a_name_is_a_subdomain(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    names::require_subdomains(things.resource())?;

    for name in ["Upper", "a_b", "-a", &"a".repeat(254)] {
        let refused = cx.send(named(&things, name)).await?;

        expect_bad_name(&things, &refused)?;
    }
    let accepted = cx.send(named(&things, "a-b.c-1")).await?;
    let taken = accepted.status() == 201 || dotless(&accepted);
    accepted.expect(taken, "HTTP 201: a-b.c-1 is a subdomain", accepted.brief())
}

/// A type may want less of its names than a subdomain: a label, without dots.
fn dotless(answer: &Exchange) -> bool {
    let said = answer.json().map(|json| &json["reason"]);
    answer.status() == 422 && said.and_then(Value::as_str) == Some("Invalid")
}
