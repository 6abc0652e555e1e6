//! One request from beginning to end: who asks, what for, and the answer.

mod force;

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, WARNING};
use http::{HeaderMap, Method, StatusCode};
use serde_json::Value;

use crate::accept;
use crate::auth::User;
use crate::cluster::Cluster;
use crate::delete::{self, DeleteOptions};
use crate::failure::Failure;
use crate::list_options::{ListOptions, parse_version};
use crate::patch::Patch;
use crate::query::Query;
use crate::represent::View;
use crate::resource::ResourceType;
use crate::route::{ResourcePath, Verb};
use crate::selector::Selector;
use crate::store::{Commit, StoreFlaw};
use crate::strategy::Part;
use crate::write::Target;
use crate::{body, list, nonresource, review, update, watch, write};

/// What an answered request gives.
pub(crate) type Answer = Result<Response, Failure>;

/// A request, read.
pub(crate) struct Call {
    /// The cluster.
    pub(crate) cluster: Arc<Cluster>,
    /// The method.
    pub(crate) method: Method,
    /// The path.
    pub(crate) path: String,
    /// The parameters.
    pub(crate) query: Query,
    /// The headers.
    pub(crate) headers: HeaderMap,
    /// The body.
    pub(crate) body: Bytes,
    /// Who asks.
    pub(crate) user: User,
}

/// Answers any request.
pub(crate) async fn serve(State(cluster): State<Arc<Cluster>>, request: Request) -> Response {
    let mut response = match read(cluster, request).await {
        Ok(call) => answer(&call).await.unwrap_or_else(Failure::into_response),
        Err(failure) => failure.into_response(),
    };
    let headers = response.headers_mut();
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, private"));
    }
    response
}

async fn read(cluster: Arc<Cluster>, request: Request) -> Result<Call, Failure> {
    let (parts, body) = request.into_parts();
    let user = User::of(&parts.headers, cluster.open)?;
    let body = to_bytes(body, body::LIMIT).await.map_err(|_| Failure::too_large(body::LIMIT))?;
    Ok(Call {
        cluster,
        method: parts.method,
        path: parts.uri.path().to_owned(),
        query: Query::parse(parts.uri.query().unwrap_or_default()),
        headers: parts.headers,
        body,
        user,
    })
}

async fn answer(call: &Call) -> Answer {
    let Some(path) = ResourcePath::parse(&call.path) else { return nonresource::answer(call) };
    let verb = path.verb(&call.method, &call.query);
    let Some(ty) = call.cluster.registry.find(&path.group, &path.version, &path.plural) else {
        return nowhere(call, verb, &path);
    };
    call.user.may_resource(verb, &path, &ty)?;
    resource(call, verb, &path, ty).await
}

/// A resource that there is not.
fn nowhere(call: &Call, verb: Verb, path: &ResourcePath) -> Answer {
    let unknown =
        ResourceType { group: path.group.clone(), plural: path.plural.clone(), ..ResourceType::default() };
    call.user.may_resource(verb, path, &unknown)?;
    let served = call.cluster.registry.all();
    let built_in =
        |ty: &Arc<ResourceType>| ty.custom.is_none() && ty.group == path.group && ty.version == path.version;
    if path.group.is_empty() || served.iter().any(built_in) {
        Err(Failure::no_such_resource())
    } else {
        Ok(nonresource::not_found())
    }
}

async fn resource(call: &Call, verb: Verb, path: &ResourcePath, ty: Arc<ResourceType>) -> Answer {
    let across = ty.namespaced && path.namespace.is_empty();
    if across && ty.custom.is_some() && !matches!(verb, Verb::List | Verb::Watch) {
        return Ok(nonresource::not_found());
    }
    check_place(verb, path, &ty)?;
    force::check(call, path, &ty)?;
    if ty.group == review::GROUP {
        return review::review(call, verb, &ty);
    }
    if call.cluster.warm_up
        && ty.custom.is_some()
        && matches!(verb, Verb::List | Verb::Watch)
        && call.cluster.store.is_fresh(&ty.group_resource())
    {
        return Err(Failure::initializing());
    }
    let view = View::of(accept::negotiate(&call.headers)?, &call.query)?;
    let warning = ty.custom.as_ref().and_then(|custom| custom.warning.clone());
    let mut response = match verb {
        Verb::Get => get(call, path, &ty, &view).await?,
        Verb::List => list(call, path, &ty, &view).await?,
        Verb::Watch => return open_watch(call, path, ty, view),
        verb => write(call, verb, path, &ty, &view)?,
    };
    if let Some(text) = warning.and_then(|text| HeaderValue::from_str(&format!("299 - {text:?}")).ok()) {
        response.headers_mut().append(WARNING, text);
    }
    Ok(response)
}

/// Whether the type is served at this path, by this method.
fn check_place(verb: Verb, path: &ResourcePath, ty: &ResourceType) -> Result<(), Failure> {
    let refused = || Err(Failure::method_not_allowed(ty, verb.name()));
    if !ty.namespaced && !path.namespace.is_empty() {
        return Err(Failure::no_such_resource());
    }
    let across = ty.namespaced && path.namespace.is_empty();
    let collection = path.name.is_empty();
    let fits = match verb {
        Verb::List | Verb::Watch => true,
        Verb::DeleteCollection | Verb::Create => collection && !across,
        Verb::Get | Verb::Update | Verb::Patch | Verb::Delete => !collection && !across,
        Verb::Unknown => false,
    };
    if across && !collection {
        return Err(Failure::no_such_resource());
    }
    if !fits || !ty.verbs.contains(&verb.name()) {
        return refused();
    }
    match path.subresource.as_str() {
        "" => Ok(()),
        name if !ty.has_subresource(name) => Err(Failure::no_such_resource()),
        "finalize" if verb != Verb::Update => refused(),
        _ if matches!(verb, Verb::Get | Verb::Update | Verb::Patch) => Ok(()),
        _ => refused(),
    }
}

async fn get(call: &Call, path: &ResourcePath, ty: &ResourceType, view: &View) -> Answer {
    let store = &call.cluster.store;
    let version = call.query.first("resourceVersion");
    if !version.is_empty() {
        let version = parse_version(version).map_err(Failure::untranslated)?;
        list::reach(&call.cluster, version).await?;
    }
    let (collection, key) = (ty.group_resource(), ty.key(&path.namespace, &path.name));
    let flaw = if matches!(version, "" | "0") { StoreFlaw::StaleReads } else { StoreFlaw::StaleAtVersions };
    let behind = store.behind(flaw, &collection, &ty.prefix(&path.namespace));
    let mut object =
        store.get(&collection, &key, behind).ok_or_else(|| Failure::not_found(ty, &path.name))?;
    if version == "0" && store.flaws().has(StoreFlaw::MixesStates) {
        object = store.mixed(&collection, &object);
    }
    if path.subresource == "scale" {
        return crate::scale::read(ty, &object).map(|scale| json(StatusCode::OK, &scale));
    }
    Ok(json(StatusCode::OK, &view.object(ty, &object)))
}

async fn list(call: &Call, path: &ResourcePath, ty: &ResourceType, view: &View) -> Answer {
    let options = ListOptions::of(&call.query, ty, false)?;
    let listed = list::list(&call.cluster, ty, &path.namespace, &options).await?;
    Ok(json(StatusCode::OK, &view.list(ty, listed.metadata, &listed.page.items)))
}

fn open_watch(call: &Call, path: &ResourcePath, ty: Arc<ResourceType>, view: View) -> Answer {
    let mut query = call.query.clone();
    if !path.name.is_empty() {
        query = query.with("fieldSelector", &format!("metadata.name={}", path.name));
    }
    let options = ListOptions::of(&query, &ty, true)?;
    watch::watch(call.cluster.clone(), ty, &path.namespace, options, view)
}

fn write(call: &Call, verb: Verb, path: &ResourcePath, ty: &ResourceType, view: &View) -> Answer {
    let target = |dry_run: bool| {
        let commit = if dry_run { Commit::Dry } else { Commit::Real };
        Target { cluster: &call.cluster, ty, namespace: &path.namespace, name: &path.name, commit }
    };
    if matches!(verb, Verb::Delete | Verb::DeleteCollection) {
        let options = DeleteOptions::of(&call.query, &body::options(&call.body)?)?;
        return remove(call, &target(options.dry_run), &options, view);
    }
    let target = target(call.query.dry_run(options_of(verb))?);
    if path.subresource == "scale" {
        return crate::scale::write(call, verb, &target);
    }
    let sent = || body::object(&call.headers, &call.body, ty);
    let (status, object) = match verb {
        Verb::Create => (StatusCode::CREATED, write::create(&target, sent()?)?),
        Verb::Patch => {
            let change = Patch::read(&body::media_type(&call.headers), &call.body, ty)?;
            let patched = update::patch(&target, part(path), |current| change.apply(ty, current))?;
            (StatusCode::OK, patched)
        }
        _ => (StatusCode::OK, update::update(&target, part(path), sent()?)?),
    };
    Ok(json(status, &view.object(ty, &object)))
}

fn remove(call: &Call, target: &Target<'_>, options: &DeleteOptions, view: &View) -> Answer {
    if !target.name.is_empty() {
        let answer = delete::delete(target, options)?;
        let object = answer["kind"] != "Status";
        return Ok(json(StatusCode::OK, &if object { view.object(target.ty, &answer) } else { answer }));
    }
    let selector = Selector::of(&call.query, target.ty)?;
    let deleted = delete::delete_collection(target, options, &selector)?;
    let version = call.cluster.store.revision().to_string();
    let metadata = serde_json::Map::from_iter([("resourceVersion".to_owned(), Value::from(version))]);
    Ok(json(StatusCode::OK, &view.list(target.ty, metadata, &deleted)))
}

fn part(path: &ResourcePath) -> Part {
    match path.subresource.as_str() {
        "status" => Part::Status,
        "finalize" => Part::Finalize,
        _ => Part::Main,
    }
}

fn options_of(verb: Verb) -> &'static str {
    match verb {
        Verb::Create => "CreateOptions",
        Verb::Patch => "PatchOptions",
        _ => "UpdateOptions",
    }
}

/// A JSON answer.
pub(crate) fn json(status: StatusCode, value: &Value) -> Response {
    let mut response = Response::new(Body::from(format!("{value}\n")));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
