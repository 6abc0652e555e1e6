//! The Accept header.

use super::content::{
    ENCODINGS, PLAIN_JSON, beginning, decoded, expect_content, expect_encoding, expect_same_value,
};
use crate::api_resources;
use crate::openapi::is_of_the_project;
use crate::prelude::*;
use crate::rejections::rejected;
use crate::serialization::encodings::{YAML, is_of_type};
use crate::serialization::json::without;

const NONSENSE: &str = "application/x-nonsense";

pub(super) fn rows() -> Vec<Row> {
    let unsupported = rejected("representations-unsupported-accept-406", &[406], |stored: &StoredObject| {
        [stored.get(), stored.collection.list()].map(|query| query.with(|request| request.accept(NONSENSE)))
    });
    let writes = rejected("representations-negotiate-before-write", &[406], |stored: &StoredObject| {
        let create = Request::post(stored.collection.path(), &stored.collection.body("b", "first"));
        let update = Request::put(stored.path(), &stored.body("second"));
        let merge = Request::merge_patch(stored.path(), &stored.collection.change("second"));
        [create, update, merge, Request::delete(stored.path())].map(|request| request.accept(NONSENSE))
    });
    vec![
        row!(representations_default_json),
        row!(representations_accept_negotiation_get),
        row!(representations_content_type_on_response),
        unsupported.row(),
        row!(representations_406_body),
        row!(representations_builtin_json).own_kinds(),
        row!(representations_accept_wildcard),
        row!(representations_accept_unknown_parameters),
        row!(representations_accept_first_supported),
        row!(representations_accept_quality),
        row!(representations_negotiation_on_errors),
        writes.none_called(&["b"]).row(),
        row!(representations_json_watch_media_type),
        row!(representations_pretty),
    ]
}

/// A get with this Accept header.
async fn get(stored: &StoredObject, accept: &str) -> Result<Arc<Exchange>, Halt> {
    stored.get().with(|request| request.accept(accept)).await
}

/// A response with 200, in JSON.
fn expect_json(response: &Exchange) -> Checked {
    response.expect_status(&[200])?;
    expect_encoding(response, PLAIN_JSON)
}

async fn representations_default_json(cx: Context, collection: Collection) -> Checked {
    let create = Request::post(collection.path(), &collection.body(NAME, "first"));
    for request in [create, collection.get(NAME).into(), collection.list().into()] {
        let response = cx.send(without(request, "accept")).await?;
        response.expect_status(&[200, 201])?;
        expect_encoding(&response, PLAIN_JSON)?;
    }
    Ok(())
}

async fn representations_accept_negotiation_get(stored: StoredObject) -> Checked {
    for media_type in ENCODINGS {
        let response = get(&stored, media_type).await?;
        if media_type == PLAIN_JSON || response.status() != 406 {
            response.expect_status(&[200])?;
            expect_encoding(&response, media_type)?;
        }
    }
    Ok(())
}

async fn representations_content_type_on_response(cx: Context, stored: StoredObject) -> Checked {
    for media_type in ENCODINGS {
        let absent = stored.collection.get("absent");
        for query in [stored.get(), stored.collection.list(), absent] {
            expect_content(&*query.with(|request| request.accept(media_type)).await?)?;
        }
    }
    let deletion = cx.send(Request::delete(stored.path())).await?;
    expect_content(&deletion)
}

async fn representations_406_body(stored: StoredObject) -> Checked {
    let response = get(&stored, NONSENSE).await?;

    let status = response.expect_error(&[406], &["NotAcceptable"])?;
    let message = status["message"].as_str().unwrap_or_default();
    response.expect(message.contains(PLAIN_JSON), "a message that names application/json", message)
}

async fn representations_builtin_json(cx: Context) -> Checked {
    let types = api_resources::all(&cx).await?;
    let built_in = types.into_iter().filter(|ty| is_of_the_project(ty.group())).collect();
    let list = |ty: &api_resources::Type| Request::get(ty.path()).query("limit", 1).accept(PLAIN_JSON);
    let lists = api_resources::ask_about(&cx, built_in, list).await?;

    for (_, response) in lists {
        let is_refused = [406, 415].contains(&response.status());
        response.expect(!is_refused, "a list in JSON", response.brief())?;
        if response.succeeded() {
            expect_json(&response)?;
        }
    }
    Ok(())
}

async fn representations_accept_wildcard(stored: StoredObject) -> Checked {
    expect_json(&*get(&stored, "*/*").await?)?;

    let response = get(&stored, "application/*").await?;
    if response.status() == 406 { Ok(()) } else { expect_json(&response) }
}

async fn representations_accept_unknown_parameters(stored: StoredObject) -> Checked {
    expect_json(&*get(&stored, "application/json;foo=bar").await?)
}

async fn representations_accept_first_supported(stored: StoredObject) -> Checked {
    for other in [YAML, PLAIN_JSON] {
        let response = get(&stored, &format!("{NONSENSE}, {other}, {PLAIN_JSON}")).await?;

        response.expect_status(&[200])?;
        let supported = is_of_type(&response, other) || is_of_type(&response, PLAIN_JSON);
        let actual = response.header("content-type").unwrap_or("none");
        response.expect(supported, format!("Content-Type {other} or {PLAIN_JSON}"), actual)?;
    }
    Ok(())
}

async fn representations_accept_quality(stored: StoredObject) -> Checked {
    let offers_yaml = get(&stored, YAML).await?.status() == 200;
    let preferred = |yaml: f32, json: f32| format!("{YAML};q={yaml}, {PLAIN_JSON};q={json}");

    expect_json(&*get(&stored, &preferred(0.1, 0.9)).await?)?;
    if offers_yaml {
        let response = get(&stored, &format!("{PLAIN_JSON};q=0.1, {YAML};q=0.9")).await?;
        response.expect_status(&[200])?;
        expect_encoding(&response, YAML)?;
    }
    Ok(())
}

async fn representations_negotiation_on_errors(cx: Context, stored: StoredObject) -> Checked {
    let metadata = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    if get(&stored, metadata).await?.status() == 406 {
        return Err(cx.lacks("PartialObjectMetadata", "a get of metadata gets 406"));
    }

    let missing = stored.collection.get("absent").with(|request| request.accept(metadata)).await?;

    missing.expect_error(&[404], &["NotFound"])?;
    expect_encoding(&missing, PLAIN_JSON)
}

async fn representations_json_watch_media_type(collection: Collection) -> Checked {
    for media_type in [PLAIN_JSON, "application/json;stream=watch"] {
        let watch = collection.watch().with(|request| request.accept(media_type)).open().await?.exchange();
        let content_type = watch.header("content-type").unwrap_or("none");
        let right = is_of_type(&watch, PLAIN_JSON) && !content_type.contains("stream");
        watch.expect(right, "Content-Type application/json without a stream parameter", content_type)?;
    }
    Ok(())
}

async fn representations_pretty(stored: StoredObject) -> Checked {
    let plain = stored.get().param("pretty", false).await?;
    expect_json(&plain)?;

    let pretty = stored.get().param("pretty", true).await?;

    expect_json(&pretty)?;
    let shown = decoded(&pretty).is_some();
    pretty.expect(shown, "JSON", beginning(&pretty))?;
    expect_same_value(&pretty, &plain)
}
