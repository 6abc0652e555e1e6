//! Several objects in one request: there is no such thing.

use harness::{Collection, Context, Exchange, Halt, Method, Request, Suite};
use serde_json::{Value, json};

use crate::stored::Stored;

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("single-create-rejects-list-body", a_create_of_a_list_creates_nothing)
        .scenario("single-create-rejects-json-array", a_create_of_an_array_creates_nothing)
        .scenario("single-create-yaml-multidoc-no-batch", a_create_of_two_documents_does_not_create_both)
        .scenario("single-get-one-name", a_get_of_two_names_finds_nothing)
        .scenario("single-update-not-on-collection", a_put_of_a_collection_is_refused)
        .scenario("single-patch-not-on-collection", a_patch_of_a_collection_is_refused)
        .scenario("single-no-transactions", each_request_succeeds_or_fails_alone)
}

/// Adds the scenario that custom types do not follow.
pub(super) fn add_built_in(suite: Suite) -> Suite {
    suite.scenario("single-create-not-on-item", a_create_on_the_path_of_an_object_is_refused)
}

/// A list of two objects, of this kind; not yet sent.
fn list(things: &Collection, api_version: &str, kind: &str) -> Value {
    let items = [things.body("b", "first"), things.body("c", "first")];
    json!({ "apiVersion": api_version, "kind": kind, "metadata": {}, "items": items })
}

/// Neither of the objects that were sent at once is there.
async fn expect_none(things: &Collection) -> Result<(), Halt> {
    for name in ["b", "c"] {
        things.get(name).await?.expect_status(&[404])?;
    }
    Ok(())
}

/// A refusal with a code of the client's fault; to more than that the rules do not bind custom types.
fn expect_refused(stored: &Stored, answer: &Exchange, built_in: &[u16]) -> Result<(), Halt> {
    if stored.is_built_in() {
        return answer.expect_refusal(built_in).map(drop);
    }
    let refused = (400..500).contains(&answer.status());
    answer.expect(refused, "a refusal with 4xx", answer.brief())
}

async fn a_create_of_a_list_creates_nothing(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let things = &stored.things;
    let (version, kind) = (things.resource().api_version(), format!("{}List", things.resource().kind));

    for body in [list(things, &version, &kind), list(things, "v1", "List")] {
        let created = cx.send(Request::post(things.path(), &body)).await?;

        expect_refused(&stored, &created, &[400])?;
        expect_none(things).await?;
    }
    Ok(())
}

async fn a_create_of_an_array_creates_nothing(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let array = json!([things.body("b", "first"), things.body("c", "first")]);

    let created = cx.send(Request::post(things.path(), &array)).await?;

    let refused = (400..500).contains(&created.status());
    created.expect(refused, "a refusal with 4xx", created.brief())?;
    expect_none(&things).await
}

async fn a_create_of_two_documents_does_not_create_both(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    // JSON is YAML.
    let documents = format!("{}\n---\n{}\n", things.body("b", "first"), things.body("c", "first"));
    let mut create = Request::new(Method::POST, things.path()).header("content-type", "application/yaml");
    create.body = Some(documents.into());

    cx.send(create).await?;

    let got = things.get("c").await?;
    got.expect_status(&[200, 404])?;
    got.expect(got.status() == 404, "the first object, or none", "the second document was created as well")
}

async fn a_get_of_two_names_finds_nothing(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create_all(&["a", "b"]).await?;

    let got = cx.send(Request::get(things.path_of("a,b"))).await?;

    got.expect_refusal(&[400, 404]).map(drop)
}

async fn a_put_of_a_collection_is_refused(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let things = &stored.things;
    let kind = format!("{}List", things.resource().kind);
    let mut body = list(things, &things.resource().api_version(), &kind);
    body["items"][0] = stored.body("second");

    let put = cx.send(Request::put(things.path(), &body)).await?;

    expect_refused(&stored, &put, &[405])?;
    stored.expect_unchanged().await?;
    expect_none(things).await
}

async fn a_patch_of_a_collection_is_refused(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let patch = json!({ "metadata": { "labels": { "assay": "patched" } } });

    let patched = cx.send(Request::merge_patch(stored.things.path(), &patch)).await?;

    expect_refused(&stored, &patched, &[400, 405])?;
    stored.expect_unchanged().await
}

async fn each_request_succeeds_or_fails_alone(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let mut invalid = things.body("b", "first");
    invalid["metadata"]["labels"]["assay"] = "with a space".into();
    let bodies = [(things.body("a", "first"), 201), (invalid, 422), (things.body("c", "first"), 201)];

    // On one connection, one after the other.
    for (body, status) in bodies {
        cx.send(Request::post(things.path(), &body).lane(1)).await?.expect_status(&[status])?;
    }

    for (name, status) in [("a", 200), ("b", 404), ("c", 200)] {
        things.get(name).await?.expect_status(&[status])?;
    }
    Ok(())
}

async fn a_create_on_the_path_of_an_object_is_refused(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create_among(&cx, cx.configmaps().await?).await?;

    for name in ["a", "b"] {
        let path = stored.things.path_of(name);
        let created = cx.send(Request::post(path, &stored.things.body(name, "second"))).await?;

        created.expect_refusal(&[405])?;
    }
    stored.expect_unchanged().await?;
    stored.things.get("b").await?.expect_status(&[404])
}
