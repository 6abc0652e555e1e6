//! Kubeconfigs of every kind, and those that are wrong.

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
        let program = asking();
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

fn asking() -> Program {
    kube_assay(&["run", "--clause", "rv-list-nomatch-nolimit-unset"])
}

fn with(program: Program, config: &Value) -> Program {
    let path = program.file("config", &config.to_string());
    program.with(&["--kubeconfig", &path])
}

/// A kubeconfig that is never used, with a secret in it.
fn broken(content: &str) -> Ended {
    let program = asking();
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
            "client-certificate-data": base64(&me.certificate),
            "client-key-data": base64(&me.key),
            "token": cluster.reference.token(),
        })
    };
    let ended = cluster.run(inline).ended_with(0);
    assert!(!ended.everything().contains("PRIVATE KEY") && !ended.everything().contains(&base64(&me.key)));
}

#[test]
fn an_authority_inline_and_none_at_all() {
    let cluster = Cluster::start();
    let user = json!({ "token": cluster.reference.token() });
    let inline = json!({
        "server": cluster.url, "certificate-authority-data": base64(&cluster.authority.pem()),
    });
    with(asking(), &kubeconfig(&inline, &user)).end().ended_with(0);
    let blind = json!({ "server": cluster.url, "insecure-skip-tls-verify": true });
    with(asking(), &kubeconfig(&blind, &user)).end().ended_with(0);
    let strict = json!({ "server": cluster.url });
    let ended = with(asking(), &kubeconfig(&strict, &user)).end();
    ended.complains(3, &["not trusted here"]);
}

#[test]
fn another_context_than_the_current_one() {
    let cluster = Cluster::start();
    let program = asking();
    let mut config = kubeconfig(&cluster.cluster(&program), &json!({ "token": cluster.reference.token() }));
    config["current-context"] = json!("elsewhere");
    with(program, &config).with(&["--context", "here"]).end().ended_with(0);
}

#[test]
fn a_missing_file() {
    let ended = asking().with(&["--kubeconfig", "gone"]).end();
    ended.complains(2, &["could not use the kubeconfig gone: no such file or directory"]);
    let ended = asking().with(&["--kubeconfig", "."]).end();
    ended.complains(2, &["could not use the kubeconfig .: is a directory"]);
}

#[test]
fn a_file_that_is_no_kubeconfig_and_is_not_quoted() {
    broken("s3cr3t-token").complains(2, &["could not use the kubeconfig", "name a kubeconfig"]);
    broken("users:\n- name: u\n  user: { token: [s3cr3t] }\n").complains(2, &["line 3"]);
    broken("clusters: 's3cr3t\n").complains(2, &["could not use the kubeconfig"]);
    broken("[1, 2]").complains(2, &["could not use the kubeconfig"]);
    broken("\0\u{1}s3cr3t").complains(2, &["could not use the kubeconfig"]);
    broken("").complains(2, &["it has no current context", "it has no contexts"]);
}

#[test]
fn an_unknown_context_cluster_or_user() {
    let cluster = json!({ "server": "https://127.0.0.1:1" });
    let mut config = kubeconfig(&cluster, &json!({ "token": "s3cr3t-token" }));
    let ended = with(asking(), &config).with(&["--context", "nope"]).end();
    ended.complains(2, &["there is no context \"nope\"", "give --context with one of here"]);
    config["current-context"] = json!(null);
    with(asking(), &config).end().complains(2, &["it has no current context", "here"]);
    config["current-context"] = json!("here");
    config["contexts"][0]["context"]["cluster"] = json!("far");
    with(asking(), &config).end().complains(2, &["the cluster \"far\"", "there is none of that name"]);
    config["contexts"][0]["context"] = json!({ "cluster": "c", "user": "nobody" });
    with(asking(), &config).end().complains(2, &["the user \"nobody\"", "there is none of that name"]);
}

#[test]
fn a_cluster_that_cannot_be_used() {
    let wrong = |cluster: Value| with(asking(), &kubeconfig(&cluster, &json!({}))).end();
    wrong(json!({})).complains(2, &["its cluster has no server"]);
    wrong(json!({ "server": "127.0.0.1:6443" })).complains(2, &["it is no http or https URL"]);
    let server = "https://127.0.0.1:1";
    wrong(json!({ "server": server, "certificate-authority-data": "!!" })).complains(2, &["is not base64"]);
    wrong(json!({ "server": server, "certificate-authority": "gone" })).complains(2, &["cannot be read"]);
    wrong(json!({ "server": server, "proxy-url": "http://p" })).complains(2, &["proxy-url"]);
    wrong(json!({ "server": server, "tls-server-name": "n" })).complains(2, &["tls-server-name"]);
}

#[test]
fn a_pod_that_is_none() {
    let ended = kube_assay(&["run", "--in-cluster"]).end();
    ended.complains(2, &["the pod's service account", "KUBERNETES_SERVICE_HOST", "--kubeconfig"]);
    let pod = kube_assay(&["run", "--in-cluster"]).env("KUBERNETES_SERVICE_HOST", "127.0.0.1");
    let ended = pod.env("KUBERNETES_SERVICE_PORT", "1").end();
    ended.complains(2, &["the files of the service account are not there"]);
}

/// Base64 in the alphabet of kubeconfigs.
pub(crate) fn base64(text: &str) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |bytes: &[u8]| -> String {
        let number =
            (0..3).fold(0_usize, |number, at| number << 8 | bytes.get(at).map_or(0, |&byte| byte.into()));
        let letter = |at: usize| if at <= bytes.len() { LETTERS[number >> (18 - 6 * at) & 63] } else { b'=' };
        (0..4).map(|at| char::from(letter(at))).collect()
    };
    text.as_bytes().chunks(3).map(group).collect()
}
