//! Servers whose certificate has another name than the host of their addresses: endpoints behind one name.

use std::process::Command;

use serde_json::json;

use crate::support::{Authority, Program, Reference, kube_assay};

const NAME: &str = "api.example";

const CLAUSE: &str = "replicas-get-after-write";

/// A server and its replica behind TLS, with certificates for the name.
struct Endpoints {
    reference: Reference,
    authority: Authority,
    server: String,
    replica: String,
}

impl Endpoints {
    fn of(reference: Reference) -> Self {
        let authority = Authority::new();
        let guarded = |address: &str| {
            let plain = address.trim_start_matches("http://");
            format!("https://{}", authority.guard_as(&authority.certify(NAME), plain, false))
        };
        let (server, replica) = (guarded(&reference.url()), guarded(&reference.replica()));
        Self { reference, authority, server, replica }
    }

    /// A call with the server as its target.
    fn call(&self, arguments: &[&str]) -> Program {
        let program = kube_assay(arguments);
        let authority = program.file("ca.crt", &self.authority.pem());
        program.with(&["--server", &self.server, "--token", self.reference.token()]).with(&[
            "--certificate-authority",
            &authority,
            "--tls-server-name",
            NAME,
        ])
    }
}

/// Each event of a recording matches the published schema.
fn assert_matches_schema(recording: &str) {
    let schema = serde_json::from_str(include_str!("../../reports/schema/events.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    for event in recording.lines() {
        let broken = schema.validate(&serde_json::from_str(event).unwrap()).map_err(|why| why.to_string());
        assert_eq!(broken, Ok(()), "{event}");
    }
}

#[test]
fn each_endpoint_behind_a_name_is_reached() {
    let endpoints = Endpoints::of(Reference::with_replica(&[]));
    // Some requests have a connection of their own.
    let clauses = ["run", "--clause", CLAUSE, "--clause", "serialization-default-input-json"];
    let ended = endpoints.call(&clauses).with(&["--replica", &endpoints.replica]).end().ended_with(0);
    assert!(ended.out.contains(" and 1 replica"), "{}", ended.out);
    assert_eq!(endpoints.reference.left_behind(), [""; 0]);
}

#[test]
fn a_failure_behind_a_name_has_a_command_and_a_script_that_reach_the_endpoint() {
    let endpoints = Endpoints::of(Reference::with_replica(&[CLAUSE]));
    let run = endpoints.call(&["run", "--clause", CLAUSE]).with(&["--replica", &endpoints.replica]);
    let authority = run.file("ca.crt", &endpoints.authority.pem());
    let ended = run.end().ended_with(1);

    let address = endpoints.replica.trim_start_matches("https://");
    let (_, port) = address.split_once(':').unwrap();
    let called = format!("--connect-to '::{address}' -X GET 'https://{NAME}:{port}/");
    assert!(ended.out.contains(&called) && ended.out.contains(&authority), "{}", ended.out);
    assert!(ended.out.contains(&format!("--tls-server-name={NAME}")), "{}", ended.out);

    assert_matches_schema(&ended.report("events.jsonl"));

    let events = ended.reports().join("events.jsonl");
    let script = kube_assay(&["report", events.to_str().unwrap(), "--script", CLAUSE]).end().ended_with(0);
    let mut shell = Command::new("sh");
    let played = shell.args(["-c", &script.out]).env("TOKEN", endpoints.reference.token()).output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&played.stdout), String::from_utf8_lossy(&played.stderr));
    let (_, telling) = out.split_once(", now:\n").unwrap_or_else(|| panic!("{}\n{out}\n{err}", script.out));
    assert!(telling.contains("200 OK") && telling.contains("\"ConfigMap\""), "{out}\n{err}");
    assert_eq!(endpoints.reference.left_behind(), [""; 0]);
}

/// Its certificate has an address that is not the one of its endpoint, which may be behind a tunnel.
#[test]
fn a_name_may_be_an_ip_address() {
    let (reference, authority) = (Reference::right(), Authority::new());
    let certified = authority.certify("10.0.0.1");
    let server = format!("https://{}", authority.guard_as(&certified, &reference.address(), false));
    let reaching = |arguments: &[&str], name: &str| {
        let program = kube_assay(arguments).with(&["--server", &server, "--token", reference.token()]);
        let file = program.file("ca.crt", &authority.pem());
        program.with(&["--certificate-authority", &file, "--tls-server-name", name]).end()
    };
    // Some requests have a connection of their own.
    let run = ["run", "--clause", "serialization-default-input-json"];
    reaching(&run, "10.0.0.1").ended_with(0);
    reaching(&["load", "crud-mix", "--objects", "5", "--duration", "1s"], "10.0.0.1").ended_with(0);
    let ended = reaching(&run, "10.0.0.2").ended_with(3);
    assert!(ended.err.contains("its certificate is not for 10.0.0.2"), "{}", ended.err);
    assert_eq!(reference.left_behind(), [""; 0]);
}

#[test]
fn a_load_reaches_a_server_by_its_name() {
    let endpoints = Endpoints::of(Reference::with_replica(&[]));
    endpoints.call(&["load", "crud-mix", "--objects", "5", "--duration", "1s"]).end().ended_with(0);
}

#[test]
fn a_kubeconfig_may_have_the_name() {
    let endpoints = Endpoints::of(Reference::with_replica(&[]));
    let program = kube_assay(&["run", "--clause", "rv-list-nomatch-nolimit-unset"]);
    let authority = program.file("ca.crt", &endpoints.authority.pem());
    let cluster =
        json!({ "server": endpoints.server, "certificate-authority": authority, "tls-server-name": NAME });
    let config = json!({
        "clusters": [{ "name": "c", "cluster": cluster }],
        "users": [{ "name": "u", "user": { "token": endpoints.reference.token() } }],
        "contexts": [{ "name": "here", "context": { "cluster": "c", "user": "u" } }],
        "current-context": "here",
    });
    let path = program.file("config", &config.to_string());
    program.with(&["--kubeconfig", &path]).end().ended_with(0);
}
