//! The types that discovery lists, and the first pages of their lists.

use futures::{StreamExt, stream};
use harness::branch;

use crate::openapi;
use crate::prelude::*;

/// Maximum number of concurrent requests.
const AT_A_TIME: usize = 4;

/// How long each of them may take.
pub(crate) const LONGEST: Duration = Duration::from_secs(10);

/// A type, as discovery describes it.
#[derive(Debug, Clone)]
pub(crate) struct Type {
    /// The path of its group and version.
    root: String,
    /// The plural, as in paths.
    plural: String,
    /// As in objects.
    pub(crate) kind: String,
    /// Whether its objects live in namespaces.
    pub(crate) namespaced: bool,
    verbs: Vec<String>,
}

impl Type {
    /// Reads the description of a resource, unless it is a subresource.
    pub(crate) fn read(root: &str, found: &Value) -> Option<Self> {
        let text = |field: &str| found[field].as_str().map(str::to_owned);
        let verbs = found["verbs"].as_array().into_iter().flatten();
        let verbs = verbs.filter_map(|verb| verb.as_str().map(str::to_owned)).collect();
        // The names of subresources have a slash.
        let plural = text("name").filter(|name| !name.contains('/'))?;
        let namespaced = found["namespaced"] == true;
        Some(Self { root: root.to_owned(), plural, kind: text("kind")?, namespaced, verbs })
    }

    /// Where its objects are listed, of all namespaces if it has any.
    pub(crate) fn path(&self) -> String {
        format!("{}/{}", self.root, self.plural)
    }

    /// Where its objects are listed in a namespace, whether or not it has any.
    pub(crate) fn path_in(&self, namespace: &str) -> String {
        format!("{}/namespaces/{namespace}/{}", self.root, self.plural)
    }

    /// Where its objects are created and listed: in the namespace `default`, if it has namespaces.
    pub(crate) fn default_path(&self) -> String {
        if self.namespaced { self.path_in("default") } else { self.path() }
    }

    /// Its group and version, as in objects.
    pub(crate) fn api_version(&self) -> &str {
        self.root.trim_start_matches("/apis/").trim_start_matches("/api/")
    }

    /// Its group; empty for the core group.
    pub(crate) fn group(&self) -> &str {
        group_version(&self.root).0
    }

    /// Whether its objects are stored: a server may compute others for each request.
    pub(crate) fn is_stored(&self) -> bool {
        self.can("list") && self.can("watch")
    }

    /// The path of the definition of a custom type.
    pub(crate) fn definition(&self) -> Option<String> {
        let (group, _) = self.root.strip_prefix("/apis/")?.split_once('/')?;
        let definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
        Some(format!("{definitions}/{}.{group}", self.plural))
    }

    /// Whether clients read and write its objects in every way, so that they are surely stored.
    pub(crate) fn is_written(&self) -> bool {
        ["create", "delete", "get", "list", "update"].iter().all(|verb| self.can(verb))
    }

    /// Whether it is of the core group.
    pub(crate) fn is_core(&self) -> bool {
        self.root == "/api/v1"
    }

    /// Whether discovery lists this verb.
    pub(crate) fn can(&self, verb: &str) -> bool {
        self.verbs.iter().any(|known| known == verb)
    }

    /// Without Secrets: a report may show the responses.
    fn may_be_listed(&self) -> bool {
        self.can("list") && self.path() != "/api/v1/secrets"
    }
}

/// All types that this server serves itself, in every version; what cannot be discovered is left out.
pub(crate) async fn all(cx: &Context) -> Result<Vec<Type>, Halt> {
    let found = discovered(cx).await?;
    let types = found.iter().flat_map(|(root, found)| {
        resources(found).filter_map(|found| Type::read(root, found)).collect::<Vec<_>>()
    });
    Ok(types.collect())
}

/// The discovery document of each group version that the server serves itself, with its path.
pub(crate) async fn discovered(cx: &Context) -> Result<Vec<(String, Arc<Exchange>)>, Halt> {
    let elsewhere = aggregated(cx).await?;
    let groups = cx.send(Request::get("/apis")).await?;
    let groups = groups.json().map(|json| each(&json["groups"])).unwrap_or_default();
    let versions = groups.iter().flat_map(|group| each(&group["versions"]));
    let versions = versions.filter_map(|version| version["groupVersion"].as_str().map(str::to_owned));
    let own =
        versions.filter(|version| !elsewhere.contains(version)).map(|version| format!("/apis/{version}"));
    let roots: Vec<_> = ["/api/v1".to_owned()].into_iter().chain(own).collect();
    // They are few, and a type that is omitted here would be missing in every scenario on all types.
    let mut documents = send_for_each(cx, roots, |root: &String| Request::get(root), None).await?;
    documents.retain(|(_, document)| document.status() == 200);
    Ok(documents)
}

/// The discovery document with a type, and its entry there. Fails if it has none.
pub(crate) async fn discovered_type(
    cx: &Context,
    resource: &Resource,
) -> Result<(Arc<Exchange>, Value), Halt> {
    let found = cx.send(Request::get(resource.root())).await?;
    let entry = resources(&found).find(|entry| entry["name"] == resource.plural).cloned();
    let entry =
        entry.ok_or_else(|| found.fail(format!("{} in discovery", resource.plural), found.brief()))?;
    Ok((found, entry))
}

/// Whether the path of a group version is one of Kubernetes' own.
pub(crate) fn is_of_the_project(root: &str) -> bool {
    openapi::is_of_the_project(group_version(root).0)
}

/// The group and version of a path.
pub(crate) fn group_version(root: &str) -> (&str, &str) {
    let named = root.strip_prefix("/apis/").and_then(|place| place.split_once('/'));
    named.unwrap_or(("", root.trim_start_matches("/api/")))
}

/// The resources of a group version, subresources among them.
pub(crate) fn resources(found: &Exchange) -> impl Iterator<Item = &Value> {
    found.json().and_then(|json| json["resources"].as_array()).into_iter().flatten()
}

/// Whether a scenario that runs on several types looks at all others as well: once is enough.
pub(crate) fn once(collection: &Collection) -> bool {
    *collection.resource() == Resource::configmaps()
}

/// The types of Kubernetes itself that this server serves.
pub(crate) async fn built_in(cx: &Context) -> Result<Vec<Type>, Halt> {
    let foreign = openapi::custom_groups(cx).await?;
    let mut types = all(cx).await?;
    types.retain(|ty| openapi::is_of_the_project(ty.group()) && !foreign.contains(ty.group()));
    Ok(types)
}

/// A request for each of these types that we may list, and its response.
pub(crate) async fn ask_about(
    cx: &Context,
    types: Vec<Type>,
    request: fn(&Type) -> Request,
) -> Result<Vec<(Type, Arc<Exchange>)>, Halt> {
    send_for_each(cx, types.into_iter().filter(Type::may_be_listed).collect(), request, Some(LONGEST)).await
}

/// The first item of the list of every type that we may list. Skips where there is none.
pub(crate) async fn lists(cx: &Context) -> Result<Vec<(Type, Arc<Exchange>)>, Halt> {
    lists_of(cx, all(cx).await?).await
}

/// The same of these types.
pub(crate) async fn lists_of(cx: &Context, types: Vec<Type>) -> Result<Vec<(Type, Arc<Exchange>)>, Halt> {
    lists_of_up_to(cx, types, 1).await
}

/// The lists of these types, with this limit.
pub(crate) async fn lists_of_up_to(
    cx: &Context,
    types: Vec<Type>,
    most: usize,
) -> Result<Vec<(Type, Arc<Exchange>)>, Halt> {
    let types = types.into_iter().filter(Type::may_be_listed).collect();
    let lists = ask_each(cx, types, |ty: &Type| Request::get(ty.path()).query("limit", most)).await?;
    if lists.is_empty() { Err(Halt::skip("no type can be listed")) } else { Ok(lists) }
}

/// The versions of groups that other servers serve.
pub(crate) async fn aggregated(cx: &Context) -> Result<Vec<String>, Halt> {
    if !cx.target_info().serves("apiregistration.k8s.io") {
        return Ok(Vec::new());
    }
    let listed = cx.send(Request::get("/apis/apiregistration.k8s.io/v1/apiservices")).await?;
    let services = listed.json().map(|json| each(&json["items"])).unwrap_or_default();
    let elsewhere = services.iter().filter(|service| !service["spec"]["service"].is_null());
    let text = |service: &Value, field: &str| service["spec"][field].as_str().unwrap_or_default().to_owned();
    Ok(elsewhere.map(|service| format!("{}/{}", text(service, "group"), text(service, "version"))).collect())
}

/// Sends a request for each, and returns the responses with 200.
async fn ask_each<T: Send>(
    cx: &Context,
    about: Vec<T>,
    request: impl Fn(&T) -> Request,
) -> Result<Vec<(T, Arc<Exchange>)>, Halt> {
    let mut responses = send_for_each(cx, about, request, Some(LONGEST)).await?;
    for (_, response) in &responses {
        note_failed_list(cx, response);
    }
    responses.retain(|(_, response)| response.status() == 200);
    Ok(responses)
}

/// Notes that a type is left out because the server fails to list it. The user may lack the permission to list others.
pub(crate) fn note_failed_list(cx: &Context, listed: &Exchange) {
    if listed.status() >= 500 {
        cx.note(format!("left out: failed to GET {}: {}", listed.request.path, listed.brief()));
    }
}

/// Sends a request about each, a few at a time.
///
/// With a limit for each, leaves out what did not arrive, and takes at most half of the time that the scenario has left: what
/// it has not sent by then is not tested. Without one, what did not arrive is a test error.
pub(crate) async fn send_for_each<T: Send>(
    cx: &Context,
    about: Vec<T>,
    request: impl Fn(&T) -> Request,
    longest: Option<Duration>,
) -> Result<Vec<(T, Arc<Exchange>)>, Halt> {
    let (count, time) = (about.len(), TimeForAllTypes::of(cx));
    let sending = about.into_iter().map(|one| {
        let (cx, request) = (cx.clone(), request(&one));
        let request = longest.into_iter().fold(request, Request::within);
        async move { (one, cx.send(request).await) }
    });
    let mut received = stream::iter(sending.map(branch)).buffered(AT_A_TIME).enumerate();
    let mut responses = Vec::new();
    while let Some((number, (one, response))) = received.next().await {
        match response {
            Ok(response) => responses.push((one, response)),
            Err(Halt::Errored(why)) if longest.is_some() => cx.note(format!("left out: {why}")),
            Err(other) => return Err(other),
        }
        if longest.is_some() && time.has_passed_before(cx, number + 1, count) {
            break;
        }
    }
    Ok(responses)
}

/// Half of the time that a scenario has left, for requests about all types of a server.
pub(crate) struct TimeForAllTypes {
    began: Instant,
    most: Duration,
}

impl TimeForAllTypes {
    pub(crate) fn of(cx: &Context) -> Self {
        Self { began: Instant::now(), most: cx.time_left() / 2 }
    }

    /// Whether it has passed before all requests were sent: the others are not tested.
    pub(crate) fn has_passed_before(&self, cx: &Context, sent: usize, all: usize) -> bool {
        let ends_early = sent < all && self.began.elapsed() > self.most;
        if ends_early {
            let why = format!("{sent} of {all} took {} s", self.most.as_secs());
            let hint = "give a slow server more time with --scenario-timeout, or less to do with --parallel";
            let action = "send the requests about all types of the server";
            cx.leave_unjudged(cx.test_error(action, why).hint(hint));
        }
        ends_early
    }
}

fn each(list: &Value) -> Vec<Value> {
    list.as_array().cloned().unwrap_or_default()
}
