//! The Accept header of requests for Tables.

use super::response::{TABLE, Table, as_table};
use crate::access_review;
use crate::api_resources;
use crate::prelude::*;
use crate::rejections::rejected;

pub(super) fn rows() -> Vec<Row> {
    let unknown_version = rejected("table-unknown-version-406", &[406], |collection: &Collection| {
        collection.list().with(|request| request.accept(UNKNOWN_VERSION))
    });
    vec![
        row!(table_on_request),
        row!(table_not_universal).own_kinds(),
        row!(table_accept_fallback),
        row!(table_accept_fallback_prefers_table),
        row!(table_only_unsupported_406).own_kinds(),
        row!(table_v1beta1),
        unknown_version.response_only().row(),
        row!(table_error_is_status),
    ]
}

const UNKNOWN_VERSION: &str = "application/json;as=Table;g=meta.k8s.io;v=v9";

/// Plain JSON is as good.
fn or_json(media_type: &str) -> String {
    format!("{media_type}, application/json")
}

async fn table_on_request(cx: Context, collection: Collection) -> Checked {
    collection.create(NAME).await?;

    let response = as_table(collection.list()).await?;

    cx.require_feature("Table", response.status() != 406, "a request for a Table gets 406")?;
    let table = Table::read(response)?;
    let json = table.json();
    let whole =
        json["apiVersion"] == "meta.k8s.io/v1" && !table.columns().is_empty() && !table.rows().is_empty();
    table.expect_that(whole, "a Table of meta.k8s.io/v1 with columnDefinitions and rows", json)
}

async fn table_not_universal(cx: Context) -> Checked {
    let types = api_resources::all(&cx).await?;
    let list = |ty: &api_resources::Type| Request::get(ty.path()).query("limit", 1).accept(TABLE);
    let lists = api_resources::ask_about(&cx, types, list).await?;
    let mut responses: Vec<_> = lists.into_iter().map(|(_, response)| response).collect();
    responses.push(cx.send(Request::get("/apis").accept(TABLE)).await?);
    if cx.discovers(&access_review::resource()).await? {
        responses.push(cx.send(review(&cx).await?.accept(TABLE)).await?);
    }

    for response in responses.iter().filter(|response| !response.succeeded()) {
        let fallback = cx.send(response.request.clone().accept(&or_json(TABLE))).await?;
        // Some lists fail in every form, such as those of forbidden types.
        if response.status() == 406 {
            fallback.expect(fallback.succeeded(), "the fallback, HTTP 200 or 201", fallback.brief())?;
        } else if fallback.succeeded() {
            response.expect_status(&[406])?;
        } else {
            api_resources::note_failed_list(&cx, &fallback);
        }
    }
    Ok(())
}

/// An access review: kube-apiserver has no Tables of these.
async fn review(cx: &Context) -> Result<Request, Halt> {
    let Resource { kind, .. } = access_review::resource();
    let body = json!({
        "apiVersion": access_review::resource().api_version(), "kind": kind,
        "spec": { "nonResourceAttributes": { "path": "/livez", "verb": "get" } },
    });
    Ok(Request::post(access_review::path(cx).await?, &body))
}

async fn table_only_unsupported_406(cx: Context) -> Checked {
    let response = cx.send(review(&cx).await?.accept(TABLE)).await?;

    if response.succeeded() && response.json().is_some_and(|json| json["kind"] == "Table") {
        return Err(Halt::skip("the server offers Tables of access reviews"));
    }
    response.expect_status(&[406])
}

async fn table_accept_fallback(collection: Collection) -> Checked {
    let list = collection.list().with(|request| request.accept(&or_json(UNKNOWN_VERSION)));

    list.page().await.map(drop)
}

async fn table_accept_fallback_prefers_table(cx: Context, collection: Collection) -> Checked {
    Table::of(&cx, &collection).await?;

    let response = collection.list().with(|request| request.accept(&or_json(TABLE))).await?;

    Table::read(response).map(drop)
}

async fn table_v1beta1(cx: Context, collection: Collection) -> Checked {
    Table::of(&cx, &collection).await?;

    let beta = TABLE.replace("v=v1", "v=v1beta1");
    let table = Table::read(collection.list().with(|request| request.accept(&beta)).await?)?;

    let version = &table.json()["apiVersion"];
    table.expect_that(version == "meta.k8s.io/v1beta1", "apiVersion meta.k8s.io/v1beta1", version)
}

async fn table_error_is_status(cx: Context, collection: Collection) -> Checked {
    Table::of(&cx, &collection).await?;

    as_table(collection.get(NAME)).await?.expect_error(&[404], &["NotFound"]).map(drop)
}
