//! Invalid input files: too large, empty, or with other content.

use rcgen::{KeyPair, PKCS_ED25519};

use crate::support::{Program, kube_assay};

const URL: &str = "https://127.0.0.1:1";

/// A call with one flag whose file is `/dev/zero`.
fn endless(command: &[&str], flag: &str) -> String {
    let mut running = kube_assay(command).with(&[flag, "/dev/zero"]).start();
    let peak = running.peak_memory();
    assert!(peak < 100 << 20, "{flag}: {} MB", peak >> 20);
    running.end().error()
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_without_end_does_not_fill_our_memory() {
    let server = ["run", "--server", URL];
    let errors = [
        endless(&["run"], "--kubeconfig"),
        endless(&server, "--certificate-authority"),
        endless(&server, "--token-file"),
        endless(&[&server[..], &["--client-key", "/dev/zero"]].concat(), "--client-certificate"),
        endless(&["run", "--subject", "v1/configmaps"], "--template"),
        endless(&["run"], "--known-failures"),
        endless(&["load", "crud-mix"], "--template"),
        endless(&["compare"], "/dev/zero"),
        endless(&["export", "--format", "csv"], "/dev/zero"),
    ];
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
#[cfg(target_os = "linux")]
fn trusted_certificates_without_end_do_not_fill_our_memory() {
    let mut running = kube_assay(&["run", "--server", URL]).env("SSL_CERT_FILE", "/dev/zero").start();
    let peak = running.peak_memory();
    assert!(peak < 100 << 20, "{} MB", peak >> 20);
    insta::assert_snapshot!(running.end().error());
}

#[test]
#[cfg(target_os = "linux")]
fn a_workload_without_end_does_not_fill_our_memory() {
    let program = kube_assay(&["load", "endless.toml"]);
    std::os::unix::fs::symlink("/dev/zero", program.folder().join("endless.toml")).unwrap();
    insta::assert_snapshot!(program.end().error());
}

#[test]
fn files_with_very_many_values_are_refused() {
    let values = format!("\"added\":[{}0]", "0,".repeat(2_000_000));
    let recording = format!("{{\"event\":\"run_started\",\"format\":2,{values}}}\n");
    for command in [&["report", "events.jsonl"][..], &["compare", "events.jsonl", "events.jsonl"]] {
        let program = kube_assay(command);
        program.file("events.jsonl", &recording);
        let refused = program.end().ended_with(2).error();
        assert!(refused.contains("line 1 has more than 500000 values: no run writes as many"), "{refused}");
    }
    let history = kube_assay(&["history", "show", "--store", "store"]);
    std::fs::create_dir_all(history.folder().join("store/2026-11")).unwrap();
    history.file("store/2026-11/a.json", &format!("{{{values}}}"));
    let refused = history.end().ended_with(3).err;
    assert!(refused.contains("a.json: it has more than 2000000 values"), "{refused}");
}

#[test]
fn an_empty_result_is_named() {
    for command in [
        &["compare", "file", "file"][..],
        &["export", "--format", "csv", "file"],
        &["history", "add", "--store", "store", "file"],
    ] {
        for content in ["", " \r\n"] {
            let program = kube_assay(command);
            program.file("file", content);
            let error = program.end().ended_with(2).error();
            assert!(error.ends_with(" file: it is empty"), "{error}");
        }
    }
}

#[test]
fn a_file_in_the_place_of_a_result_is_named() {
    let damaged = "it is cut off or damaged (EOF while parsing";
    let other = "; hint: name the summary.json ";
    for (content, cause, hint) in [
        (&b"\x1f\x8b\x08\0"[..], "it is a gzip file, as the evidence of a run is", other),
        (b"\x1f\x8b\x08\0", "it is a gzip file", "; `zcat` unpacks a compressed summary.json"),
        (
            b"{\"format\":2,\"tool\":\"kube-assay 0.1.0\",",
            damaged,
            "; hint: copy it again, or repeat the run",
        ),
        (b"<html>", "it is no JSON (expected value at line 1 column 1)", other),
        (b"\0", "it is no text in UTF-8", other),
    ] {
        for command in [
            &["compare", "file", "file"][..],
            &["export", "--format", "csv", "file"],
            &["history", "add", "--store", "store", "file"],
        ] {
            let program = kube_assay(command);
            std::fs::write(program.folder().join("file"), content).unwrap();
            let error = program.end().ended_with(2).error();
            assert!(error.contains(&format!(" file: {cause}")) && error.contains(hint), "{error}");
        }
    }
}

#[test]
fn a_file_in_the_place_of_a_certificate_is_named() {
    let key = KeyPair::generate_for(&PKCS_ED25519).unwrap().public_key_pem();
    let error = |path: &str, content: &str| {
        let program = kube_assay(&["verify", path, "--key", "key.pub"]);
        program.file("key.pub", &key);
        program.file("file", content);
        program.end().error()
    };
    let no_certificate = |what: &str| format!("file: it is no certificate of kube-assay ({what})");
    for (content, cause) in [
        ("", no_certificate("it is empty")),
        ("null", no_certificate("it is no object in JSON")),
        ("[\"application/vnd.in-toto+json\",\"\",[]]", no_certificate("it is no object in JSON")),
        ("<html>", no_certificate("it is no JSON")),
        (
            "{\n  \"format\": 2,\n  \"tool\": \"kube-assay 0.1.0\"\n}",
            no_certificate("it is the summary of a run"),
        ),
        ("{}", no_certificate("missing field `payloadType` at line 1 column 2")),
        (
            "{\"payloadType\":",
            "file: it is damaged (EOF while parsing a value at line 1 column 15)".to_owned(),
        ),
    ] {
        let hint = "hint: name the certificate.json that `kube-assay certify` wrote";
        let expected = format!("exit 2, error: failed to read the certificate {cause}; {hint}");
        assert_eq!(error("file", content), expected);
    }
    let folder = error(".", "");
    assert!(folder.contains("directory") && folder.contains("hint: name the certificate.json"), "{folder}");
}

#[test]
fn an_invalid_authority_is_an_error() {
    let error = |content: &str| {
        let program = Program::testing(URL);
        let path = program.file("ca.crt", content);
        program.with(&["--certificate-authority", &path]).end().error()
    };
    let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";
    let errors = ["", "\n", "some text", key, broken].map(error);
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn an_empty_client_certificate_or_key_is_an_error() {
    let program = Program::testing(URL);
    let empty = program.file("empty.pem", "");
    let ended = program.with(&["--client-certificate", &empty, "--client-key", &empty]).end();
    insta::assert_snapshot!(ended.error());
}

#[test]
fn an_ignored_proxy_is_a_warning() {
    let errors_at = |url: &str, proxy: &str| Program::testing(url).env("HTTPS_PROXY", proxy).end().err;
    let warning = "warning: HTTPS_PROXY is set, but kube-assay uses no proxy";
    for proxy in ["http://127.0.0.1:1", "::::garbage", "http://a b"] {
        let errors = errors_at("https://kube-assay.invalid:6443", proxy);
        assert!(errors.contains(warning), "{errors}");
    }
    let errors = errors_at(URL, "http://127.0.0.1:1");
    assert!(!errors.contains(warning), "{errors}");
}
