//! GET, LIST and WATCH.

use std::sync::Arc;

use futures::{StreamExt, stream};
use http::StatusCode;

use super::{ApiResult, Call, json, large_request};
use crate::failure::Failure;
use crate::list_options::{ListOptions, parse_version};
use crate::representation::View;
use crate::resource_type::ResourceType;
use crate::route::{ResourcePath, Verb};
use crate::store::Read;
use crate::{kubelet, list, pods, scale, watch, websocket};

pub(super) async fn get(call: &Call, path: &ResourcePath, ty: &ResourceType, view: &View) -> ApiResult {
    let read = match call.query.first("resourceVersion") {
        "" => Read::Newest,
        "0" => call.any,
        version => Read::NotOlder(parse_version(version).map_err(Failure::untranslated)?),
    };
    if let Read::NotOlder(version) = read {
        list::reach(&call.cluster, version).await?;
    }
    large_request::respond(call, Verb::Get, path, ty, || object(call, path, ty, view, read)).await
}

fn object(call: &Call, path: &ResourcePath, ty: &ResourceType, view: &View, read: Read) -> ApiResult {
    let (collection, key) = (ty.collection(), ty.key(&path.namespace, &path.name));
    let object = call.cluster.store.get(&collection, &key, read);
    let object = object.ok_or_else(|| Failure::not_found(ty, &path.name))?;
    if path.subresource == "scale" {
        return scale::read(ty, &object).map(|scale| json(StatusCode::OK, &scale));
    }
    if path.subresource == pods::LOG {
        return kubelet::log(call, ty, &object);
    }
    Ok(json(StatusCode::OK, &view.object(ty, &object)))
}

pub(super) async fn list(call: &Call, path: &ResourcePath, ty: &ResourceType, view: &View) -> ApiResult {
    let mut options = ListOptions::of(&call.query, ty, false)?;
    if let (Read::Exactly(revision), "0", "") = (call.any, &*options.version, &*options.token) {
        (options.version, options.exact) = (revision.to_string(), true);
    }
    let prefix = ty.prefix(&path.namespace);
    let plan = list::reach_version(&call.cluster, &prefix, &options).await?;
    let list = || {
        let listed = list::list(&call.cluster, ty, &plan, &options)?;
        Ok(json(StatusCode::OK, &view.list(ty, listed.metadata, &listed.page.items)))
    };
    large_request::respond(call, Verb::List, path, ty, list).await
}

pub(super) fn open_watch(call: &Call, path: &ResourcePath, ty: Arc<ResourceType>, view: View) -> ApiResult {
    let mut query = call.query.clone();
    if !path.name.is_empty() {
        query = query.with("fieldSelector", &format!("metadata.name={}", path.name));
    }
    let options = ListOptions::of(&query, &ty, true)?;
    let watch = watch::watch(call.cluster.clone(), ty, &path.namespace, options, view)?;
    if !websocket::asks_for(call, "websocket") {
        return Ok(watch);
    }
    let cluster = call.cluster.clone();
    let events = watch.into_body().into_data_stream().filter_map(async |event| event.ok());
    let frames = events.flat_map(move |event| stream::iter(cluster.semantics.watch_frames(event)));
    Ok(websocket::stream(call, watch::PROTOCOLS, |_| frames.map(|frame| (None, frame)).boxed()))
}
