//! Request handler: authentication, routing, verbs and the response.

mod large_request;
mod place;
mod read_verbs;
mod unsafe_delete;

use std::sync::Arc;
use std::time::Instant;

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONNECTION, CONTENT_TYPE, HeaderValue, USER_AGENT, WARNING};
use http::{HeaderMap, Method, StatusCode};
use hyper::upgrade::OnUpgrade;
use serde::Serialize;

use crate::auth::User;
use crate::cluster::Cluster;
use crate::content_negotiation::{self, Offer};
use crate::delete::{self, DeleteOptions};
use crate::encoding::Agreed;
use crate::failure::Failure;
use crate::field_validation::{self, FieldCheck};
use crate::lagging_replica::CachedRevision;
use crate::list_options::ListOptions;
use crate::options::WriteOptions;
use crate::patch::{self, Configuration, Patch};
use crate::query::{self, Query};
use crate::representation::View;
use crate::resource_type::ResourceType;
use crate::route::{ResourcePath, Verb};
use crate::store::{Commit, Read};
use crate::strategy::{self, Part};
use crate::update::Updated;
use crate::warnings::Warnings;
use crate::write::Target;
use crate::{
    account_token, aggregation, body, health, kubelet, list, managed_fields, non_resource_paths, pods,
    protobuf, rbac, request_timeout, review, scale, update, write,
};

/// The result of a request.
pub(crate) type ApiResult = Result<Response, Failure>;

/// A decoded request.
pub(crate) struct Call {
    pub(crate) cluster: Arc<Cluster>,
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) query: Query,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// The read of any version.
    pub(crate) any: Read,
    /// The authenticated user.
    pub(crate) user: User,
    /// The connection in another protocol, after a response with status 101.
    pub(crate) upgrade: OnUpgrade,
}

/// Handles any request.
pub(crate) async fn serve(State(cluster): State<Arc<Cluster>>, request: Request) -> Response {
    if !query::is_escaped(request.uri().path()) {
        return malformed_path();
    }
    let arrived = Instant::now();
    let mut response = match read(cluster, request).await {
        Ok(call) => match request_timeout::timed_out(&call, arrived).await {
            Some(response) => response,
            None => respond(&call).await.unwrap_or_else(Failure::into_response),
        },
        Err(failure) => failure.into_response(),
    };
    let headers = response.headers_mut();
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache, private"));
    }
    response
}

/// The response of Go's HTTP library: no handler sees the request.
fn malformed_path() -> Response {
    let mut response = health::plain_text(StatusCode::BAD_REQUEST, "400 Bad Request".to_owned(), false);
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

async fn read(cluster: Arc<Cluster>, mut request: Request) -> Result<Call, Failure> {
    let upgrade = hyper::upgrade::on(&mut request);
    let (parts, body) = request.into_parts();
    let user = User::of(&parts.headers, cluster.open)?;
    let cached = parts.extensions.get::<CachedRevision>();
    let any = cached.map_or(Read::Any, |CachedRevision(revision)| Read::Exactly(*revision));
    let body = to_bytes(body, body::LIMIT).await.map_err(|_| Failure::too_large(body::LIMIT))?;
    Ok(Call {
        cluster,
        method: parts.method,
        path: parts.uri.path().to_owned(),
        query: Query::parse(parts.uri.query().unwrap_or_default()),
        headers: parts.headers,
        body,
        any,
        user,
        upgrade,
    })
}

async fn respond(call: &Call) -> ApiResult {
    if let Some(unavailable) = aggregation::unavailable(call) {
        return Ok(unavailable);
    }
    let Some(path) = ResourcePath::parse(&call.path) else { return non_resource_paths::respond(call) };
    let verb = path.verb(&call.method, &call.query);
    let response = of_resource(call, verb, &path).await.unwrap_or_else(Failure::into_response);
    call.cluster.requests.count(call, verb, &path, response.status());
    Ok(response)
}

async fn of_resource(call: &Call, verb: Verb, path: &ResourcePath) -> ApiResult {
    let Some(ty) = call.cluster.registry.find(&path.group, &path.version, &path.plural) else {
        return unknown_resource(call, verb, path);
    };
    let allowed = call.user.may_resource(verb, path, &ty);
    allowed.or_else(|failure| rbac::grants(call, verb, path, &ty).then_some(()).ok_or(failure))?;
    resource(call, verb, path, ty).await
}

/// The response for an unknown resource.
fn unknown_resource(call: &Call, verb: Verb, path: &ResourcePath) -> ApiResult {
    let unknown =
        ResourceType { group: path.group.clone(), plural: path.plural.clone(), ..ResourceType::default() };
    call.user.may_resource(verb, path, &unknown)?;
    let served = call.cluster.registry.all();
    let built_in =
        |ty: &Arc<ResourceType>| ty.custom.is_none() && ty.group == path.group && ty.version == path.version;
    if path.group.is_empty() || served.iter().any(built_in) {
        Err(Failure::no_such_resource())
    } else {
        Ok(non_resource_paths::not_found())
    }
}

async fn resource(call: &Call, verb: Verb, path: &ResourcePath, ty: Arc<ResourceType>) -> ApiResult {
    let across = ty.namespaced && path.namespace.is_empty();
    if across && ty.custom.is_some() && !matches!(verb, Verb::List | Verb::Watch) {
        return Ok(non_resource_paths::not_found());
    }
    place::check(verb, path, &ty)?;
    place::check_head(&call.method, path, &ty)?;
    unsafe_delete::check(call, path, &ty)?;
    if kubelet::connects(&path.subresource) {
        return kubelet::connect(call, path, &ty);
    }
    if path.subresource == account_token::NAME {
        return account_token::issue(call, path, &ty);
    }
    if review::GROUPS.contains(&ty.group.as_str()) {
        return review::review(call, verb, &ty);
    }
    if call.cluster.warm_up
        && ty.custom.is_some()
        && matches!(verb, Verb::List | Verb::Watch)
        && call.cluster.store.is_fresh(&ty.group_resource())
    {
        return Err(Failure::initializing());
    }
    let streams = verb == Verb::Watch;
    let offer = Offer { protobuf: protobuf::offers(&ty), streams };
    let choice = content_negotiation::negotiate(&call.headers, offer)?;
    let view = View::of(choice, &call.query)?;
    view.check(verb)?;
    let warning = call.cluster.deprecated.note(&ty, &path.subresource);
    let mut response = match viewed(call, verb, path, ty, view).await {
        Ok(mut response) => {
            response.extensions_mut().insert(Agreed { encoding: choice.encoding, streams });
            response
        }
        Err(failure) => failure.into_response(),
    };
    if let Some(text) = warning.and_then(|text| field_validation::warning(&text).ok()) {
        response.headers_mut().append(WARNING, text);
    }
    Ok(response)
}

async fn viewed(
    call: &Call,
    verb: Verb,
    path: &ResourcePath,
    ty: Arc<ResourceType>,
    view: View,
) -> ApiResult {
    match verb {
        Verb::Get => read_verbs::get(call, path, &ty, &view).await,
        Verb::List => read_verbs::list(call, path, &ty, &view).await,
        Verb::Watch => read_verbs::open_watch(call, path, ty, view),
        Verb::DeleteCollection => delete_collection(call, path, &ty, &view).await,
        Verb::Delete => {
            large_request::respond(call, verb, path, &ty, || delete(call, path, &ty, &view)).await
        }
        verb => large_request::respond(call, verb, path, &ty, || write(call, verb, path, &ty, &view)).await,
    }
}

fn write(call: &Call, verb: Verb, path: &ResourcePath, ty: &ResourceType, view: &View) -> ApiResult {
    if verb == Verb::Patch {
        Patch::check_media(&body::media_type(&call.headers), ty)?;
    }
    let options = WriteOptions::of(&call.query, verb, applies(call, verb))?;
    let mut check = FieldCheck::new(options.fields);
    let manager = manager(call, &options);
    let warnings = Warnings::default();
    let mut target = target(call, path, ty, options.dry_run, &warnings);
    target.manager = &manager;
    if verb == Verb::Create && path.subresource.is_empty() {
        // The body alone names an object; the server ignores the path.
        target.name = "";
    }
    let result = if applies(call, verb) {
        let config = Configuration::read(&body::media_type(&call.headers), &call.body, options.force);
        config.and_then(|config| apply(call, path, &target, view, &config.of_type(ty), &mut check))
    } else if path.subresource == "scale" {
        scale::write(call, verb, &target, &mut check)
    } else if pods::is_posted(&path.subresource) {
        pods::post(call, &path.subresource, &target, &mut check)
    } else {
        write_object(call, verb, Part::of(&path.subresource), &target, view, &mut check)
    };
    // Failures have warnings as well.
    let mut response = result.unwrap_or_else(Failure::into_response);
    check.add_warnings_to(&mut response);
    warnings.add_to(&mut response);
    Ok(response)
}

/// Whether a request is a server-side apply.
fn applies(call: &Call, verb: Verb) -> bool {
    verb == Verb::Patch && patch::is_apply(&body::media_type(&call.headers))
}

/// The field manager: the parameter, or the User-Agent.
fn manager(call: &Call, options: &WriteOptions) -> String {
    if !options.manager.is_empty() {
        return options.manager.clone();
    }
    let agent =
        call.headers.get(USER_AGENT).map(|agent| String::from_utf8_lossy(agent.as_bytes()).into_owned());
    managed_fields::from_user_agent(&agent.unwrap_or_default())
}

fn apply(
    call: &Call,
    path: &ResourcePath,
    target: &Target<'_>,
    view: &View,
    config: &Configuration,
    check: &mut FieldCheck,
) -> ApiResult {
    let ty = target.ty;
    if path.subresource == "scale" {
        return scale::apply(target, config, check);
    }
    let may_create = || {
        let allowed = call.user.may_resource(Verb::Create, path, ty);
        allowed.or_else(|failure| rbac::grants(call, Verb::Create, path, ty).then_some(()).ok_or(failure))
    };
    let (status, object) =
        match update::apply(target, Part::of(&path.subresource), config, check, may_create)? {
            Updated::Changed(object) => (StatusCode::OK, object),
            Updated::Created(object) => (StatusCode::CREATED, object),
        };
    Ok(json(status, &view.object(ty, &object)))
}

fn write_object(
    call: &Call,
    verb: Verb,
    part: Part,
    target: &Target<'_>,
    view: &View,
    check: &mut FieldCheck,
) -> ApiResult {
    let ty = target.ty;
    let (status, object) = match verb {
        Verb::Create => {
            let sent = body::decoded(&call.headers, &call.body, ty, check)?;
            (StatusCode::CREATED, write::create(target, &sent)?)
        }
        Verb::Patch => {
            // Without the object, the response of kube-apiserver 1.36 is 404 whatever the patch is.
            let patch = Patch::read(&body::media_type(&call.headers), &call.body, ty);
            let patched = update::patch(target, part, |current| {
                let patch = patch.as_ref().map_err(Failure::clone)?;
                Ok(patch.apply(ty, current, check)?.into())
            })?;
            (StatusCode::OK, patched)
        }
        _ => {
            let sent = body::decoded(&call.headers, &call.body, ty, check)?;
            match update::update(target, part, &sent)? {
                Updated::Changed(object) => (StatusCode::OK, object),
                Updated::Created(object) => (StatusCode::CREATED, object),
            }
        }
    };
    for warning in strategy::warnings(ty, verb, &object) {
        check.warn(warning);
    }
    Ok(json(status, &view.object(ty, &object)))
}

fn target<'a>(
    call: &'a Call,
    path: &'a ResourcePath,
    ty: &'a ResourceType,
    dry_run: bool,
    warnings: &'a Warnings,
) -> Target<'a> {
    let commit = if dry_run { Commit::Dry } else { Commit::Real };
    Target {
        cluster: &call.cluster,
        ty,
        namespace: &path.namespace,
        name: &path.name,
        commit,
        manager: "",
        user: &call.user,
        warnings,
    }
}

fn delete(call: &Call, path: &ResourcePath, ty: &ResourceType, view: &View) -> ApiResult {
    let body = body::options(&call.headers, &call.body)?;
    let options = DeleteOptions::of(&call.query, body.as_ref())?;
    let warnings = Warnings::default();
    let deleted = delete::delete(&target(call, path, ty, options.dry_run, &warnings), &options);
    let mut response = match deleted {
        Ok((status, body)) if body["kind"] == "Status" => json(status, &body),
        Ok((status, object)) => json(status, &view.object(ty, &object)),
        Err(failure) => failure.into_response(),
    };
    warnings.add_to(&mut response);
    Ok(response)
}

/// Deletes the objects of a list with the same parameters, and returns the list.
async fn delete_collection(call: &Call, path: &ResourcePath, ty: &ResourceType, view: &View) -> ApiResult {
    let selected = ListOptions::of(&call.query, ty, false)?;
    let body = body::options(&call.headers, &call.body)?;
    let options = DeleteOptions::of(&call.query, body.as_ref())?;
    let prefix = ty.prefix(&path.namespace);
    let plan = list::reach_version(&call.cluster, &prefix, &selected).await?;
    let delete = || {
        let listed = list::list(&call.cluster, ty, &plan, &selected)?;
        let warnings = Warnings::default();
        let target = target(call, path, ty, options.dry_run, &warnings);
        delete::delete_all(&target, &options, &listed.page.items)?;
        Ok(json(StatusCode::OK, &view.list(ty, listed.metadata, &listed.page.items)))
    };
    large_request::respond(call, Verb::DeleteCollection, path, ty, delete).await
}

/// A JSON response.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    // Neither a value nor a list of them has a part that JSON cannot hold.
    let body = serde_json::to_string(value).unwrap_or_default() + "\n";
    (status, [(CONTENT_TYPE, "application/json")], body).into_response()
}
