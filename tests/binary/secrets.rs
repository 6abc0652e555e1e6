//! Credentials appear in no output, whatever the server does with them.

use crate::support::http::{Message, edited, response};
use crate::support::{Listener, Program, Proxy, Reference, Reply, kube_assay};

/// A response of a server that echoes the token.
fn echo(request: &Message) -> Vec<u8> {
    let credential = request.header("authorization").unwrap_or("none");
    let token = credential.trim_start_matches("Bearer ");
    // The cut that a transcript makes shall fall into the token, for some of the paddings.
    let padding = "x".repeat(3_900 + token.len() * 7 % 100);
    let body =
        format!(r#"{{"kind":"Status","status":"Failure","message":"{token}, {padding}{credential}"}}"#);
    let length = body.len();
    format!(
        "HTTP/1.1 500 Internal Server Error\r\nx-you-sent: {credential}\r\nlocation: http://127.0.0.1:1/?token={token}\r\n\
         set-cookie: a={token}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\
         connection: close\r\n\r\n{body}"
    )
    .into_bytes()
}

/// Wherever a server gives a token back, it is not in what we say and write.
#[test]
fn an_echo_in_every_response_of_a_scenario() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", path) if path.contains("/namespaces/assay-") && path.ends_with("/configmaps") => {
            Reply::Bytes(echo(request))
        }
        _ => Reply::Pass,
    });
    let by_flag = ["--token", reference.token()];
    let ended = Program::testing(&proxy.url()).with(&by_flag).with(&["-v"]).end();
    let program = Program::testing(&proxy.url());
    let file = program.file("token", reference.token());
    for ended in [ended, program.with(&["--token-file", &file]).end()] {
        assert_ne!(ended.code, Some(0));
        let everything = ended.everything();
        assert!(everything.contains("[redacted]") && everything.contains("x-you-sent"), "{everything}");
        assert_hidden(&everything, reference.token());
    }
}

/// No part of it shows that is long enough to be one.
#[track_caller]
fn assert_hidden(everything: &str, secret: &str) {
    for length in 10..=secret.len() {
        assert!(!everything.contains(&secret[..length]), "{} in {everything}", &secret[..length]);
    }
}

#[test]
fn a_token_that_a_transcript_cuts_anywhere() {
    const TOKEN: &str = "s3cr3t-0123456789-abcdefghij";
    // A server of its own: the token is cut at every third of its bytes.
    for shift in (0..TOKEN.len()).step_by(3) {
        let listener = Listener::start(move |mut stream| {
            use std::io::Write as _;
            let Some(request) = Message::read(&mut stream) else { return };
            let text = format!("{}{TOKEN}", "x".repeat(80 - shift));
            let status = if request.target().1 == "/version" { "418 I'm a teapot" } else { "200 OK" };
            let _ = stream.write_all(&response(status, "text/plain", &text));
        });
        let ended = Program::facing(&listener).with(&["--token", TOKEN]).end();
        assert!(ended.error().contains("418"), "{}", ended.err);
        assert!(shift < 10 || !ended.everything().contains(&TOKEN[..10]), "{}", ended.everything());
    }
}

#[test]
fn an_echo_in_the_target_info() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        (_, "/version") => {
            let sent = request.header("authorization").unwrap_or_default();
            let body = format!(r#"{{"major":"1","minor":"36","gitVersion":"v1.36.0-{sent}"}}"#);
            Reply::Bytes(response("200 OK", "application/json", &body))
        }
        _ => Reply::Pass,
    });
    let ended = Program::testing(&proxy.url()).with(&["--token", reference.token()]).end().ended_with(0);
    assert_hidden(&ended.everything(), reference.token());
}

#[test]
fn an_echo_in_the_way_of_the_first_look() {
    for status in ["401 Unauthorized", "404 Not Found", "302 Found", "200 OK", "503 Service Unavailable"] {
        let listener = Listener::start(move |mut stream| {
            use std::io::Write as _;
            let Some(request) = Message::read(&mut stream) else { return };
            let bytes = String::from_utf8(echo(&request)).unwrap();
            let _ = stream.write_all(bytes.replace("500 Internal Server Error", status).as_bytes());
        });
        let ended = Program::facing(&listener).with(&["--token", "s3cr3t-token-of-mine"]).end();
        let code = ended.code;
        assert_eq!(code, Some(3), "{}", ended.err);
        assert!(!ended.everything().contains("s3cr3t"), "{}", ended.everything());
    }
}

#[test]
fn an_echo_over_several_lines() {
    const LINES: [&str; 3] = ["Qv7zN4xK", "pW1mTd9s", "c5Yb8HgR"];
    for end in ["\n", "\r\n", r"\n", r"\r\n"] {
        let listener = Listener::start(move |mut stream| {
            use std::io::Write as _;
            let _ = Message::read(&mut stream);
            let body = format!("{{\"message\":\"{}\"}}", LINES.join(end));
            let _ = stream.write_all(&response("400 Bad Request", "application/json", &body));
        });
        let ended = Program::facing(&listener).with(&["--token", &LINES.concat()]).end().ended_with(3);
        assert!(ended.err.contains("[redacted]"), "{}", ended.err);
        for line in LINES {
            assert!(!ended.everything().contains(line), "{}", ended.everything());
        }
    }
}

/// A scenario has a token issued, and shows the requests with it.
#[test]
fn an_issued_token() {
    const CLAUSE: &str = "client-libraries-in-cluster-service-account";
    let reference = Reference::wrong(&[CLAUSE]);
    let ended = Program::testing_reference(&reference).with(&["--clause", CLAUSE, "-v"]).end();
    let everything = ended.everything();
    for shown in ["selfsubjectreviews", "serviceaccounts/", "Bearer [redacted]"] {
        assert!(everything.contains(shown), "{everything}");
    }
    assert!(!everything.contains("issued-"), "{everything}");
}

#[test]
fn an_echo_while_namespaces_are_created() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("POST", "/api/v1/namespaces") => Reply::Bytes(
            String::from_utf8(echo(request))
                .unwrap()
                .replace("500 Internal Server Error", "403 Forbidden")
                .into_bytes(),
        ),
        _ => Reply::Pass,
    });
    let ended = Program::testing(&proxy.url()).with(&["--token", reference.token()]).end();
    insta::assert_snapshot!(ended.error());
    assert_hidden(&ended.everything(), reference.token());
}

/// The runs of `prove` have a token for the fault proxy, and the server gets that of the user.
#[test]
fn an_echo_behind_a_fault_proxy() {
    const TOKEN: &str = "s3cr3t-token-of-the-user";
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| {
        let sent = request.header("authorization").unwrap_or_default();
        Reply::Bytes(response("418 I'm a teapot", "text/plain", sent))
    });
    let prove = kube_assay(&["prove", "--clause", "watch-create-added"]);
    let ended = prove.with(&["--through", &proxy.url(), "--token", TOKEN]).end().ended_with(3);
    assert!(ended.out.contains("Bearer [redacted]"), "{}", ended.out);
    assert_hidden(&ended.everything(), TOKEN);
}

#[test]
fn an_echo_in_the_field_of_a_template() {
    let reference = Reference::right();
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", path) if path.contains("/configmaps/") && path.ends_with("template") => {
            let sent = request.header("authorization").unwrap_or_default();
            let body = format!(r#"{{"kind":"ConfigMap","metadata":{{}},"data":{{"text":"{sent}"}}}}"#);
            Reply::Bytes(response("200 OK", "application/json", &body))
        }
        _ => Reply::Pass,
    });
    let program = Program::testing(&proxy.url());
    let template = program.file("template.yaml", "kind: ConfigMap\ndata: {text: $VALUE}\n");
    let program = program.with(&["--token", reference.token(), "--subject", "v1/configmaps"]);
    let ended = program.with(&["--template", &template]).end();
    assert!(ended.error().contains("the server sets it to \"Bearer [redacted]\" by itself"), "{}", ended.err);
    assert_hidden(&ended.everything(), reference.token());
}

/// Discovery with the token of the reference as every kind.
fn with_token_as_kind(discovery: Message) -> Message {
    edited(discovery, |list| {
        for resource in list["resources"].as_array_mut().into_iter().flatten() {
            resource["kind"] = "letmein-admin".into();
        }
    })
}

#[test]
fn an_echo_as_the_kind_of_a_subject() {
    let reference = Reference::right();
    assert_eq!(reference.token(), "letmein-admin");
    let proxy = Proxy::before(&reference, |request| match request.target() {
        ("GET", "/api/v1") => Reply::Edited(with_token_as_kind),
        _ => Reply::Pass,
    });
    let program = Program::testing(&proxy.url());
    let template = program.file("template.yaml", "kind: ConfigMap\ndata: {text: $VALUE}\n");
    let program = program.with(&["--token", reference.token(), "--subject", "v1/configmaps"]);
    let ended = program.with(&["--template", &template]).end();
    assert!(ended.error().contains("that of configmaps is [redacted]"), "{}", ended.err);
    assert_hidden(&ended.everything(), reference.token());
}

/// A command may hold a credential: only what it writes is in the reports.
#[test]
fn the_command_of_a_hook_that_fails() {
    let reference = Reference::right();
    let run = kube_assay(&["run", "--clause", "health-readyz-shutdown-delay", "--profile", "full"]);
    let hook = ["--hook", "shutdown=echo no process >&2; false s3cr3t-of-etcd"];
    let ended = run.with(&hook).with(&["--server", &reference.url(), "--token", reference.token()]).end();
    let everything = ended.everything();
    assert!(everything.contains("it ended with exit status: 1: no process"), "{everything}");
    assert_hidden(&everything, "s3cr3t-of-etcd");
}
