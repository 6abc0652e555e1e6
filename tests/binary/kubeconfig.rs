//! Kubeconfigs of every kind, and those that are wrong.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::support::{Authority, Ended, Program, Reference, kube_assay};

/// A reference behind TLS, and a kubeconfig for it.
struct Cluster {
    reference: Reference,
    authority: Authority,
    url: String,
}

impl Cluster {
    fn start() -> Self {
        Self::guarded(Authority::guard)
    }

    fn guarded(guard: fn(&Authority, &str) -> std::net::SocketAddr) -> Self {
        let (reference, authority) = (Reference::right(), Authority::new());
        let url = format!("https://{}", guard(&authority, &reference.address()));
        Self { reference, authority, url }
    }

    /// With the authority in a file.
    fn cluster(&self, program: &Program) -> Value {
        json!({ "server": self.url, "certificate-authority": program.file("ca.crt", &self.authority.pem()) })
    }

    fn run(&self, user: impl FnOnce(&Program) -> Value) -> Ended {
        let program = test_run();
        let config = kubeconfig(&self.cluster(&program), &user(&program));
        let ended = with(program, &config).end();
        assert_eq!(self.reference.left_behind(), [""; 0]);
        ended
    }
}

/// JSON is YAML.
fn kubeconfig(cluster: &Value, user: &Value) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{ "name": "c", "cluster": cluster }],
        "users": [{ "name": "u", "user": user }],
        "contexts": [{ "name": "here", "context": { "cluster": "c", "user": "u" } }],
        "current-context": "here",
    })
}

fn test_run() -> Program {
    kube_assay(&["run", "--clause", "rv-list-nomatch-nolimit-unset"])
}

fn with(program: Program, config: &Value) -> Program {
    let path = program.file("config", &config.to_string());
    program.with(&["--kubeconfig", &path])
}

/// A kubeconfig that is never used, with a secret in it.
fn broken(content: &str) -> Ended {
    let program = test_run();
    let path = program.file("config", content);
    let ended = program.with(&["--kubeconfig", &path]).end();
    assert!(!ended.everything().contains("s3cr3t"), "{}", ended.everything());
    ended
}

#[test]
fn a_token() {
    let cluster = Cluster::start();
    cluster.run(|_| json!({ "token": cluster.reference.token() })).ended_with(0);
}

#[test]
fn a_token_file_with_a_line_feed_at_its_end() {
    let cluster = Cluster::start();
    let token = format!("{}\n", cluster.reference.token());
    // Relative to the kubeconfig.
    let user = |program: &Program| {
        program.file("token", &token);
        json!({ "tokenFile": "token" })
    };
    cluster.run(user).ended_with(0);
}

#[test]
fn a_token_file_outranks_a_token() {
    let cluster = Cluster::start();
    let user = |program: &Program| {
        program.file("token", cluster.reference.token());
        json!({ "token": "of yesterday", "tokenFile": "token" })
    };
    cluster.run(user).ended_with(0);
}

#[test]
fn a_token_stands_for_its_file_while_that_cannot_be_read() {
    let cluster = Cluster::start();
    cluster.run(|_| json!({ "token": cluster.reference.token(), "tokenFile": "missing" })).ended_with(0);
}

#[test]
fn empty_texts_stand_for_none() {
    let cluster = Cluster::start();
    let user = |_: &Program| {
        json!({
            "token": cluster.reference.token(),
            "tokenFile": "",
            "username": "",
            "password": "",
            "client-certificate": "",
            "client-certificate-data": "",
            "client-key": "",
            "client-key-data": "",
            "as": "",
            "as-uid": "",
        })
    };
    cluster.run(user).ended_with(0);
    let program = test_run();
    let mut of_cluster = cluster.cluster(&program);
    of_cluster["certificate-authority"] = json!("");
    of_cluster["certificate-authority-data"] = json!(STANDARD.encode(cluster.authority.pem()));
    of_cluster["tls-server-name"] = json!("");
    let config = kubeconfig(&of_cluster, &json!({ "token": cluster.reference.token(), "tokenFile": "" }));
    with(program, &config).end().ended_with(0);
}

#[test]
fn what_kubectl_refuses_is_refused() {
    let mut config =
        kubeconfig(&json!({ "server": "https://127.0.0.1:1" }), &json!({ "token": "s3cr3t-t0ken" }));
    for (list, what) in
        [("contexts", "contexts with the name \"here\""), ("users", "users with the name \"u\"")]
    {
        let mut twice = config.clone();
        let same = twice[list][0].clone();
        twice[list].as_array_mut().unwrap().push(same);
        let ended = broken(&twice.to_string()).ended_with(2);
        assert!(ended.err.contains(&format!("it has two {what}")), "{}", ended.err);
    }
    for (field, value, why) in [
        ("kind", json!("Pod"), "it is a \"Pod\" of version \"v1\""),
        ("apiVersion", json!("v2"), "it is a \"Config\" of version \"v2\""),
    ] {
        let mut other = config.clone();
        other[field] = value;
        let ended = broken(&other.to_string()).ended_with(2);
        assert!(ended.err.contains(why), "{}", ended.err);
    }
    let mut nobody = config.clone();
    nobody["users"][0]["user"]["as-groups"] = json!(["g"]);
    let ended = broken(&nobody.to_string()).ended_with(2);
    assert!(ended.err.contains("no user to impersonate"), "{}", ended.err);
    for (user, why) in [
        (json!({ "token": "s3cr3t-t0ken", "username": "me" }), "has a token and a password"),
        (json!({ "tokenFile": "token", "username": "me" }), "has a token and a password"),
        (json!({ "password": "s3cr3t" }), "has a password and no username"),
    ] {
        config["users"][0]["user"] = user;
        let ended = broken(&config.to_string()).ended_with(2);
        assert!(ended.err.contains(why), "{}", ended.err);
    }
}

#[test]
fn a_client_certificate_in_files_and_inline() {
    let cluster = Cluster::guarded(Authority::guard_mutually);
    let me = cluster.authority.certify("me");
    let files = |program: &Program| {
        json!({
            "client-certificate": program.file("me.crt", &me.certificate),
            "client-key": program.file("me.key", &me.key),
            "token": cluster.reference.token(),
        })
    };
    cluster.run(files).ended_with(0);
    let inline = |_: &Program| {
        json!({
            "client-certificate-data": STANDARD.encode(&me.certificate),
            "client-key-data": STANDARD.encode(&me.key),
            "token": cluster.reference.token(),
        })
    };
    let ended = cluster.run(inline).ended_with(0);
    assert!(
        !ended.everything().contains("PRIVATE KEY")
            && !ended.everything().contains(&STANDARD.encode(&me.key))
    );
}

#[test]
fn a_client_key_without_a_certificate_has_no_effect_and_a_certificate_needs_its_key() {
    let cluster = Cluster::start();
    cluster.run(|_| json!({ "token": cluster.reference.token(), "client-key": "gone" })).ended_with(0);
    let me = cluster.authority.certify("me");
    let alone = json!({ "client-certificate-data": STANDARD.encode(&me.certificate) });
    let ended = cluster.run(|_| alone).ended_with(2);
    assert!(ended.err.contains("the client key is missing"), "{}", ended.err);
}

#[test]
fn a_client_certificate_and_a_token_of_a_plugin() {
    let cluster = Cluster::guarded(Authority::guard_mutually);
    let me = cluster.authority.certify("me");
    let status = json!({
        "clientCertificateData": me.certificate, "clientKeyData": me.key, "token": cluster.reference.token(),
    });
    let user = |program: &Program| {
        let version = "client.authentication.k8s.io/v1";
        let credential = json!({ "apiVersion": version, "kind": "ExecCredential", "status": status });
        let printed = program.file("credential", &credential.to_string());
        let exec =
            json!({ "apiVersion": version, "command": "cat", "args": [printed], "interactiveMode": "Never" });
        json!({ "exec": exec })
    };
    let ended = cluster.run(user).ended_with(0);
    assert!(!ended.everything().contains("PRIVATE KEY"));
}

#[test]
fn an_authority_inline_and_none_at_all() {
    let cluster = Cluster::start();
    let user = json!({ "token": cluster.reference.token() });
    let inline = json!({
        "server": cluster.url, "certificate-authority-data": STANDARD.encode(cluster.authority.pem()),
    });
    with(test_run(), &kubeconfig(&inline, &user)).end().ended_with(0);
    let blind = json!({ "server": cluster.url, "insecure-skip-tls-verify": true });
    with(test_run(), &kubeconfig(&blind, &user)).end().ended_with(0);
    let strict = json!({ "server": cluster.url });
    let ended = with(test_run(), &kubeconfig(&strict, &user)).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn a_server_without_a_scheme_is_https_where_tls_has_settings() {
    let cluster = Cluster::start();
    let (host_and_port, token) = (cluster.url.strip_prefix("https://").unwrap(), cluster.reference.token());
    let program = test_run();
    let mut of_cluster = cluster.cluster(&program);
    of_cluster["server"] = json!(host_and_port);
    with(program, &kubeconfig(&of_cluster, &json!({ "token": token }))).end().ended_with(0);
    let flags = ["--server", host_and_port, "--token", token, "--insecure-skip-tls-verify"];
    test_run().with(&flags).end().ended_with(0);
}

#[test]
fn another_context_than_the_current_one() {
    let cluster = Cluster::start();
    let program = test_run();
    let mut config = kubeconfig(&cluster.cluster(&program), &json!({ "token": cluster.reference.token() }));
    config["current-context"] = json!("elsewhere");
    with(program, &config).with(&["--context", "here"]).end().ended_with(0);
}

#[test]
fn a_pipe() {
    let cluster = Cluster::start();
    let inline = json!({
        "server": cluster.url, "certificate-authority-data": STANDARD.encode(cluster.authority.pem()),
    });
    let program = test_run();
    let config = kubeconfig(&inline, &json!({ "token": cluster.reference.token() }));
    let path = program.file("config", &config.to_string());
    let pipe = program.folder().join("pipe").display().to_string();
    let script = format!("mkfifo '{pipe}' && {{ cat '{path}' > '{pipe}' & }}");
    program.with(&["--kubeconfig", &pipe]).after(&script).end().ended_with(0);
}

#[test]
fn a_missing_file() {
    let mut errors = Vec::new();
    let ended = test_run().with(&["--kubeconfig", "gone"]).end();
    errors.push(ended.error());
    let ended = test_run().with(&["--kubeconfig", "."]).end();
    errors.push(ended.error());
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn a_file_that_is_no_kubeconfig_and_is_not_quoted() {
    let errors = [
        broken("s3cr3t-token").error(),
        broken("users:\n- name: u\n  user: { token: [s3cr3t] }\n").error(),
        broken("clusters: 's3cr3t\n").error(),
        broken("[1, 2]").error(),
        broken("\0\u{1}s3cr3t").error(),
        broken("").error(),
    ];
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn a_key_that_is_there_twice_is_named() {
    let ended = broken("kind: Config\nusers:\n- name: u\n  user: { token: s3cr3t, token: s3cr3t }\n");
    let ended = ended.ended_with(2);
    assert!(ended.err.contains("line 4: a key is there twice"), "{}", ended.err);
}

#[test]
fn a_client_certificate_that_is_none_is_named_before_its_key() {
    let junk = STANDARD.encode("ABC");
    let user = json!({ "client-certificate-data": junk, "client-key-data": junk });
    let ended = with(test_run(), &kubeconfig(&json!({ "server": "https://127.0.0.1:1" }), &user)).end();
    assert!(ended.ended_with(2).err.contains("the client certificate is no certificate in PEM"));
}

#[test]
fn an_unknown_context_cluster_or_user() {
    let mut errors = Vec::new();
    let cluster = json!({ "server": "https://127.0.0.1:1" });
    let mut config = kubeconfig(&cluster, &json!({ "token": "s3cr3t-token" }));
    let ended = with(test_run(), &config).with(&["--context", "nope"]).end();
    errors.push(ended.error());
    config["current-context"] = json!(null);
    errors.push(with(test_run(), &config).end().error());
    config["current-context"] = json!("here");
    config["contexts"][0]["context"]["cluster"] = json!("far");
    errors.push(with(test_run(), &config).end().error());
    config["contexts"][0]["context"] = json!({ "cluster": "c", "user": "nobody" });
    errors.push(with(test_run(), &config).end().error());
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn a_cluster_that_cannot_be_used() {
    let mut errors = Vec::new();
    let wrong = |cluster: Value| with(test_run(), &kubeconfig(&cluster, &json!({}))).end();
    errors.push(wrong(json!({})).error());
    errors.push(wrong(json!({ "server": "127.0.0.1:6443" })).error());
    let server = "https://127.0.0.1:1";
    errors.push(wrong(json!({ "server": server, "certificate-authority-data": "!!" })).error());
    errors.push(wrong(json!({ "server": server, "certificate-authority": "gone" })).error());
    errors.push(wrong(json!({ "server": "https://127.0.0.1:99999" })).error());
    errors.push(wrong(json!({ "server": server, "proxy-url": "http://p" })).error());
    errors.push(wrong(json!({ "server": server, "tls-server-name": "10.0.0.1" })).error());
    errors.push(wrong(json!({ "server": server, "tls-server-name": "a b" })).error());
    insta::assert_snapshot!(errors.join("\n"));
}

/// kubectl refuses it, and a text that is not `true` would pass for one.
#[test]
fn a_field_of_another_type_is_named() {
    let cluster = json!({ "server": "https://127.0.0.1:1", "insecure-skip-tls-verify": "true" });
    let ended = with(test_run(), &kubeconfig(&cluster, &json!({}))).end().ended_with(2);
    assert!(ended.err.contains("clusters[0].cluster.insecure-skip-tls-verify is a text"), "{}", ended.err);
}

#[test]
fn a_pod_that_is_none() {
    let ended = kube_assay(&["run", "--in-cluster"]).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn a_pod_without_the_files_of_its_account() {
    if Path::new("/var/run/secrets/kubernetes.io/serviceaccount").exists() {
        return eprintln!("not tested: these tests run in a pod that has them");
    }
    let pod = kube_assay(&["run", "--in-cluster"]).env("KUBERNETES_SERVICE_HOST", "127.0.0.1");
    let ended = pod.env("KUBERNETES_SERVICE_PORT", "1").end();
    insta::assert_snapshot!(ended.error());
}

/// Without the header, the run would have the rights of the token.
#[test]
fn a_user_to_impersonate_that_no_header_can_name_is_refused() {
    for user in [json!({ "as": "b\nb" }), json!({ "as": "b", "as-groups": ["a", "\u{0}"] })] {
        let config = kubeconfig(&json!({ "server": "http://127.0.0.1:1" }), &user);
        let ended = broken(&config.to_string()).ended_with(2);
        assert!(ended.err.contains("header can have the value"), "{}", ended.err);
    }
}

#[test]
fn a_url_has_no_fragment() {
    let ended = test_run().with(&["--server", "http://127.0.0.1:1/#here"]).end().ended_with(2);
    assert!(ended.err.contains("its URL has a fragment"), "{}", ended.err);
}
