//! The first look at a target: is it there, is it a Kubernetes API server, may we use it, and what does it say of itself?

mod identity;
mod invalid_json;
mod readiness;
mod subject;

use model::{Exchange, Request, TargetInfo, TestError, Type, UnreadableJson, Version};
use serde_json::Value;

use self::invalid_json::invalid_json;
use crate::client::Client;

/// The most that a server may take to say who it is: it becomes many times as much once it is parsed.
const LONGEST: usize = 2 << 20;

/// The user agent of its requests.
const AGENT: &str = "kube-assay target-info";

const BUSY: &str = "is the server up and well? try again later";

/// The length of the shown part of an unexpected response, in characters.
const SHOWN: usize = 80;

impl Client {
    /// Asks the server what it is. Every way in which this can fail ends in one sentence that says what to do.
    pub async fn target_info(&self) -> Result<TargetInfo, TestError> {
        let client = self;
        let version = ask(client, Request::get("/version")).await?;
        client.wait_until_ready().await;
        let core = ask(client, Request::get("/api/v1")).await?;
        let groups = ask(client, Request::get("/apis")).await?;
        if core.status() == 403 && groups.status() == 403 {
            return Err(unusable(client, &groups, "use credentials that may read /api and /apis"));
        }
        from_responses(client, &version, &core, &groups).await
    }
}

/// What these responses say of a server, and what it has of the types of the shapes.
async fn from_responses(
    client: &Client,
    version: &Exchange,
    core: &Exchange,
    groups: &Exchange,
) -> Result<TargetInfo, TestError> {
    for server in 1..=client.replicas().len() {
        let server = u8::try_from(server).unwrap_or(u8::MAX);
        let response = patiently(client, Request::get("/apis").through(server)).await?;
        // Where the target lacks /apis, its replicas do too.
        let both_lack_it = [&response, groups].iter().all(|response| response.status() == 404);
        if let Some(advice) = refusal(&response).filter(|_| !both_lack_it) {
            return Err(unusable(client, &response, advice));
        }
    }
    let said = |text: &str| client.redactor().redact(text);
    let mut target_info = TargetInfo {
        address: client.address(),
        replicas: client.replicas(),
        version: version.json().and_then(minor),
        release: client.release(version),
        cluster: client.cluster_with(core).await,
        groups: core_group(core).into_iter().chain(group_names(groups)).map(said).collect(),
        types: types_of(core, |name| SUBJECTS.contains(&("v1", name))),
    };
    for (api_version, plural) in SUBJECTS {
        if api_version.split_once('/').is_some_and(|(group, _)| target_info.serves(group)) {
            let found = patiently(client, Request::get(format!("/apis/{api_version}"))).await?;
            target_info.types.extend(types_of(&found, |name| name == plural));
        }
    }
    Ok(target_info)
}

/// The types of the shapes, besides the run's own.
const SUBJECTS: [(&str, &str); 4] = [
    ("v1", "configmaps"),
    ("v1", "namespaces"),
    ("apps/v1", "deployments"),
    ("rbac.authorization.k8s.io/v1", "clusterroles"),
];

/// The types that a group version discovers, each with the names of its subresources.
pub fn types_of(discovered: &Exchange, wanted: impl Fn(&str) -> bool) -> Vec<Type> {
    let Some(json) = discovered.json().filter(|_| discovered.succeeded()) else { return Vec::new() };
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = move || json["resources"].as_array().into_iter().flatten();
    let subresources = |plural: &str| -> Vec<String> {
        let below =
            |one: &Value| one["name"].as_str()?.strip_prefix(plural)?.strip_prefix('/').map(str::to_owned);
        all().filter_map(below).collect()
    };
    let read = |one: &Value| {
        let plural = text(&one["name"]);
        (!plural.contains('/') && wanted(&plural)).then(|| Type {
            api_version: text(&json["groupVersion"]),
            kind: text(&one["kind"]),
            namespaced: one["namespaced"] == true,
            verbs: one["verbs"].as_array().into_iter().flatten().map(text).collect(),
            subresources: subresources(&plural),
            plural,
            ..Type::default()
        })
    };
    all().filter_map(read).collect()
}

async fn ask(client: &Client, request: Request) -> Result<Exchange, TestError> {
    let response = patiently(client, request).await?;
    match refusal(&response) {
        Some(advice) => Err(unusable(client, &response, advice)),
        None => Ok(response),
    }
}

/// The response, after a throttled request was sent again.
async fn patiently(client: &Client, request: Request) -> Result<Exchange, TestError> {
    let action = format!("get a response to GET {}{}", client.address_for(&request), request.path);
    let (response, given_up) = client.send_patiently(request, AGENT).await?;
    let Some(cause) = given_up else { return Ok(response) };
    Err(TestError::new(action, client.redactor().redact(&cause)).hint(BUSY))
}

/// What to do about a response that is none of a Kubernetes API server; `None` if it is one.
fn refusal(response: &Exchange) -> Option<&'static str> {
    const ELSEWHERE: &str = "no Kubernetes API server responds like this: is it the right address?";
    const ONE_GROUP: &str =
        "is it the right address? a server without /apis needs --subject GROUP/VERSION/RESOURCE";
    const CHANGED: &str = "does the server, or a proxy or middleware before it, change response bodies? \
                           compare with the body that `curl` gets from the server itself";
    if response.response.body.len() > LONGEST {
        return Some(ELSEWHERE);
    }
    match response.status() {
        400 if response.text().contains("HTTP request to an HTTPS server") => {
            Some("the server speaks TLS there: use https://")
        }
        401 => Some("the server does not accept the credentials: check token or certificate"),
        200 if response.json().is_some_and(|json| discovers(&response.request.path, json)) => None,
        403 if response.json().is_some_and(Value::is_object) => None,
        // A server need not say its version, nor serve the core group.
        404 if response.request.path != "/apis" => None,
        404 => Some(ONE_GROUP),
        300..=399 => Some("redirects are not followed: name the server's own address"),
        500..=599 => Some(BUSY),
        200 if response.request.path == "/apis" && response.json().is_some_and(Value::is_object) => {
            Some(ONE_GROUP)
        }
        200 if response.unreadable_json().is_some() => {
            Some("does the server, or a proxy before it, write such JSON?")
        }
        200 if invalid_json(response).is_some() => Some(CHANGED),
        _ => Some(ELSEWHERE),
    }
}

/// Whether this is what a Kubernetes API server has at a path.
fn discovers(path: &str, json: &Value) -> bool {
    match path {
        "/apis" => json["groups"].is_array(),
        "/version" => json.is_object() && json["kind"] != "Status",
        _ => json["resources"].is_array(),
    }
}

fn unusable(client: &Client, response: &Exchange, advice: &str) -> TestError {
    let attempted = format!("use {} as a Kubernetes API server", client.address_for(&response.request));
    let why = format!("the server responded to GET {} with {}", response.request.path, shown(response));
    TestError::new(attempted, client.redactor().redact(&why)).hint(advice)
}

/// A response on one line: the beginning of what is not Kubernetes' own.
fn shown(response: &Exchange) -> String {
    if let Some(to) = response.header("location").filter(|_| (300..400).contains(&response.status())) {
        return format!("{}, a redirect to {to}", response.status());
    }
    if response.response.body.len() > LONGEST {
        return format!("{} and {} bytes", response.status(), response.response.body.len());
    }
    let is_compressed = response.header("content-encoding").is_some();
    if is_compressed || response.json().is_some_and(|json| json["kind"] == "Status") {
        return response.brief();
    }
    if let Some(UnreadableJson { cause, line, column }) = response.unreadable_json() {
        let place = format!("line {line}, column {column}");
        return format!("{} and JSON that kube-assay cannot hold: {cause} ({place})", response.status());
    }
    if let Some(cause) = invalid_json(response) {
        return format!("{} and a body that is no JSON: {cause}", response.status());
    }
    let text = response.text();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut = if text.chars().count() > SHOWN { "…" } else { "" };
    let beginning: String = text.chars().take(SHOWN).collect();
    match response.header("content-type") {
        _ if beginning.is_empty() => format!("{} and nothing else", response.status()),
        Some(media_type) => format!("{} and {media_type}: {beginning}{cut}", response.status()),
        None => format!("{} and: {beginning}{cut}", response.status()),
    }
}

/// The Kubernetes minor: the emulated one where the server names it, because it behaves as that release. Otherwise from
/// `major` and `minor` or from `gitVersion`; the newer where they differ, because a server may give the version of a
/// component in one of the two.
fn minor(version: &Value) -> Option<Version> {
    let of_fields = |major, minor| -> Option<Version> {
        let number = |field| version.get(field)?.as_str();
        format!("{}.{}", number(major)?, number(minor)?).parse().ok()
    };
    let release = || {
        let release = version["gitVersion"].as_str()?.trim_start_matches('v');
        release.splitn(3, '.').take(2).collect::<Vec<_>>().join(".").parse().ok()
    };
    let of_kubernetes = |version: &Version| version.major == 1;
    let emulated = of_fields("emulationMajor", "emulationMinor").filter(of_kubernetes);
    let released = [of_fields("major", "minor"), release()].into_iter().flatten().filter(of_kubernetes);
    emulated.or_else(|| released.max())
}

/// The names of the groups in `/apis`.
fn group_names(groups: &Exchange) -> impl Iterator<Item = &str> {
    let listed = groups.json().and_then(|json| json["groups"].as_array()).into_iter().flatten();
    listed.filter_map(|group| group["name"].as_str())
}

/// The core group, if the server has it.
fn core_group(core: &Exchange) -> Option<&str> {
    let has_resources = core.succeeded() && core.json().is_some_and(|json| json["resources"].is_array());
    has_resources.then_some("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Response, Timing};
    use serde_json::json;

    #[test]
    fn types_are_told_with_their_subresources() {
        let resources = json!([
            { "name": "widgets", "kind": "Widget", "namespaced": true, "verbs": ["get", "list"] },
            { "name": "widgets/status", "kind": "Widget", "namespaced": true, "verbs": ["get"] },
            { "name": "widgetsets", "kind": "WidgetSet", "namespaced": false, "verbs": [] },
            { "name": "widgets/scale", "kind": "Scale", "namespaced": true, "verbs": ["get"] },
        ]);
        let body = json!({ "groupVersion": "example.com/v1", "resources": resources }).to_string();
        let response = Response { status: 200, body: body.into(), ..Response::default() };
        let discovered = Exchange::new(0, Request::get("/apis/example.com/v1"), response, Timing::default());
        let types = types_of(&discovered, |name| name == "widgets");
        let [widgets] = types.as_slice() else { panic!("{types:?}") };
        assert_eq!((widgets.api_version.as_str(), widgets.kind.as_str()), ("example.com/v1", "Widget"));
        assert_eq!(widgets.subresources, ["status", "scale"]);
        assert!(widgets.namespaced && widgets.has("scale"));
    }

    #[test]
    fn the_minor_is_taken_from_where_it_is() {
        assert_eq!(minor(&json!({"major": "1", "minor": "30+"})), Some(Version { major: 1, minor: 30 }));
        assert_eq!(
            minor(&json!({"major": "", "minor": "", "gitVersion": "v1.33.4-eks"})),
            Some(Version { major: 1, minor: 33 })
        );
        let component = json!({"major": "1", "minor": "2", "gitVersion": "v1.36.3"});
        assert_eq!(minor(&component), Some(Version { major: 1, minor: 36 }));
        let product = json!({"major": "1", "minor": "30", "gitVersion": "v4.18.0"});
        assert_eq!(minor(&product), Some(Version { major: 1, minor: 30 }));
        let emulating = json!({"major": "1", "minor": "36", "emulationMajor": "1", "emulationMinor": "35", "gitVersion": "v1.36.3"});
        assert_eq!(minor(&emulating), Some(Version { major: 1, minor: 35 }));
        assert_eq!(minor(&json!({"major": "", "minor": "", "gitVersion": "v0.0.0-master"})), None);
        assert_eq!(minor(&json!({})), None);
    }
}
