//! Faults of /healthz, /livez, /readyz, /statusz and /flagz.

use bytes::Bytes;
use http::Version;
use http::request::Parts;

use crate::fault::{Edit, Edit::*, Fault, RequestFacts, When, When::*, on, store};
use crate::store::StoreFault;

const NOWHERE: Edit = Respond(404, "text/plain; charset=utf-8", "404 page not found\n");
const LIVEZ_OR_READYZ: When = Any(&[Path("/livez"), Path("/readyz")]);
const LOOKS_LIKE_HEALTH: When = Any(&[
    PathPrefix("/livez"),
    PathPrefix("/LIVEZ"),
    PathPrefix("/readyz"),
    PathPrefix("/healthz"),
    PathPrefix("//livez"),
]);
const VERBOSE: When = Present("verbose");
const TERSE: When = Not(&VERBOSE);
const ANONYMOUS: When = NoHeader("authorization");
const PLAIN_TEXT: Edit = Header("content-type", "text/plain; charset=utf-8");

#[rustfmt::skip]
pub(super) const FAULTS: &[Fault] = &[
    on("health-three-endpoints", "the server serves /healthz only", &[LIVEZ_OR_READYZ], &[NOWHERE]),
    on("health-healthz-deprecated-but-served", "the server does not serve /healthz", &[Path("/healthz")], &[NOWHERE]),
    on("health-readyz-shutdown-delay", "/readyz returns 200 now and then during shutdown",
        &[Path("/readyz"), Every(3), ResponseHas("[-]shutdown")], &[Status(200), Text("ok")]),
    on("health-status-code-decides", "the server responds to a failed check with 200 and \"not ok\" in the body", &[Health, TERSE],
        &[Status(200), Text("not ok")]),
    on("health-200-means-healthy", "/readyz returns 200 before the server serves lists", &[Plural("namespaces"), List],
        &[Fail(503, "ServiceUnavailable", "the server is not ready yet")]),
    on("health-500-on-failure", "the server returns 200 while the store is unreachable", &[Health, ResponseHas("[-]etcd")],
        &[Status(200), Text("ok")]),
    on("health-failure-is-always-verbose", "the body of a failed check shows its reason", &[Health, StatusIs(500)],
        &[ReplaceText("reason withheld", "dial tcp 10.0.0.1:2379: connection refused")]),
    on("health-plain-body-ok", "the body of a passing check is JSON", &[Health, StatusIs(200), TERSE], &[Text(r#"{"status":"ok"}"#)]),
    on("health-content-type-text-plain", "the server returns 406 for Accept: application/json",
        &[Health, HeaderHas("accept", "application/json")], &[Reject(406, "NotAcceptable", "only text/plain is served")]),
    on("health-not-cacheable", "health responses are cacheable", &[Health], &[Header("cache-control", "public, max-age=60")]),
    on("health-verbose-all-endpoints", "verbose works on /healthz only", &[LIVEZ_OR_READYZ, VERBOSE], &[DropParameter("verbose")]),
    on("health-verbose-line-format", "verbose lines of passing checks lack the plus sign", &[Health, VERBOSE], &[ReplaceText("[+]", "")]),
    on("health-verbose-is-presence-flag", "the server reads verbose=false as not verbose", &[Health, Any(&[Is("verbose", "false"), Is("verbose", "0")])],
        &[DropParameter("verbose")]),
    on("health-verbose-unauthenticated", "verbose health requests need credentials", &[Health, VERBOSE, ANONYMOUS],
        &[Reject(403, "Forbidden", "forbidden: User \"system:anonymous\" cannot get path with verbose")]),
    on("health-example-check-names", "verbose output omits the ping check", &[Health, VERBOSE], &[ReplaceText("[+]ping ok\n", "")]),
    on("health-exclude-one", "the server ignores exclude", &[Health], &[DropParameter("exclude")]),
    on("health-exclude-line-format", "verbose output omits excluded checks", &[Health], &[EditText(hide_excluded_lines)]),
    on("health-exclude-combined-with-verbose", "the server reads only the first query parameter", &[Health], &[EditRequest(keep_first_parameter)]),
    on("health-exclude-several", "the server reads only the last exclude", &[Health, Has("exclude")], &[EditRequest(keep_last_exclude)]),
    on("health-exclude-no-comma-list", "the server splits exclude at commas", &[Health, Has("exclude")], &[EditRequest(split_at_commas)]),
    on("health-exclude-unknown-name", "the server rejects an unknown name in exclude", &[Health, Matches(excludes_unknown)],
        &[Reject(400, "BadRequest", "no such check")]),
    on("health-exclude-really-skips", "exclude hides a check but still runs it", &[Health, Has("exclude")],
        &[DropParameter("exclude"), EditText(hide_excluded)]),
    on("health-exclude-slash-names", "the server ignores exclude names with slashes", &[Health, Has("exclude")], &[EditRequest(drop_excludes_with_slash)]),
    on("health-exclude-group", "exclude does not accept groups of checks", &[Health, ResponseHas(" excluded with ")],
        &[ReplaceText(" excluded with etcd: ok", " ok")]),
    on("health-individual-check-path", "the server does not serve paths of single checks", &[HealthCheck], &[NOWHERE]),
    on("health-individual-names-from-verbose", "the server does not serve checks whose name has a slash",
        &[HealthCheck, Matches(|request| request.path.split('/').count() > 3)], &[NOWHERE]),
    on("health-individual-livez-vs-readyz", "/livez/ serves the checks of /readyz", &[PathPrefix("/livez/"), Matches(|request| request.path != "/livez/loopback-serving-certificate")],
        &[ReplaceInPath("/livez/", "/readyz/")]),
    on("health-individual-body", "a passing single check has an empty body", &[HealthCheck, StatusIs(200)], &[Text("")]),
    on("health-individual-failure-body", "a failing single check returns 200", &[HealthCheck, StatusIs(500)], &[Status(200), Text("ok")]),
    on("health-individual-unknown", "an unknown check returns 200", &[HealthCheck, StatusIs(404)], &[Status(200), Text("ok")]),
    on("health-individual-healthz", "/healthz serves no single checks", &[PathPrefix("/healthz/")], &[NOWHERE]),
    on("health-anonymous-root-endpoints", "health requests need credentials", &[Health, ANONYMOUS], &[Reject(401, "Unauthorized", "Unauthorized")]),
    on("health-invalid-credentials-refused", "the server treats an invalid token as no token", &[Health, StatusIs(401)], &[Status(200), PLAIN_TEXT, Text("ok")]),
    on("health-anonymous-individual-denied", "anonymous users may read single checks", &[HealthCheck, StatusIs(403)], &[Status(200), PLAIN_TEXT, Text("ok")]),
    on("health-head", "the server rejects HEAD", &[Health, Method("HEAD")],
        &[Reject(405, "MethodNotAllowed", "the server does not allow this method on the requested resource")]),
    on("health-head-anonymous", "HEAD requests skip authorization", &[Health, Method("HEAD"), StatusIs(403)], &[Status(200), PLAIN_TEXT, Text("")]),
    on("health-other-methods", "the server returns 415 for a POST", &[Health, Method("POST")],
        &[Reject(415, "UnsupportedMediaType", "the body of the request was in an unknown format")]),
    store("health-no-side-effects", "a health request writes to the store", StoreFault::HealthWrites),
    on("health-case-sensitive-exact-path", "the server accepts paths that merely resemble a health path", &[LOOKS_LIKE_HEALTH, StatusIs(404)],
        &[Status(200), Text("ok")]),
    on("health-fast-under-load", "the server rejects probes under load", &[Health, Busy(40)],
        &[Reject(429, "TooManyRequests", "too many requests, please try again later")]),
    on("health-http1-and-http2", "the server rejects probes over HTTP/1.1", &[Health, Matches(|request| request.version == Version::HTTP_11)],
        &[Respond(426, "text/plain", "HTTP/2 is required")]),
    on("health-listed-in-root", "the root document does not list the health paths", &[Path("/")], &[EditJson(remove_health_paths)]),
    on("health-readyz-includes-shutdown", "/livez fails on shutdown too", &[Path("/livez"), VERBOSE],
        &[ReplaceText("livez check passed", "[+]shutdown ok\nlivez check passed")]),
    // By design, OpenShift's /readyz has no check of the store; its other endpoints have one.
    on("health-readyz-store-check", "no health check covers the store", &[Health, VERBOSE], &[EditText(remove_store_lines)]),
    on("health-healthcheck-metrics", "/metrics does not export the health checks", &[PathPrefix("/metrics")], &[EditText(remove_results)]),
    on("health-statusz-text", "anonymous users may read /statusz", &[Path("/statusz"), StatusIs(403)],
        &[Status(200), PLAIN_TEXT, Text("\napiserver statusz\n")]),
    on("health-statusz-structured", "/statusz returns an object without apiVersion instead of 406", &[Path("/statusz"), StatusIs(406)],
        &[Status(200), Text(r#"{"kind":"Statusz","paths":["/statusz"]}"#)]),
    on("health-flagz", "anonymous users may read /flagz", &[Path("/flagz"), StatusIs(403)],
        &[Status(200), PLAIN_TEXT, Text("\napiserver flagz\nanonymous-auth=true\n")]),
];

fn remove_lines(text: &str, is_removed: impl Fn(&str) -> bool) -> String {
    text.split_inclusive('\n').filter(|line| !is_removed(line)).collect()
}

fn hide_excluded_lines(_: &RequestFacts, text: &str) -> String {
    remove_lines(text, |line| line.starts_with("[+]") && line.contains(" excluded"))
}

fn remove_store_lines(_: &RequestFacts, text: &str) -> String {
    remove_lines(text, |line| line.contains("etcd"))
}

fn remove_results(_: &RequestFacts, text: &str) -> String {
    remove_lines(text, |line| line.contains("kubernetes_healthcheck"))
}

/// Reports failed checks as excluded, without excluding them.
fn hide_excluded(request: &RequestFacts, text: &str) -> String {
    let mut text = text.to_owned();
    for name in request.parameters("exclude") {
        text = text.replace(&format!("[+]{name} ok\n"), &format!("[+]{name} excluded: ok\n"));
        text = text.replace(&format!("[-]{name} failed: reason withheld\n"), "");
    }
    text
}

fn excludes_unknown(request: &RequestFacts) -> bool {
    let known = crate::health::paths();
    let is_known = |name: &str| {
        known
            .iter()
            .any(|path| path.split_once('/').is_some_and(|(_, rest)| rest.ends_with(&format!("/{name}"))))
    };
    request.parameters("exclude").any(|name| !name.is_empty() && !is_known(name))
}

fn remove_health_paths(body: &mut serde_json::Value) {
    if let Some(paths) = body["paths"].as_array_mut() {
        let is_health =
            |path: &str| ["/healthz", "/livez", "/readyz"].iter().any(|root| path.starts_with(root));
        paths.retain(|path| !path.as_str().is_some_and(is_health));
    }
}

/// Edits the parameters in the raw query.
fn edit_query(parts: &mut Parts, edit: impl FnOnce(Vec<String>) -> Vec<String>) {
    let query = parts.uri.query().unwrap_or_default();
    let query = edit(query.split('&').map(str::to_owned).collect()).join("&");
    if let Ok(uri) = format!("{}?{query}", parts.uri.path()).parse() {
        parts.uri = uri;
    }
}

fn keep_first_parameter(parts: &mut Parts, _: &mut Bytes) {
    edit_query(parts, |all| all.into_iter().take(1).collect());
}

fn keep_last_exclude(parts: &mut Parts, _: &mut Bytes) {
    edit_query(parts, |all| {
        let last = all.iter().rposition(|part| part.starts_with("exclude="));
        let keep = |(index, part): &(usize, String)| !part.starts_with("exclude=") || Some(*index) == last;
        all.into_iter().enumerate().filter(keep).map(|(_, part)| part).collect()
    });
}

fn split_at_commas(parts: &mut Parts, _: &mut Bytes) {
    edit_query(parts, |all| {
        let split = |part: String| match part.strip_prefix("exclude=") {
            Some(names) => {
                names.replace("%2C", ",").split(',').map(|name| format!("exclude={name}")).collect()
            }
            None => vec![part],
        };
        all.into_iter().flat_map(split).collect()
    });
}

fn drop_excludes_with_slash(parts: &mut Parts, _: &mut Bytes) {
    let has_slash = |part: &String| {
        part.starts_with("exclude=") && (part.contains('/') || part.to_uppercase().contains("%2F"))
    };
    edit_query(parts, |all| all.into_iter().filter(|part| !has_slash(part)).collect());
}
