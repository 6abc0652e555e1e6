//! Documents in other media types, and kinds that several resources share.

use crate::definitions;
use crate::prelude::*;

rows![
    kinds_alternative_content_types,
    kinds_some_endpoints_may_stream,
    kinds_kind_shared_by_status_resource.with_status().also("resource-uris-subresource-below-resource"),
    kinds_group_versions_independent.own_kinds(),
];

/// Media types besides JSON, each with the beginning of its bodies.
const FORMS: [(&str, &[u8]); 2] =
    [("application/yaml", b""), ("application/vnd.kubernetes.protobuf", b"k8s\0")];

fn contains(body: &[u8], text: &str) -> bool {
    body.windows(text.len()).any(|part| part == text.as_bytes())
}

async fn kinds_alternative_content_types(cx: Context, stored: StoredObject) -> Checked {
    for (media_type, beginning) in FORMS {
        let got = cx.send(Request::get(stored.path()).accept(media_type)).await?;
        if got.status() == 406 {
            continue;
        }
        got.expect_status(&[200])?;
        expect_media_type(&got, media_type)?;
        let body = &got.response.body;
        let right = body.starts_with(beginning) && contains(body, stored.read.metadata("uid"));
        got.expect(right, format!("{} as {media_type}", stored.read.name()), got.text())?;
    }
    Ok(())
}

fn expect_media_type(got: &Exchange, expected: &str) -> Checked {
    let media_type = got.header("content-type").unwrap_or_default();
    let same = media_type.split(';').next() == Some(expected);
    got.expect(same, format!("HTTP 406, or Content-Type {expected}"), format!("Content-Type {media_type}"))
}

async fn kinds_some_endpoints_may_stream(collection: Collection) -> Checked {
    let own = format!("metadata.name={}", collection.name_of(NAME));
    let listed = collection.list().fields(&own).page().await?;
    let mut watch = collection.watch().fields(&own).at(&listed.version).open_as_fixture().await?;

    let created = collection.create(NAME).await?;
    let changed = collection.write(NAME, "second").await?;

    watch.expect("ADDED", created.name()).await?;
    watch.expect("MODIFIED", changed.name()).await.map(drop)
}

async fn kinds_kind_shared_by_status_resource(cx: Context, stored: StoredObject) -> Checked {
    let got = cx.send(Request::get(stored.collection.status_path_of(NAME))).await?;

    let (status, whole) = (got.object()?, stored.read.json());
    // A controller may have written to the object since it was read: then its version is another one.
    let same = status.json()["metadata"]["resourceVersion"] == whole["metadata"]["resourceVersion"];
    let metadata: &[_] =
        if same { &["/metadata"] } else { &["/metadata/name", "/metadata/uid", "/metadata/labels"] };
    for field in ["/kind", "/apiVersion", "/spec"].iter().chain(metadata) {
        let [expected, actual] = [whole, status.json()].map(|json| json.pointer(field));
        let text =
            |value: Option<&Value>| value.map_or(format!("no {field}"), |value| format!("{field}: {value}"));
        got.expect(expected == actual, text(expected), text(actual))?;
    }
    Ok(())
}

async fn kinds_group_versions_independent(cx: Context) -> Checked {
    let group = definitions::group(&cx, "versions");
    let mut definition = definitions::body(&cx, &group);
    definition["spec"]["versions"] = ["v1", "v2"].map(definitions::version).to_vec().into();
    let namespace = cx.namespace().await?;
    let path =
        |version: &str| format!("/apis/{group}/{version}/namespaces/{namespace}/{}", definitions::PLURAL);
    definitions::serve(&cx, &definition, &path("v1")).await?;
    let body = json!({
        "apiVersion": format!("{group}/v1"), "kind": "Trier", "metadata": { "name": NAME },
    });
    let created = cx.send(Request::post(path("v1"), &body)).await?.written()?;

    let got = cx.send(Request::get(format!("{}/{NAME}", path("v2")))).await?;

    got.expect_value("/apiVersion", &json!(format!("{group}/v2")))?;
    for field in ["uid", "resourceVersion"] {
        got.expect_value(&format!("/metadata/{field}"), &created.metadata(field).into())?;
    }
    Ok(())
}
