//! Templates that do not fit: found out before the first scenario, by one object that is removed again.

use crate::support::{Ended, Program, Proxy, Reference, Reply, kube_assay};

/// A run about a subject of a server, with a template.
fn about(url: &str, subject: &str, template: &str) -> Program {
    let reference = ["--server", url, "--token", "letmein-admin", "--subject", subject];
    let program = kube_assay(&["run", "--clause", "rv-list-nomatch-nolimit-unset"]).with(&reference);
    let file = program.file("template.yaml", template);
    program.with(&["--template", &file])
}

/// The error of a template that does not fit; nothing is left of it.
fn unfit(subject: &str, template: &str) -> String {
    let reference = Reference::right();
    assert_eq!(reference.token(), "letmein-admin");
    let ended = about(&reference.url(), subject, template).end();
    assert_eq!(reference.left_behind(), [""; 0]);
    ended.error()
}

#[test]
fn a_field_that_is_dropped_is_named() {
    let lease = "kind: Lease\nspec: {holderIdentity: x, nosuch: $VALUE}\n";
    insta::assert_snapshot!(unfit("coordination.k8s.io/v1/leases", lease));
}

#[test]
fn a_field_that_is_only_written_is_named() {
    let secret = "kind: Secret\nstringData: {text: $VALUE}\n";
    insta::assert_snapshot!(unfit("v1/secrets", secret));
}

#[test]
fn a_field_that_cannot_be_changed_is_named() {
    let configmap = "kind: ConfigMap\nimmutable: true\ndata: {text: $VALUE}\n";
    insta::assert_snapshot!(unfit("v1/configmaps", configmap));
}

#[test]
fn a_field_of_the_status_that_is_dropped_is_named() {
    let deployment = "kind: Deployment
spec:
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: a}, annotations: {value: $VALUE}}
    spec: {containers: [{name: none, image: kube-assay.dev/none}]}
status: {nosuch: $VALUE}
";
    insta::assert_snapshot!(unfit("apps/v1/deployments", deployment));
}

#[test]
fn a_rejected_template_has_the_servers_reason() {
    let deployment = "kind: Deployment\nspec: {replicas: 1}\n";
    insta::assert_snapshot!(unfit("apps/v1/deployments", deployment));
}

#[test]
fn a_rejected_update_of_a_template_has_the_servers_reason() {
    let reference = Reference::right();
    let puts = std::sync::atomic::AtomicUsize::new(0);
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        // The first changes the value of the object that was read, as any server lets it.
        ("PUT", _) if puts.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 1 => {
            let status = r#"{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","reason":"Invalid",
                "message":"spec.selector: Required value","code":422}"#;
            let head = "422 Unprocessable Entity";
            Reply::Bytes(crate::support::http::response(head, "application/json", status))
        }
        _ => Reply::Pass,
    });
    let template = "kind: ConfigMap\ndata: {text: $VALUE}\n";
    let ended = about(&proxy.url(), "v1/configmaps", template).end();
    insta::assert_snapshot!(ended.error());
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn objects_that_terminate_before_their_removal_are_an_error() {
    let pod = "kind: Pod\nmetadata: {annotations: {note: $VALUE}}
spec: {containers: [{name: none, image: kube-assay.dev/none}]}\n";
    insta::assert_snapshot!(unfit("v1/pods", pod));
}

#[test]
fn a_deletion_mark_in_the_response_alone_is_one_change() {
    let reference = Reference::right();
    let address = reference.address();
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("DELETE", path) if path.ends_with("-template") => {
            crate::support::http::exchange(&address, request).unwrap();
            let marked = r#"{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a",
                "deletionTimestamp":"2026-01-01T00:00:00Z"}}"#;
            Reply::Bytes(crate::support::http::response("200 OK", "application/json", marked))
        }
        _ => Reply::Pass,
    });
    let template = "kind: ConfigMap\ndata: {text: $VALUE}\n";
    about(&proxy.url(), "v1/configmaps", template).end().ended_with(0);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn objects_with_finalizers_of_the_server_are_an_error() {
    let reference = Reference::right();
    let address = reference.address();
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("POST", path) if path.ends_with("/configmaps") => {
            let created = crate::support::http::exchange(&address, request).unwrap();
            let created = String::from_utf8(created).unwrap();
            let (_, body) = created.split_once("\r\n\r\n").unwrap();
            let held = r#""metadata":{"finalizers":["example.com/held"],"#;
            let body = body.replacen("\"metadata\":{", held, 1);
            Reply::Bytes(crate::support::http::response("201 Created", "application/json", &body))
        }
        _ => Reply::Pass,
    });
    let template = "kind: ConfigMap\ndata: {text: $VALUE}\n";
    let ended = about(&proxy.url(), "v1/configmaps", template).end();
    insta::assert_snapshot!(ended.error());
    assert_eq!(reference.left_behind(), [""; 0]);
}

/// A server that returns another value than the written one for a GET of the template's object.
fn with_value(value: &'static str) -> (Reference, Ended) {
    let reference = Reference::right();
    let address = reference.address();
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("GET", path) if path.ends_with("-template") => {
            let response = crate::support::http::exchange(&address, request).unwrap();
            let text = String::from_utf8(response).unwrap().replacen(":\"first\"", value, 1);
            Reply::Bytes(text.into_bytes())
        }
        _ => Reply::Pass,
    });
    let ended = about(&proxy.url(), "v1/configmaps", "kind: ConfigMap\ndata: {kept: x}\n").end();
    (reference, ended)
}

#[test]
fn without_a_mark_the_annotation_is_named() {
    // As long as the replaced text, so the length of the body stays correct.
    let (reference, ended) = with_value(":\"other\"");
    insta::assert_snapshot!(ended.error());
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn an_interruption_removes_the_object() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", path) if path.ends_with("-template") => Reply::Hold,
        _ => Reply::Pass,
    });
    let template = "kind: ConfigMap\ndata: {text: $VALUE}\n";
    let running = about(&proxy.url(), "v1/configmaps", template).start();
    proxy.holds();
    assert!(!reference.left_behind().is_empty());
    running.signal("INT");
    running.end().ended_with(3);
    assert_eq!(reference.left_behind(), [""; 0]);
}
