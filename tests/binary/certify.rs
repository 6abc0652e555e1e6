//! Certificates: signed, verified, refused.

use std::fs;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{KeyPair, PKCS_ECDSA_P256_SHA256, PKCS_ED25519, SigningKey};
use serde_json::{Value, json};

use crate::support::evidence::{edit, lines, recorded, without_an_exchange};
use crate::support::{Ended, Reference, kube_assay};

/// A claim with few and quick scenarios.
const CLAIM: [&str; 4] = ["--requirements", "kubernetes-1.36", "--conformance-profiles", "operation"];

const IMPLEMENTATION: &str = "organization: Example\nproject: reference\nurl: https://example.com\nversion: v1.0.0\n\
                              contact: ['@example']\n";

/// Changes a statement.
type Lie = fn(&mut Value);

/// A certified run, and its key.
struct Certified {
    run: Ended,
    key: KeyPair,
}

/// A run of the claim against a right server.
fn right() -> Ended {
    recorded(&Reference::right(), &CLAIM, 0)
}

impl Certified {
    /// Certifies a run with a new key.
    fn of(run: Ended, key: KeyPair) -> Self {
        let certified = Self { run, key };
        certified.certify().ended_with(0);
        certified
    }

    fn new() -> Self {
        Self::of(right(), KeyPair::generate_for(&PKCS_ED25519).unwrap())
    }

    fn certify(&self) -> Ended {
        certify(&self.run.reports(), self.run.folder(), &self.key)
    }

    fn path(&self) -> PathBuf {
        self.run.folder().join("certificate.json")
    }

    fn verify(&self, with: &[&str]) -> Ended {
        let public = self.run.folder().join("key.pub");
        fs::write(&public, self.key.public_key_pem()).unwrap();
        let path = self.path();
        kube_assay(&["verify", path.to_str().unwrap(), "--key", public.to_str().unwrap()]).with(with).end()
    }

    fn verify_with_evidence(&self) -> Ended {
        self.verify(&["--evidence", self.run.reports().to_str().unwrap()])
    }

    fn envelope(&self) -> Value {
        serde_json::from_slice(&fs::read(self.path()).unwrap()).unwrap()
    }

    fn statement(&self) -> Value {
        let payload = STANDARD.decode(self.envelope()["payload"].as_str().unwrap()).unwrap();
        serde_json::from_slice(&payload).unwrap()
    }

    /// Signs another statement with the same key: what a dishonest signer does.
    fn sign(&self, statement: &Value) {
        self.sign_text(&statement.to_string());
    }

    fn sign_text(&self, statement: &str) {
        let payload = statement.as_bytes();
        let kind = "application/vnd.in-toto+json";
        let head = format!("DSSEv1 {} {kind} {} ", kind.len(), payload.len());
        let signature = self.key.sign(&[head.as_bytes(), payload].concat()).unwrap();
        let envelope = json!({
            "payloadType": kind,
            "payload": STANDARD.encode(payload),
            "signatures": [{ "keyid": "", "sig": STANDARD.encode(signature) }],
        });
        fs::write(self.path(), envelope.to_string()).unwrap();
    }
}

fn certify(evidence: &Path, folder: &Path, key: &KeyPair) -> Ended {
    let (private, implementation) = (folder.join("key.pem"), folder.join("implementation.yaml"));
    fs::write(&private, key.serialize_pem()).unwrap();
    fs::write(&implementation, IMPLEMENTATION).unwrap();
    let program = kube_assay(&["certify", evidence.to_str().unwrap(), "--key", private.to_str().unwrap()]);
    let implementation = implementation.to_str().unwrap();
    program.with(&["--implementation", implementation, "--output-dir", folder.to_str().unwrap()]).end()
}

/// A run that no certificate may have, and the sentence that says so.
#[track_caller]
fn assert_refused(run: &Ended, sentence: &str) {
    let refused = certify(&run.reports(), run.folder(), &KeyPair::generate().unwrap()).ended_with(1);
    assert!(refused.error().contains(sentence), "{}", refused.err);
    assert!(!run.folder().join("certificate.json").exists());
}

#[test]
fn a_certificate_of_a_right_server_is_verified() {
    let run = right();
    for algorithm in [&PKCS_ED25519, &PKCS_ECDSA_P256_SHA256] {
        let certified = Certified::of(right(), KeyPair::generate_for(algorithm).unwrap());
        let verified = certified.verify_with_evidence().ended_with(0);
        assert!(verified.out.contains("all recomputed from"), "{}", verified.out);

        let alone = certified.verify(&[]).ended_with(3);
        assert!(alone.out.contains("not checked"), "{}", alone.out);

        let other = certified.verify(&["--evidence", run.reports().to_str().unwrap()]).ended_with(1);
        assert!(other.error().contains("it is about evidence with the SHA-256"), "{}", other.err);
    }
}

#[test]
fn a_certificate_names_evidence_server_set_and_every_skipped_clause() {
    let certified = Certified::new();
    let statement = certified.statement();
    let schema: Value = serde_json::from_str(include_str!("../../reports/schema/certificate.json")).unwrap();
    jsonschema::validator_for(&schema).unwrap().validate(&statement).unwrap();
    let fields = &statement["predicate"]["kube_assay"];
    assert_eq!(fields["server"]["release"], "v1.36.0+reference");
    assert_eq!(fields["requirements"]["set"], "kubernetes-1.36");
    assert_eq!(fields["requirements"]["profiles"][0]["name"], "operation");
    let skipped = fields["skipped"].as_array().unwrap();
    assert!(skipped.iter().all(|one| !one["reason"].as_str().unwrap().is_empty()));
    let passed = statement["predicate"]["passedTests"].as_array().unwrap();
    assert!(!passed.is_empty());
    for page in ["certificate.md", "certificate.html"] {
        let page = fs::read_to_string(certified.run.folder().join(page)).unwrap();
        assert!(page.contains("reference v1.0.0: kubernetes-1.36") && page.contains("operation"), "{page}");
    }
}

#[test]
fn a_changed_certificate_is_refused() {
    let certified = Certified::new();
    let envelope = certified.envelope();
    let mut statement = certified.statement();
    statement["predicate"]["kube_assay"]["run"]["seed"] = 1.into();
    let mut changed = envelope.clone();
    changed["payload"] = STANDARD.encode(statement.to_string()).into();
    fs::write(certified.path(), changed.to_string()).unwrap();
    let refused = certified.verify_with_evidence().ended_with(1);
    assert!(refused.error().contains("no signature of the certificate is of the key"), "{}", refused.err);

    fs::write(certified.path(), envelope.to_string()).unwrap();
    certified.verify_with_evidence().ended_with(0);
}

#[test]
fn a_signed_lie_about_the_evidence_is_refused() {
    let certified = Certified::new();
    let honest = certified.statement();
    let lies: [(&str, Lie); 7] = [
        ("seed", |statement| statement["predicate"]["kube_assay"]["run"]["seed"] = 1.into()),
        ("requirement set", |statement| {
            statement["predicate"]["kube_assay"]["requirements"]["set"] = "kubernetes-1.30".into();
        }),
        ("SHA-256", |statement| {
            statement["subject"][0]["digest"]["sha256"] = "0".repeat(64).into();
        }),
        ("requirements.profiles", |statement| {
            statement["predicate"]["kube_assay"]["requirements"]["profiles"][0]["name"] = "core".into();
        }),
        ("skipped", |statement| {
            statement["predicate"]["kube_assay"]["skipped"].as_array_mut().unwrap().pop();
        }),
        ("passedTests", |statement| {
            statement["predicate"]["passedTests"].as_array_mut().unwrap().push("rv-is-string".into());
        }),
        ("release", |statement| {
            statement["predicate"]["kube_assay"]["server"]["release"] = "v1.36.3".into();
        }),
    ];
    for (named, lie) in lies {
        let mut statement = honest.clone();
        lie(&mut statement);
        certified.sign(&statement);
        let refused = certified.verify_with_evidence().ended_with(1);
        assert!(refused.error().contains(named), "{named}: {}", refused.err);
    }
    certified.sign(&honest);
    certified.verify_with_evidence().ended_with(0);
}

#[test]
fn a_field_that_is_signed_twice_is_refused() {
    let certified = Certified::new();
    let honest = certified.statement().to_string();
    let result = "\"result\":\"PASSED\"";
    assert!(honest.contains(result), "{honest}");
    certified.sign_text(&honest.replacen(result, &format!("\"result\":\"FAILED\",{result}"), 1));
    let refused = certified.verify_with_evidence().ended_with(1);
    assert!(refused.error().contains("duplicate field `result`"), "{}", refused.err);
}

#[test]
fn changed_evidence_is_refused() {
    let certified = Certified::new();
    let evidence = certified.run.reports().join("evidence.jsonl.gz");
    let whole = fs::read(&evidence).unwrap();
    let refused = |sentence: &str| {
        let refused = certified.verify_with_evidence().ended_with(1);
        assert!(refused.error().contains(sentence), "{}", refused.err);
        fs::write(&evidence, &whole).unwrap();
    };
    edit(&evidence, |lines| lines.replacen("healthz", "healthy", 1));
    refused("it is about evidence with the SHA-256");

    edit(&evidence, |lines| without_an_exchange(&lines));
    refused("it is about evidence with the SHA-256");

    edit(&evidence, |lines| {
        let mut lines: Vec<&str> = lines.lines().collect();
        let exchanges = |line: &&str| line.starts_with("{\"exchange\"");
        let (first, last) = (lines.iter().position(exchanges), lines.iter().rposition(exchanges));
        lines.swap(first.unwrap(), last.unwrap());
        lines.join("\n") + "\n"
    });
    refused("it is about evidence with the SHA-256");

    edit(&evidence, |lines| lines.replacen("kubernetes-1.36", "kubernetes-1.35", 1));
    refused("it is about evidence with the SHA-256");
    certified.verify_with_evidence().ended_with(0);
}

#[test]
fn a_wrong_server_has_no_certificate() {
    let faults = ["health-exclude-one"];
    let run = recorded(&Reference::wrong(&faults), &CLAIM, 1);
    assert_refused(&run, "must clauses failed");

    edit(&run.reports().join("evidence.jsonl.gz"), |lines| {
        lines.replace("\"outcome\":\"failed\"", "\"outcome\":\"passed\"")
    });
    assert_refused(&run, "differs");
}

/// The record has its settings twice: at its beginning, and in its first event.
#[test]
fn a_record_with_settings_of_another_run_has_no_certificate() {
    for (setting, other) in [("\"seed\":", "\"seed\":7"), ("=kubernetes-1.36", "=kubernetes-1.35")] {
        let run = right();
        let whole = lines(&run.reports().join("evidence.jsonl.gz"));
        for at in whole.match_indices(setting).map(|(at, _)| at) {
            edit(&run.reports().join("evidence.jsonl.gz"), |_| {
                format!("{}{other}{}", &whole[..at], &whole[at + setting.len()..])
            });
            assert_refused(&run, "differs from");
        }
    }
}

#[test]
fn a_partial_run_has_no_certificate() {
    for (flags, sentence) in [
        (&["--skip", "health-*"][..], "--skip leaves out clauses of the claim"),
        (&["--area", "health"], "--area leaves out clauses of the claim"),
        (&["--no-feature", "Metrics"], "--no-feature Metrics leaves out clauses of the claim"),
        (&["--level", "must"], "--level leaves out clauses of the claim"),
        (&["--read-only"], "--read-only leaves out clauses of the claim"),
    ] {
        let selection = [&CLAIM[..], flags].concat();
        assert_refused(&recorded(&Reference::right(), &selection, 0), sentence);
    }
    let without = recorded(&Reference::right(), &["--area", "health"], 0);
    assert_refused(&without, "the run selected no requirement set");
}

#[test]
fn unknown_sets_and_profiles_are_errors_before_the_first_request() {
    for arguments in [
        &["--requirements", "kubernetes-1.99"][..],
        &["--requirements", "kubernetes-1.36", "--conformance-profiles", "aply"],
        &["--conformance-profiles", "apply"],
    ] {
        let ended = kube_assay(&["run"]).with(arguments).end().ended_with(2);
        insta::assert_snapshot!(arguments.join(" ").replace("--", "").replace([' ', '.'], "_"), ended.err);
    }
}

#[test]
fn a_key_in_the_place_of_the_implementation_is_not_shown() {
    let run = right();
    let private = run.folder().join("key.pem");
    fs::write(&private, KeyPair::generate().unwrap().serialize_pem()).unwrap();
    let key = private.to_str().unwrap();
    let program = kube_assay(&["certify", run.reports().to_str().unwrap(), "--key", key]);
    let refused = program.with(&["--implementation", key]).end().ended_with(2);
    let text = fs::read_to_string(&private).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| line.len() > 8).collect();
    assert!(lines.len() > 2 && lines.iter().all(|line| !refused.err.contains(line)), "{}", refused.err);
    assert!(refused.err.contains("key.pem: line 1, column "), "{}", refused.err);
}
