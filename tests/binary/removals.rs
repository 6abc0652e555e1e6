//! `kube-assay removals` and manifests.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::support::{Ended, Program, kube_assay, session};

const SCHEMAS: &str =
    "apiVersion: flowcontrol.apiserver.k8s.io/v1beta3\nkind: FlowSchema\nmetadata:\n  name: a\n";

const MANY: &str = "\
# Source: chart/templates/all.yaml
apiVersion: v1
kind: List
items:
- apiVersion: policy/v1beta1
  kind: PodDisruptionBudget
  metadata: { name: budget, namespace: web }
- apiVersion: policy/v1
  kind: PodDisruptionBudget
  metadata: { name: right }
---
kind: ResourceClaim
metadata: { generateName: claim- }
apiVersion: resource.k8s.io/v1beta1
---
apiVersion: example.com/v1beta1
kind: FlowSchema
metadata: { name: other-group }
---
apiVersion: v1
kind: Endpoints
metadata: { name: addresses }
";

/// A search from 1.30 to 1.37.
fn removals() -> Program {
    kube_assay(&["removals", "--from", "1.30", "--to", "1.37"])
}

fn document(ended: &Ended) -> Value {
    let document = serde_json::from_str(&ended.out).unwrap();
    let schema = include_str!("../../reports/schema/removals.json");
    jsonschema::validate(&serde_json::from_str(schema).unwrap(), &document).unwrap();
    document
}

#[test]
fn a_document_that_is_no_object_beside_others_is_not_read() {
    let program = removals().with(&["-f", "mixed.yaml", "-f", "values.yaml", "-f", "twice.yaml"]);
    program.file("mixed.yaml", "apiVersion: v1\nkind: ConfigMap\n---\nkind: List\nitems: []\n");
    program.file("values.yaml", "kind: DaemonSet\n");
    program.file("twice.yaml", "apiVersion: policy/v1\nkind: A\napiVersion: v1\n");
    let ended = program.end().ended_with(3);
    let lines: Vec<&str> = ended.err.lines().collect();
    assert_eq!(
        lines[..3],
        [
            "error: failed to read mixed.yaml: line 4: the document has no apiVersion or no kind",
            "error: found no object in values.yaml",
            "error: failed to read twice.yaml: line 3: it has the key apiVersion twice",
        ]
    );
}

#[test]
fn without_manifests_the_removed_apis_are_listed() {
    insta::assert_snapshot!(session(&[
        &["removals", "--from", "1.33", "--to", "1.37"],
        &["removals", "--from", "1.37", "--to", "1.37"],
        &["removals", "--from", "1.37", "--to", "1.38"],
        &["removals", "--from", "1.37", "--to", "1.30"],
        &["removals", "--to", "2.0"],
        &["removals", "--to", "newest"],
    ]));
    let all = document(&kube_assay(&["removals", "-o", "json"]).end().ended_with(0));
    assert_eq!((&all["from"], &all["to"]), (&"1.15".into(), &"1.37".into()));
    assert!(all["removed"].as_array().unwrap().len() > 90);
}

#[test]
fn uses_in_manifests_have_file_line_and_replacement() {
    let program = removals().with(&["-f", "manifests", "-f", "one.json"]);
    fs::create_dir_all(program.folder().join("manifests/nested")).unwrap();
    program.file("manifests/a.yaml", SCHEMAS);
    program.file("manifests/nested/many.yml", MANY);
    program.file("manifests/nested/notes.txt", "apiVersion: batch/v1beta1\nkind: CronJob\n");
    program.file("one.json", "{\n \"kind\": \"Ingress\",\n \"apiVersion\": \"extensions/v1beta1\"\n}\n");
    let ended = program.end();
    insta::assert_snapshot!(ended.shown());
    ended.ended_with(1);
}

#[test]
fn a_deprecated_api_is_listed_and_breaks_nothing() {
    let program = removals().with(&["-f", "a.yaml", "-o", "json"]);
    program.file("a.yaml", "apiVersion: resource.k8s.io/v1beta1\nkind: DeviceClass\n");
    let found = document(&program.end().ended_with(0));
    let of_use = &found["uses"][0];
    assert_eq!((&of_use["change"], &of_use["breaks"]), (&"deprecated".into(), &false.into()));
    assert_eq!((&of_use["file"], &of_use["line"]), (&"a.yaml".into(), &1.into()));
    assert_eq!(of_use["api"]["replacement"]["version"], "resource.k8s.io/v1");
}

#[test]
fn manifests_come_from_standard_input() {
    let program = removals().with(&["-f", "-"]);
    program.file("a.yaml", SCHEMAS);
    let ended = program.after("exec < a.yaml").end().ended_with(1);
    assert!(ended.out.contains(" standard input:1 "), "{}", ended.out);
}

#[test]
fn what_cannot_be_read_is_named_and_hides_nothing() {
    let program = removals().with(&["-f", "manifests", "-f", "missing.yaml"]);
    let folder = program.folder().join("manifests");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("binary.yaml"), [0xFF, 0xFE, 0, 1, 2, b'\n']).unwrap();
    fs::write(folder.join("text.yaml"), "no manifest\n").unwrap();
    fs::write(folder.join("template.yaml"), "a: {{ .a }}\n{{ end }}\n").unwrap();
    fs::write(folder.join("deep.json"), "[".repeat(100_000)).unwrap();
    symlink("nowhere", folder.join("link.yaml")).unwrap();
    let ended = program.end();
    insta::assert_snapshot!(ended.shown());
    ended.ended_with(3);

    let program = removals().with(&["-f", "missing.yaml", "-f", "a.yaml"]);
    program.file("a.yaml", SCHEMAS);
    program.end().ended_with(1);
}

#[test]
fn a_search_that_finds_no_object_is_not_green() {
    let program = removals().with(&["-f", "-", "-f", "empty", "-f", "comment.yaml"]);
    fs::create_dir(program.folder().join("empty")).unwrap();
    program.file("comment.yaml", "# nothing\n");
    let ended = program.end();
    for what in ["standard input", "empty", "comment.yaml"] {
        assert!(ended.err.contains(&format!("found no object in {what}\n")), "{}", ended.err);
    }
    ended.ended_with(3);
}

#[test]
fn links_that_lead_back_are_not_followed() {
    let program = removals().with(&["-f", "manifests"]);
    let folder = program.folder().join("manifests");
    fs::create_dir(&folder).unwrap();
    symlink(".", folder.join("loop")).unwrap();
    symlink("../a.yaml", folder.join("file.yaml")).unwrap();
    program.file("a.yaml", SCHEMAS);
    let ended = program.end().ended_with(1);
    assert!(ended.err.contains("skipped manifests/loop: it is a link to a folder"), "{}", ended.err);
    assert_eq!(ended.out.matches("file.yaml:1").count(), 1, "{}", ended.out);
}

/// A search of one file in bounded memory.
fn bounded(make: impl Fn(&Program), code: i32) -> Ended {
    let program = removals().with(&["-f", "file.yaml", "-o", "json"]);
    make(&program);
    let mut running = program.start();
    let peak = running.peak_memory();
    assert!(peak < 300 << 20, "{} MB", peak >> 20);
    running.end().ended_with(code)
}

#[test]
#[cfg(target_os = "linux")]
fn huge_files_do_not_fill_our_memory() {
    let endless = bounded(|program| symlink("/dev/zero", program.folder().join("file.yaml")).unwrap(), 3);
    assert!(endless.err.contains("a document is larger than 16 megabytes"), "{}", endless.err);
    let item = "{apiVersion: policy/v1beta1, kind: PodDisruptionBudget},";
    let wide = format!("apiVersion: v1\nkind: List\nitems: [{}]\n", item.repeat(200_000));
    let wide = document(&bounded(|program| drop(program.file("file.yaml", &wide)), 1));
    assert_eq!((&wide["objects"], &wide["uses_left_out"]), (&200_000.into(), &190_000.into()));
    let numbers = format!("items: [{}]\n", "1,".repeat(7 << 20));
    bounded(|program| drop(program.file("file.yaml", &numbers)), 3);
}
