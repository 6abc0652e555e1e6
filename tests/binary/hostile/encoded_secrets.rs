//! A server that gives a credential back in every encoding: none of them is in any output.

mod evidence;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use data_encoding::{BASE32, BASE32_NOPAD, BASE32HEX, BASE32HEX_NOPAD};
use regex::{Captures, Regex};
use serde_json::{Value, json};

use crate::support::http::{Message, response};
use crate::support::{Authority, Ended, Program, Proxy, Reference, Reply, kube_assay};

/// So many characters of a secret are too many.
const TOO_MANY: usize = 10;

/// The text in every encoding that a server may use, alone and as a part of something else.
fn encodings(header: &str) -> Vec<String> {
    let secret = header.split_once(' ').map_or(header, |(_, secret)| secret);
    let each = |of: &dyn Fn(u8) -> String| secret.bytes().map(of).collect::<String>();
    let other = |of: &dyn Fn(u8) -> String| {
        secret
            .bytes()
            .enumerate()
            .map(|(at, byte)| if at % 2 == 0 { of(byte) } else { char::from(byte).into() })
            .collect::<String>()
    };
    let (percent, unicode) = (|byte| format!("%{byte:02x}"), |byte| format!("\\u{byte:04x}"));
    let (decimal, hexadecimal) = (|byte| format!("&#{byte};"), |byte| format!("&#x{byte:X};"));
    let mut encodings = vec![
        secret.to_owned(),
        each(&|byte| format!("{byte:02x}")),
        each(&|byte| format!("{byte:02X}")),
        each(&|byte| format!("{byte:02x}:")),
        each(&|byte| format!("%25{byte:02x}")),
        each(&|byte| format!("&amp;#{byte};")),
        other(&|byte| format!("\\x{byte:02x}")),
        STANDARD.encode(STANDARD.encode(secret)),
    ];
    let quoted_printable = |byte| format!("={byte:02X}");
    encodings.extend([each(&quoted_printable), other(&quoted_printable)]);
    for escape in [&percent as &dyn Fn(u8) -> String, &unicode, &decimal, &hexadecimal] {
        encodings.extend([each(escape), each(escape).to_uppercase().replace("\\U", "\\u"), other(escape)]);
    }
    let prefixes = ["a:", "ab:", "abc:", "abcd:"].map(|before| format!("{before}{secret}:you"));
    for whole in [secret.to_owned(), header.to_owned()].into_iter().chain(prefixes) {
        encodings.extend([STANDARD.encode(&whole), URL_SAFE_NO_PAD.encode(&whole)]);
        for base32 in [BASE32, BASE32_NOPAD, BASE32HEX] {
            let encoded = base32.encode(whole.as_bytes());
            encodings.extend([encoded.to_lowercase(), encoded]);
        }
    }
    encodings
}

/// A text whose escapes are gone, with the texts in base64 and hexadecimal digits behind it.
fn decoded(text: &str) -> String {
    let number = |found: &Captures, base| {
        let number = u32::from_str_radix(&found[1], base).ok().and_then(char::from_u32);
        number.unwrap_or('\u{fffd}').to_string()
    };
    let replaced = |text: &str, pattern: &str, base| {
        Regex::new(pattern).unwrap().replace_all(text, |found: &Captures| number(found, base)).into_owned()
    };
    let mut text = text.to_owned();
    for _ in 0..4 {
        text = text.replace("&amp;", "&").replace(r"\\", r"\");
        text = replaced(&text, r"%([0-9A-Fa-f]{2})", 16);
        text = replaced(&text, r"\\u([0-9A-Fa-f]{4})", 16);
        text = replaced(&text, r"\\x([0-9A-Fa-f]{2})", 16);
        text = replaced(&text, r"=([0-9A-F]{2})", 16);
        text = replaced(&text, r"&#[xX]([0-9A-Fa-f]+);", 16);
        text = replaced(&text, r"&#([0-9]+);", 10);
    }
    let mut decoded = vec![text.clone()];
    for _ in 0..2 {
        let inner = of_digits(decoded.last().unwrap());
        decoded.push(inner);
    }
    decoded.join("\n")
}

/// All that may be in base64 or hexadecimal digits in a text, decoded.
fn of_digits(text: &str) -> String {
    let mut found = Vec::new();
    for run in Regex::new("[A-Za-z0-9+/_-]{12,}").unwrap().find_iter(text) {
        let standard = run.as_str().replace('-', "+").replace('_', "/");
        for start in 0..4 {
            let whole = &standard[start..start + (standard.len() - start) / 4 * 4];
            found.extend(STANDARD.decode(whole).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
    for run in Regex::new("[A-Za-z0-9]{16,}").unwrap().find_iter(text) {
        let upper = run.as_str().to_uppercase();
        for (base32, start) in
            [BASE32_NOPAD, BASE32HEX_NOPAD].iter().flat_map(|base32| (0..8).map(move |start| (base32, start)))
        {
            let whole = &upper[start..start + (upper.len() - start) / 8 * 8];
            found.extend(
                base32.decode(whole.as_bytes()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
            );
        }
    }
    for run in Regex::new("(?:[0-9A-Fa-f]{2}:?){8,}").unwrap().find_iter(text) {
        let digits = run.as_str().replace(':', "");
        let pairs =
            (0..digits.len() / 2).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap());
        found.push(String::from_utf8_lossy(&pairs.collect::<Vec<_>>()).into_owned());
    }
    found.join("\n")
}

/// An error that has the encodings in its message and its headers.
fn in_an_error(encodings: &[String]) -> Vec<u8> {
    let (headers, texts) = (encodings.join("\r\nx-you-sent: "), encodings.join(" "));
    let status =
        json!({ "kind": "Status", "status": "Failure", "reason": "InternalError", "message": texts });
    let sent = response("500 Internal Server Error", "application/json", &status.to_string());
    let sent = String::from_utf8(sent).unwrap();
    sent.replacen("\r\n", &format!("\r\nx-you-sent: {headers}\r\n"), 1).into_bytes()
}

/// A list whose objects have the encodings as names, and in annotations.
fn in_objects(encodings: &[String]) -> Vec<u8> {
    let object = |text: &String| {
        json!({
            "kind": "ConfigMap",
            "metadata": { "name": text, "resourceVersion": "1", "annotations": { text: text } },
        })
    };
    let items: Vec<Value> = encodings.iter().map(object).collect();
    let list = json!({ "kind": "ConfigMapList", "apiVersion": "v1", "metadata": { "resourceVersion": "1" }, "items": items });
    response("200 OK", "application/json", &list.to_string())
}

/// The request with the credential of the administrator.
fn as_administrator(request: &Message, credential: &str) -> Reply {
    let others = request.headers.iter().filter(|line| !line.to_lowercase().starts_with("authorization"));
    let headers = others.cloned().chain([credential.to_owned()]).collect();
    Reply::Instead(Message { headers, ..request.clone() })
}

/// A server that accepts every credential, and returns the credential in its lists of the run's own objects.
fn echoing(reference: &Reference, reply: fn(&[String]) -> Vec<u8>) -> Proxy {
    let token = format!("authorization: Bearer {}", reference.token());
    Proxy::before(reference, move |request| match request.target() {
        ("GET", path) if path.contains("/namespaces/assay-") && path.ends_with("/configmaps") => {
            Reply::Bytes(reply(&encodings(request.header("authorization").unwrap())))
        }
        _ => as_administrator(request, &token),
    })
}

#[track_caller]
fn assert_hidden(ended: &Ended, secrets: &[&str]) {
    let everything = ended.everything();
    assert!(everything.contains("[redacted]"), "{everything}");
    let decoded = decoded(&everything);
    for secret in secrets {
        let shown =
            decoded.find(&secret[..TOO_MANY]).map(|at| decoded[at..].chars().take(80).collect::<String>());
        assert_eq!(shown, None, "{everything}");
    }
}

/// A kubeconfig for the proxy, with this user.
fn kubeconfig(proxy: &Proxy, user: &Value) -> String {
    let config = json!({
        "clusters": [{ "name": "c", "cluster": { "server": proxy.url() } }],
        "users": [{ "name": "u", "user": user }],
        "contexts": [{ "name": "here", "context": { "cluster": "c", "user": "u" } }],
        "current-context": "here",
    });
    config.to_string()
}

/// A call with this user in a kubeconfig for the proxy.
fn call_as(arguments: &[&str], proxy: &Proxy, user: &Value) -> Ended {
    let program = kube_assay(arguments);
    let path = program.file("config", &kubeconfig(proxy, user));
    program.with(&["--kubeconfig", &path]).end()
}

fn test_run_as(user: &Value, reply: fn(&[String]) -> Vec<u8>) -> Ended {
    let reference = Reference::right();
    let run = ["run", "--clause", "rv-list-nomatch-nolimit-unset", "-v"];
    call_as(&run, &echoing(&reference, reply), user)
}

#[test]
fn the_search_finds_a_secret_in_every_encoding() {
    let secret = "s3cr3t/t0ken+of_mine";
    for encoding in encodings(&format!("Bearer {secret}")) {
        assert!(decoded(&format!("\"{encoding}\"")).contains(&secret[1..=TOO_MANY]), "{encoding}");
    }
}

#[test]
fn a_token_in_every_encoding() {
    let token = "s3cr3t/t0ken+of_mine";
    for reply in [in_an_error, in_objects] {
        assert_hidden(&test_run_as(&json!({ "token": token }), reply), &[token]);
        let reference = Reference::right();
        let proxy = echoing(&reference, reply);
        let program = Program::testing(&proxy.url());
        let file = program.file("token", token);
        assert_hidden(&program.with(&["--token-file", &file]).end(), &[token]);
    }
}

#[test]
fn a_password_in_every_encoding() {
    let (user, password) = ("somebody", "p4ssw0rd:of&mine");
    let whole = format!("{user}:{password}");
    for reply in [in_an_error, in_objects] {
        let ended = test_run_as(&json!({ "username": user, "password": password }), reply);
        assert_hidden(&ended, &[password, &STANDARD.encode(&whole)]);
    }
}

#[test]
fn tokens_of_a_plugin_that_are_renewed_in_every_encoding() {
    let script = r#"echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"t0ken-of-a-plugin-'$$'","expirationTimestamp":"2000-01-01T00:00:00Z"}}'"#;
    let plugin = json!({
        "apiVersion": "client.authentication.k8s.io/v1",
        "interactiveMode": "Never",
        "command": "sh",
        "args": ["-c", script],
    });
    for reply in [in_an_error, in_objects] {
        assert_hidden(&test_run_as(&json!({ "exec": plugin }), reply), &["t0ken-of-a-plugin-"]);
    }
}

#[test]
fn a_token_in_every_encoding_in_the_errors_of_a_load() {
    let (reference, token) = (Reference::right(), "s3cr3t/t0ken+of_mine");
    let load = ["load", "crud-mix", "--objects", "1"];
    let ended = call_as(&load, &echoing(&reference, in_an_error), &json!({ "token": token }));
    assert_hidden(&ended, &[token]);
}

/// A refusal that quotes the end of a Secret's kubeconfig, which has the token.
fn quoting_secret(request: &Message) -> Vec<u8> {
    let secret: Value = serde_json::from_slice(&request.body).unwrap();
    let kubeconfig = secret["data"]["kubeconfig"].as_str().unwrap();
    let message = &kubeconfig[kubeconfig.len() - 280..];
    let status = json!({ "kind": "Status", "status": "Failure", "reason": "Invalid", "message": message });
    response("422 Unprocessable Entity", "application/json", &status.to_string())
}

#[test]
fn a_token_in_a_secret_that_the_cluster_of_a_job_returns() {
    let (target, cluster, token) = (Reference::right(), Reference::right(), "s3cr3t/t0ken+of_mine");
    let administrator = format!("authorization: Bearer {}", target.token());
    let before_target = Proxy::before(&target, move |request| as_administrator(request, &administrator));
    let before_cluster = Proxy::before(&cluster, |request| match request.target() {
        ("POST", path) if path.ends_with("/secrets") => Reply::Bytes(quoting_secret(request)),
        _ => Reply::Pass,
    });
    let program = kube_assay(&["load", "crud-mix", "--objects", "20", "--workers", "2", "--job"]);
    let job = program.file("job", &kubeconfig(&before_cluster, &json!({ "token": cluster.token() })));
    let program = program.with(&["--server", &before_target.url(), "--token", token]);
    let ended = program.with(&["--job-kubeconfig", &job]).end().ended_with(3);
    assert!(ended.err.contains("failed to create the Secret"), "{}", ended.err);
    assert_hidden(&ended, &[token]);
}

/// The objects of a run, with the encodings as names.
fn of_a_run(encodings: &[String]) -> Vec<u8> {
    let object =
        |name: &String| json!({ "metadata": { "name": name, "labels": { "kube-assay/run": "k3f9x2" } } });
    let items: Vec<Value> = encodings.iter().map(object).collect();
    response("200 OK", "application/json", &json!({ "metadata": {}, "items": items }).to_string())
}

#[test]
fn a_token_in_every_encoding_in_the_names_of_leftovers() {
    let (reference, token) = (Reference::right(), "s3cr3t/t0ken+of_mine");
    let administrator = format!("authorization: Bearer {}", reference.token());
    let proxy = Proxy::before(&reference, move |request| match request.target() {
        ("GET", path) if path.ends_with("/clusterroles") => {
            Reply::Bytes(of_a_run(&encodings(request.header("authorization").unwrap())))
        }
        _ => as_administrator(request, &administrator),
    });
    let ended = call_as(&["clean", "--dry-run"], &proxy, &json!({ "token": token })).ended_with(0);
    assert!(ended.out.contains("would remove"), "{}", ended.out);
    assert_hidden(&ended, &[token]);
}

/// A server that returns the key in PEM, and in base64 as a kubeconfig has it, in its lists of the run's own objects.
fn returning_key(reference: &Reference, key: &str) -> Proxy {
    let texts = format!("{} {key}", STANDARD.encode(key));
    Proxy::before(reference, move |request| match request.target() {
        ("GET", path) if path.contains("/namespaces/assay-") && path.ends_with("/configmaps") => {
            let status = json!({ "kind": "Status", "message": texts });
            Reply::Bytes(response("500 Internal Server Error", "application/json", &status.to_string()))
        }
        _ => Reply::Pass,
    })
}

#[test]
fn a_client_key_that_a_server_returns() {
    let (reference, me) = (Reference::right(), Authority::new().certify("me"));
    let user = json!({
        "client-certificate-data": STANDARD.encode(&me.certificate),
        "client-key-data": STANDARD.encode(&me.key),
        "token": reference.token(),
    });
    let run = ["run", "--clause", "rv-list-nomatch-nolimit-unset"];
    let ended = call_as(&run, &returning_key(&reference, &me.key), &user);
    assert_hidden(&ended, &["PRIVATE KEY", me.key.lines().nth(1).unwrap()]);
}
