//! What stands between a scenario and its clause accuses no server: missing permissions, outages, other writers, and pages
//! of a login.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::support::http::{Message, edited, exchange, response};
use crate::support::{Ended, Program, Proxy, Reference, Reply, kube_assay};

const FORBIDDEN: &str = r#"{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"User \"u\" cannot patch it"}"#;

/// Clauses with writes, patches, lists and watches.
fn run(url: &str, reference: &Reference) -> Program {
    let areas = ["--area", "update", "--area", "watch", "--profile", "basic"];
    kube_assay(&["run", "--server", url, "--token", reference.token()]).with(&areas)
}

/// A run that decides nothing about the server, and accuses it of nothing.
#[track_caller]
pub(super) fn expect_inconclusive(ended: &Ended, cause: &str) {
    assert!(ended.out.contains("inconclusive: test errors in"), "{}", ended.out);
    assert!(!ended.out.contains("nonconformant"), "{}", ended.out);
    assert!(ended.report("junit.xml").contains(cause), "{}", ended.out);
}

#[test]
fn a_user_without_a_permission() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("PATCH", _) => Reply::Bytes(response("403 Forbidden", "application/json", FORBIDDEN)),
        _ => Reply::Pass,
    });
    let ended = run(&proxy.url(), &reference).end().ended_with(3);
    expect_inconclusive(&ended, "403 Forbidden: User &quot;u&quot; cannot patch it");
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_gateway_that_loses_its_server_now_and_then() {
    let reference = Reference::right();
    let (requests, page) = (AtomicUsize::new(0), "<html>502 Bad Gateway</html>");
    let proxy = Proxy::before(&reference, move |request| {
        let number = requests.fetch_add(1, Ordering::SeqCst);
        let is_of_scenario = number > 20 && request.target().1.contains("/configmaps");
        if is_of_scenario && number.is_multiple_of(7) {
            return Reply::Bytes(response("502 Bad Gateway", "text/html", page));
        }
        Reply::Pass
    });
    let ended = run(&proxy.url(), &reference).end().ended_with(3);
    expect_inconclusive(&ended, "repeat the run when the server, and any proxy before it, is in service");
}

/// Traefik in the place of a server that is away, whose words are those of kube-apiserver; and a portal.
#[test]
fn something_else_that_responds_after_a_while() {
    let not_found = ["404 Not Found", "text/plain", "404 page not found\n"];
    for [status, media_type, body] in [not_found, ["200 OK", "application/json", "{}"]] {
        let (reference, requests) = (Reference::right(), AtomicUsize::new(0));
        let proxy = Proxy::before(&reference, move |_| {
            let is_away = requests.fetch_add(1, Ordering::SeqCst) > 300;
            if is_away { Reply::Bytes(response(status, media_type, body)) } else { Reply::Pass }
        });
        let short = ["--request-timeout", "3s", "--event-timeout", "1500ms"];
        let ended = run(&proxy.url(), &reference).with(&short).end().ended_with(3);
        expect_inconclusive(&ended, "is gone, and the run did not delete it: another server responds");
    }
}

/// JSON that is right, and that no program can judge.
#[test]
fn json_that_is_nested_too_deeply() {
    let reference = Reference::right();
    let nest = |response| {
        edited(response, |body| body["deep"] = (0..200).fold(Value::Null, |deep, _| json!([deep])))
    };
    let proxy = Proxy::before(&reference, move |request| {
        let is_list = request.target().1.contains("/configmaps") && !request.first.contains("watch=1");
        if is_list { Reply::Edited(nest) } else { Reply::Pass }
    });
    let ended = run(&proxy.url(), &reference).end().ended_with(3);
    expect_inconclusive(&ended, "that kube-assay cannot hold: it is nested more than 128 levels deep");
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// The end of a connection that nobody uses is no response to the next request.
#[test]
fn a_server_that_closes_each_connection_without_a_word() {
    let reference = Reference::right();
    let proxy =
        Proxy::before(
            &reference,
            |request| {
                if request.first.contains("watch=1") { Reply::Pass } else { Reply::Once }
            },
        );
    run(&proxy.url(), &reference).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// A cache that starts late has no history before its start. And a server that ends each watch.
#[test]
fn watches_that_end_before_their_time() {
    let expired =
        r#"{"type":"ERROR","object":{"kind":"Status","status":"Failure","reason":"Expired","code":410}}"#;
    let (late, every) = ("did its watch cache of this type start late", "");
    for (body, each, clauses, cause) in [
        (expired, 3, &["bookmarks-opt-in-parameter"][..], late),
        (expired, 4, &["watch-list-then-watch"], late),
        (expired, 1, &["bookmarks-opt-in-parameter"], every),
        (expired, 1, &["watch-list-then-watch"], every),
        ("", 1, &["watch-create-added", "rv-watch-initial-state-complete"], "its --min-request-timeout"),
    ] {
        let (reference, watches) = (Reference::right(), AtomicUsize::new(0));
        let proxy = Proxy::before(&reference, move |request| {
            let is_watch = request.first.contains("watch=1");
            if is_watch && watches.fetch_add(1, Ordering::SeqCst).is_multiple_of(each) {
                return Reply::Bytes(response("200 OK", "application/json", body));
            }
            Reply::Pass
        });
        let program =
            kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token(), "--parallel", "1"]);
        let program = clauses.iter().fold(program, |program, clause| program.with(&["--clause", clause]));
        let ended = program.end();
        if cause == every {
            ended.ended_with(1);
        } else {
            expect_inconclusive(&ended.ended_with(3), cause);
        }
    }
}

/// Each hop of HTTP/1.1 chooses how a body ends.
#[test]
fn a_watch_that_ends_with_its_connection_need_not_be_chunked() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        if request.first.contains("watch=1") {
            return Reply::Bytes("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n".into());
        }
        Reply::Pass
    });
    let run = ["run", "--server", &proxy.url(), "--token", reference.token(), "--clause", "watch-chunked"];
    let ended = kube_assay(&run).end().ended_with(3);
    assert!(ended.out.contains("the watch ends with its connection"), "{}", ended.out);
}

/// A watch without events is wrong, unless the server responds to nothing else either.
#[test]
fn a_server_that_stands_still_for_a_while() {
    for (stands_still, code) in [(true, 3), (false, 1)] {
        let (reference, watches) = (Reference::right(), AtomicUsize::new(0));
        let proxy = Proxy::before(&reference, move |request| {
            if request.first.contains("watch=1") {
                watches.fetch_add(1, Ordering::SeqCst);
                return Reply::Open(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n".into());
            }
            let is_held = stands_still && watches.load(Ordering::SeqCst) > 0;
            if is_held && request.target().1 == "/version" { Reply::Hold } else { Reply::Pass }
        });
        let one = ["--clause", "watch-incremental-delivery", "--event-timeout", "1500ms"];
        let program = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]).with(&one);
        let ended = program.with(&["--request-timeout", "3s"]).end().ended_with(code);
        let cause = "the server did not respond to GET /version within 2 s either";
        assert_eq!(ended.report("junit.xml").contains(cause), stands_still, "{}", ended.out);
    }
}

#[test]
fn a_login_that_expires_during_the_run() {
    let reference = Reference::right();
    let requests = AtomicUsize::new(0);
    let proxy = Proxy::before(&reference, move |request| {
        let expired = requests.fetch_add(1, Ordering::SeqCst) > 60 && request.target().0 == "GET";
        let page = || response("200 OK", "text/html", "<html>Sign in</html>");
        if expired { Reply::Bytes(page()) } else { Reply::Pass }
    });
    // Nothing can be removed: do not try for long.
    let short = ["--request-timeout", "3s", "--event-timeout", "1500ms"];
    let ended = run(&proxy.url(), &reference).with(&short).end().ended_with(3);
    expect_inconclusive(&ended, "does a proxy, a firewall or a login respond in the place of the server?");
}

/// A failure on a wrong server, while a controller writes to every `ConfigMap` that the run looks at.
#[test]
fn another_writer() {
    let reference = Reference::wrong(&["update-put-overwrites"]);
    let (address, token) = (reference.address(), reference.token().to_owned());
    let proxy = Proxy::before(&reference, move |request| {
        if let ("GET", path) = request.target()
            && path.ends_with("/configmaps/unchanged")
        {
            let target = format!("PATCH {path}?fieldManager=meddler");
            let annotation = r#"{"metadata":{"annotations":{"a":"b"}}}"#;
            let request = sent_by_others(&target, "application/merge-patch+json", annotation, &token);
            exchange(&address, &request).unwrap();
        }
        Reply::Pass
    });
    let ended = run(&proxy.url(), &reference).end().ended_with(3);
    expect_inconclusive(&ended, "meddler changes objects of the run, such as /api/v1/namespaces/assay-");
    run(&reference.url(), &reference).end().ended_with(1);
}

/// A right server, whose controller of Deployments changes them at any time, and which has no namespace controller.
#[test]
fn a_controller_of_deployments_alone() {
    let reference = Reference::variant("no-namespace-controller", &[]);
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", path) if path.ends_with("/deployments/probe") => Reply::Edited(|response| {
            edited(response, |deployment| deployment["status"]["observedGeneration"] = 1.into())
        }),
        _ => Reply::Pass,
    });
    let clause = ["--clause", "update-put-overwrites"];
    let run = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]).with(&clause);
    let ended = run.end().ended_with(0);
    assert!(ended.report("junit.xml").contains("a controller on this server changes Deployments"));
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// A failure on a right server, in whose namespaces a controller puts an object that `default` does not have.
#[test]
fn another_creator() {
    let reference = Reference::right();
    let (address, token) = (reference.address(), reference.token().to_owned());
    let proxy = Proxy::before(&reference, move |request| {
        if let ("POST", path) = request.target()
            && path.ends_with("/configmaps")
        {
            let object = r#"{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"ca-bundle"}}"#;
            let request = sent_by_others(&format!("POST {path}"), "application/json", object, &token);
            exchange(&address, &request).unwrap();
        }
        Reply::Pass
    });
    let clause = ["--clause", "single-deletecollection-honours-selector"];
    let run = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]).with(&clause);
    let ended = run.end().ended_with(3);
    expect_inconclusive(
        &ended,
        "another program creates the ConfigMap ca-bundle in the namespaces of the run",
    );
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// A failure on a right server whose admission counts the writes of each object.
#[test]
fn admission_that_changes_objects_with_each_write() {
    let reference = Reference::right();
    let writes = AtomicUsize::new(0);
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("POST" | "PUT", path) if path.contains("/configmaps") => {
            counted(request, writes.fetch_add(1, Ordering::SeqCst)).map_or(Reply::Pass, Reply::Instead)
        }
        _ => Reply::Pass,
    });
    let clause = ["--clause", "update-put-noop-keeps-rv", "--strict"];
    let run = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]).with(&clause);
    let ended = run.end().ended_with(3);
    expect_inconclusive(&ended, "admission changes example.com/writes of objects with each write");
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// Admission of the user's may have added a finalizer. A patch of a webhook makes kube-apiserver accept custom resources of
/// another kind. Without admission, the server is wrong.
#[test]
fn admission_that_changes_what_the_run_sends() {
    for clause in ["deletion-without-finalizers-is-immediate", "update-put-kind-mismatch-400"] {
        let reference = Reference::wrong(&[clause]);
        let url = reference.url();
        let run = || kube_assay(&["run", "--server", &url, "--token", reference.token(), "--clause", clause]);
        run().end().ended_with(1);
        let configuration = json!({
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": "MutatingWebhookConfiguration",
            "metadata": { "name": "changes-objects" },
        });
        reference
            .create("/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", &configuration);
        let ended = run().end().ended_with(3);
        expect_inconclusive(&ended, "mutatingwebhookconfigurations/changes-objects may be the cause");
        assert_eq!(reference.left_behind(), [""; 0]);
    }
}

/// A right server refuses what a policy of the user's denies.
#[test]
fn admission_that_denies_requests() {
    let reference = Reference::right();
    let url = reference.url();
    let clause = ["--clause", "patch-json-add-array-value"];
    let run = || kube_assay(&["run", "--server", &url, "--token", reference.token()]).with(&clause);
    run().end().ended_with(0);
    let group = "/apis/admissionregistration.k8s.io/v1";
    let rules = json!([{ "apiGroups": [""], "apiVersions": ["v1"], "operations": ["*"], "resources": ["configmaps"] }]);
    let validations =
        json!([{ "expression": "!has(object.metadata.finalizers)", "message": "no finalizers" }]);
    let policy = json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicy",
        "metadata": { "name": "no-finalizers" },
        "spec": { "matchConstraints": { "resourceRules": rules }, "validations": validations },
    });
    reference.create(&format!("{group}/validatingadmissionpolicies"), &policy);
    let binding = json!({
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": { "name": "no-finalizers" },
        "spec": { "policyName": "no-finalizers", "validationActions": ["Deny"] },
    });
    reference.create(&format!("{group}/validatingadmissionpolicybindings"), &binding);
    let ended = run().end().ended_with(3);
    expect_inconclusive(&ended, "the ValidatingAdmissionPolicy no-finalizers denies a request of the run");
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// A write of an object that has an annotation with this number.
fn counted(request: &Message, number: usize) -> Option<Message> {
    let mut object: Value = serde_json::from_slice(&request.body).ok()?;
    object["metadata"]["annotations"]["example.com/writes"] = number.to_string().into();
    let body = object.to_string().into_bytes();
    let mut headers = request.headers.clone();
    headers.retain(|line| !line.to_ascii_lowercase().starts_with("content-length"));
    headers.push(format!("content-length: {}", body.len()));
    Some(Message { first: request.first.clone(), headers, body })
}

/// RFC 9110, sections 8.3.1 and 5.6.6.
#[test]
fn media_types_in_another_case_and_with_blanks_are_the_same() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.header("accept") {
        Some(accept) if !request.first.contains("watch") && accept.contains("json") => {
            Reply::Edited(|response| {
                let other = |line: &String| line.replace(": application/json", ": Application/JSON ");
                Message { headers: response.headers.iter().map(other).collect(), ..response }
            })
        }
        _ => Reply::Pass,
    });
    let clauses = ["--clause", "representations-*", "--clause", "status-object-encoded-*"];
    let run = kube_assay(&["run", "--server", &proxy.url(), "--token", reference.token()]).with(&clauses);
    run.end().ended_with(0);
}

/// A request with the token of another program.
fn sent_by_others(target: &str, media_type: &str, body: &str, token: &str) -> Message {
    let headers = vec![
        "host: server".to_owned(),
        format!("authorization: Bearer {token}"),
        format!("content-type: {media_type}"),
        format!("content-length: {}", body.len()),
    ];
    Message { first: format!("{target} HTTP/1.1"), headers, body: body.as_bytes().to_vec() }
}

#[test]
fn a_collection_that_cannot_be_searched_for_leftovers() {
    let reference = Reference::right();
    let roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    let refused = AtomicUsize::new(0);
    let once = Proxy::before(&reference, move |request| {
        let is_refused = request.target() == ("GET", roles) && request.first.contains("limit=500");
        let first = is_refused && refused.fetch_add(1, Ordering::SeqCst) == 0;
        if first {
            Reply::Bytes(response("503 Service Unavailable", "text/plain", "later"))
        } else {
            Reply::Pass
        }
    });
    let always = Proxy::before(&reference, move |request| {
        let is_refused = request.target() == ("GET", roles) && request.first.contains("limit=500");
        if is_refused {
            Reply::Bytes(response("403 Forbidden", "application/json", FORBIDDEN))
        } else {
            Reply::Pass
        }
    });
    let of_roles = ["--clause", "metadata-name-present"];
    let run =
        |url: &str| kube_assay(&["run", "--server", url, "--token", reference.token()]).with(&of_roles).end();
    run(&once.url()).ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
    let ended = run(&always.url()).ended_with(3);
    assert!(
        ended.out.contains("*, perhaps: failed to list /apis/rbac.authorization.k8s.io/v1/clusterroles: 403"),
        "{}",
        ended.out
    );
}
