//! Descriptions of custom types come and go with their definitions.

use super::document;
use super::index::Index;
use crate::definitions::{self, PLURAL};
use crate::discovery::{custom_type, eventually};
use crate::openapi::get;
use crate::prelude::*;
use crate::verbs::or_note;

rows![openapi_crd_published.own_kinds(), openapi_crd_removed.own_kinds()];

/// Every document that describes a group version, or should; fewer on a server without one of the forms.
async fn descriptions(cx: &Context, key: &str) -> Result<Vec<Arc<Exchange>>, Halt> {
    let whole = cx.send(Request::get("/openapi/v2")).await?;
    let mut documents = Vec::from_iter((![403, 404].contains(&whole.status())).then_some(whole));
    if let Some(index) = or_note(cx, Index::arrange(cx).await)? {
        let description = match index.url(key) {
            Some(url) => cx.send(get(url)).await?,
            None => index.0,
        };
        documents.push(description);
    }
    cx.require_feature("OpenAPI", !documents.is_empty(), "neither /openapi/v2 nor /openapi/v3 is there")?;
    Ok(documents)
}

/// Whether a document describes a path.
fn describes(document: &Value, path: &str) -> bool {
    document["paths"].get(path).is_some()
}

async fn openapi_crd_published(cx: Context) -> Checked {
    let lacks = || cx.lacks("CustomResources", "it has no custom types");
    let gadgets = custom_type(&cx).await?.ok_or_else(lacks)?;
    let path = format!("{}/namespaces/{{namespace}}/{}", gadgets.root(), gadgets.plural);

    eventually(&cx, || async {
        for response in descriptions(&cx, &gadgets.root()[1..]).await? {
            let json = document(&response)?;
            response.expect(describes(json, &path), format!("the path {path}"), "no such path")?;
            let spec = schema(json, &gadgets).map(|schema| schema["properties"]["spec"].clone());
            let properties = spec.is_some_and(|spec| spec["properties"].is_object());
            let expected = format!("the schema of {} with the properties of spec", gadgets.kind);
            response.expect(properties, expected, "no such schema")?;
        }
        Ok(())
    })
    .await
}

/// The schema of a kind in a document of either version.
fn schema<'a>(document: &'a Value, of: &Resource) -> Option<&'a Value> {
    let kind = json!([{ "group": of.group, "version": of.version, "kind": of.kind }]);
    let all = ["/definitions", "/components/schemas"].into_iter().filter_map(|place| document.pointer(place));
    let mut schemas = all.filter_map(Value::as_object).flatten().map(|(_, schema)| schema);
    schemas.find(|schema| schema["x-kubernetes-group-version-kind"] == kind)
}

async fn openapi_crd_removed(cx: Context) -> Checked {
    let group = definitions::group(&cx, "removed");
    let (key, definition) = (format!("apis/{group}/v1"), definitions::body(&cx, &group));
    let path = format!("/{key}/namespaces/{{namespace}}/{PLURAL}");
    definitions::serve(&cx, &definition, &format!("/{key}/{PLURAL}")).await?;
    let described = cx.eventually(|| async {
        let documents = descriptions(&cx, &key).await?;
        let all = documents.iter().all(|found| found.json().is_some_and(|json| describes(json, &path)));
        Ok(all.then_some(()))
    });
    let why = || cx.late(format!("describe {key}"), "OpenAPI did not show it in time");
    described.await?.ok_or_else(why)?;

    cx.send(Request::delete(definitions::path(&definition))).await?.written()?;

    eventually(&cx, || async {
        for response in descriptions(&cx, &key).await? {
            let there = describes(document(&response)?, &path);
            response.expect(!there, format!("no path {path}"), "the path of a type without a definition")?;
        }
        Ok(())
    })
    .await
}
