//! Documents in other forms than one JSON object, and those that several resources share.

use harness::{Context, Exchange, Halt, Request, Suite};

use crate::definitions;
use crate::stored::{NAME, Stored};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("kinds-alternative-content-types", what_is_said_to_be_of_a_type_is_of_it)
        .on_every_shape()
        .scenario("kinds-some-endpoints-may-stream", a_watch_is_a_row_of_documents)
        .on_every_shape()
        .scenario("kinds-kind-shared-by-status-resource", the_status_is_shown_with_its_object)
        .on_shapes_with_status()
}

/// Forms besides JSON, and what each body in them begins with, if that tells it from JSON.
const FORMS: [(&str, &[u8]); 2] =
    [("application/yaml", b""), ("application/vnd.kubernetes.protobuf", b"k8s\0")];

fn contains(body: &[u8], text: &str) -> bool {
    body.windows(text.len()).any(|part| part == text.as_bytes())
}

async fn what_is_said_to_be_of_a_type_is_of_it(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    for (media_type, beginning) in FORMS {
        let got = cx.send(Request::get(stored.path()).accept(media_type)).await?;
        if got.status() == 406 {
            continue;
        }
        got.expect_status(&[200])?;
        expect_media_type(&got, media_type)?;
        let body = &got.response.body;
        let right = body.starts_with(beginning) && contains(body, stored.read.metadata("uid"));
        got.expect(right, format!("{} in the form of {media_type}", stored.read.name()), got.text())?;
    }
    Ok(())
}

fn expect_media_type(got: &Exchange, expected: &str) -> Result<(), Halt> {
    let said = got.header("content-type").unwrap_or_default();
    let same = said.split(';').next() == Some(expected);
    got.expect(same, format!("HTTP 406, or a body of {expected}"), format!("a body of {said}"))
}

async fn a_watch_is_a_row_of_documents(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let own = format!("metadata.name={}", things.name_of(NAME));
    let listed = things.list().fields(&own).page().await?;
    let mut watch = things.watch().fields(&own).at(&listed.version).arranged().await?;

    let created = things.create(NAME).await?;
    let changed = things.write(NAME, "second").await?;

    watch.expect("ADDED", created.name()).await?;
    watch.expect("MODIFIED", changed.name()).await.map(drop)
}

async fn the_status_is_shown_with_its_object(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let got = cx.send(Request::get(stored.things.status_path_of(NAME))).await?;

    let (shown, whole) = (got.object()?, stored.read.json());
    for field in ["/kind", "/apiVersion", "/metadata/name", "/metadata/uid", "/spec"] {
        let (expected, actual) = (whole.pointer(field), shown.json().pointer(field));
        let told = |value: Option<&serde_json::Value>| {
            format!("{field}: {}", value.map_or_else(|| "none".to_owned(), ToString::to_string))
        };
        got.expect(expected == actual, told(expected), told(actual))?;
    }
    Ok(())
}

/// Adds the scenario about a type in two versions.
pub(super) fn add_versions(suite: Suite) -> Suite {
    suite.scenario("kinds-group-versions-independent", an_object_is_shown_in_every_version_of_its_type)
}

async fn an_object_is_shown_in_every_version_of_its_type(cx: Context) -> Result<(), Halt> {
    let group = definitions::group(&cx, "versions");
    let mut definition = definitions::body(&cx, &group);
    definition["spec"]["versions"] = ["v1", "v2"].map(definitions::version).to_vec().into();
    let namespace = cx.namespace().await?;
    let path =
        |version: &str| format!("/apis/{group}/{version}/namespaces/{namespace}/{}", definitions::PLURAL);
    definitions::serve(&cx, &definition, &path("v1")).await?;
    let body = serde_json::json!({
        "apiVersion": format!("{group}/v1"), "kind": "Trier", "metadata": { "name": NAME },
    });
    let created = cx.send(Request::post(path("v1"), &body)).await?.written()?;

    let got = cx.send(Request::get(format!("{}/{NAME}", path("v2")))).await?;

    let (shown, expected) = (got.object()?, format!("{group}/v2"));
    let version = &shown.json()["apiVersion"];
    got.expect(*version == expected, format!("apiVersion {expected}"), version.to_string())?;
    for field in ["uid", "resourceVersion"] {
        let before = created.metadata(field);
        got.expect(shown.metadata(field) == before, format!("{field} {before}"), shown.metadata(field))?;
    }
    Ok(())
}
