//! The forms of documents: JSON and Protobuf.

use std::collections::BTreeSet;

use prost::Message;

use super::index::Index;
use super::{document, paths, some_of};
use crate::openapi::{custom_groups, get, group, is_of_the_project};
use crate::prelude::*;

rows![
    openapi_v2_document.own_kinds().read_only(),
    openapi_v2_protobuf.own_kinds().read_only(),
    openapi_v3_protobuf.own_kinds().read_only(),
    openapi_default_json.own_kinds().read_only(),
];

/// Where the document of all types is.
const WHOLE: &str = "/openapi/v2";

/// The document of all types. Skips where the server has none.
pub(super) struct Whole(Arc<Exchange>);

impl Fixture for Whole {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let response = cx.send(Request::get(WHOLE)).await?;
        if [403, 404].contains(&response.status()) {
            return Err(cx.lacks("OpenAPI", format!("GET {WHOLE} returns {}", response.brief())));
        }
        Ok(Self(response))
    }
}

async fn openapi_v2_document(Whole(response): Whole) -> Checked {
    let json = document(&response)?;
    let version = &json["swagger"];
    response.expect(version == "2.0", "swagger: \"2.0\"", format!("swagger: {version}"))?;
    let info = &json["info"];
    let titled = ["title", "version"].iter().all(|field| info[*field].is_string());
    response.expect(titled, "info with title and version", info.to_string())?;
    response.expect(paths(json).next().is_some(), "at least one path", "none")
}

/// A document of `OpenAPI` v2 in Protobuf: message Document of package openapi.v2, without what is not read here.
#[derive(Clone, PartialEq, Message)]
struct DocumentV2 {
    #[prost(string, tag = "1")]
    swagger: String,
    #[prost(message, optional, tag = "8")]
    paths: Option<PathsV2>,
}

#[derive(Clone, PartialEq, Message)]
struct PathsV2 {
    #[prost(message, repeated, tag = "2")]
    path: Vec<NamedPath>,
}

/// A document of `OpenAPI` v3 in Protobuf: message Document of package openapi.v3, without what is not read here.
#[derive(Clone, PartialEq, Message)]
struct DocumentV3 {
    #[prost(string, tag = "1")]
    openapi: String,
    #[prost(message, optional, tag = "4")]
    paths: Option<PathsV3>,
}

#[derive(Clone, PartialEq, Message)]
struct PathsV3 {
    #[prost(message, repeated, tag = "1")]
    path: Vec<NamedPath>,
}

/// The name of a path, without its operations.
#[derive(Clone, PartialEq, Message)]
struct NamedPath {
    #[prost(string, tag = "1")]
    name: String,
}

/// The media type of documents in Protobuf.
fn protobuf(version: &str) -> String {
    format!("application/com.github.proto-openapi.spec.{version}@v1.0+protobuf")
}

/// A message of this type in the body of a response.
fn message<M: Message + Default>(response: &Exchange) -> Result<M, Halt> {
    response.expect_status(&[200])?;
    let content_type = response.header("content-type").unwrap_or("none");
    let json = content_type.starts_with("application/json");
    response.expect(!json, "Content-Type of Protobuf", content_type)?;
    M::decode(&*response.response.body)
        .map_err(|why| response.fail("a message Document of OpenAPI", why.to_string()))
}

/// The same paths in both forms.
fn expect_paths(response: &Exchange, named: Vec<NamedPath>, expected: &BTreeSet<&str>) -> Checked {
    let named: BTreeSet<_> = named.into_iter().map(|path| path.name).collect();
    let missing: Vec<_> = expected.iter().copied().filter(|path| !named.contains(*path)).collect();
    let actual = format!("no path {}", some_of(missing.iter().copied()));
    response.expect(missing.is_empty(), format!("the {} paths of the JSON document", expected.len()), actual)
}

async fn openapi_v2_protobuf(cx: Context, Whole(plain): Whole) -> Checked {
    let foreign = custom_groups(&cx).await?;

    let response = cx.send(Request::get(WHOLE).accept(&protobuf("v2"))).await?;

    let found: DocumentV2 = message(&response)?;
    response.expect(found.swagger == "2.0", "swagger 2.0", format!("swagger {:?}", found.swagger))?;
    // Types of other projects come and go.
    let is_built_in = |group: &str| is_of_the_project(group) && !foreign.contains(group);
    let built_in = |path: &&str| group(path).is_some_and(is_built_in);
    let expected = paths(document(&plain)?).filter(built_in).collect();
    expect_paths(&response, found.paths.unwrap_or_default().path, &expected)
}

async fn openapi_v3_protobuf(cx: Context, index: Index) -> Checked {
    let url = index.expect_url(index.example()?)?;
    let plain = cx.send(get(url)).await?;

    let response = cx.send(get(url).accept(&protobuf("v3"))).await?;

    let found: DocumentV3 = message(&response)?;
    let actual = format!("openapi {:?}", found.openapi);
    response.expect(found.openapi.starts_with("3."), "openapi 3.x", actual)?;
    let expected = paths(document(&plain)?).collect();
    expect_paths(&response, found.paths.unwrap_or_default().path, &expected)
}

async fn openapi_default_json(cx: Context, _: Whole) -> Checked {
    let mut requests = vec![Request::get(WHOLE)];
    if let Some(index) = crate::verbs::or_note(&cx, Index::arrange(&cx).await)? {
        requests.push(get(index.expect_url(index.example()?)?));
    }
    for request in requests {
        // Without a header of the scenario, the HTTP library accepts everything as well.
        for request in [request.clone(), request.accept("*/*")] {
            document(&*cx.send(request).await?)?;
        }
    }
    Ok(())
}
