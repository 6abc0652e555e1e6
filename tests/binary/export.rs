//! `export`: results of `load` in the formats of other tools, read by those tools where they are installed.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::load::loading;
use crate::support::python::python;
use crate::support::{Ended, Reference, kube_assay};

/// Prints the number of samples of each metric.
const OPENMETRICS: &str = "
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
families = {family.name: len(family.samples) for family in text_string_to_metric_families(open(sys.argv[1]).read())}
print(families['kube_assay_load_duration_seconds'] > 100, families['kube_assay_load_run_info'])
";

/// Prints the number of results and whether each metric has a value in each.
const OTAVA: &str = "
import os, sys
os.chdir(os.path.dirname(sys.argv[1]))
from otava.config import load_config_from_file
from otava.importer import CsvImporter
test = load_config_from_file('otava.yaml').tests['crud-mix']
series = CsvImporter().fetch_data(test)
print(len(series.time), series.attributes['commit'], all(len(values) == 2 for values in series.data.values()))
print({metric.direction for metric in series.metrics.values()})
";

/// A small result, with the label of a commit.
fn result(reference: &Reference, commit: &str) -> Ended {
    let small = ["--objects", "20", "--rate", "200", "--duration", "2s", "--http2"];
    let ended =
        loading("crud-mix", reference).with(&small).with(&["--label", &format!("commit={commit}")]).end();
    assert_ne!(ended.report("summary.json"), "");
    ended
}

/// The document of these results.
fn exported(results: &[&Ended], format: &str) -> String {
    let reports: Vec<String> = results.iter().map(|one| one.reports().display().to_string()).collect();
    let reports: Vec<&str> = reports.iter().map(String::as_str).collect();
    kube_assay(&["export", "--format", format]).with(&reports).end().ended_with(0).out
}

#[test]
fn prometheus_parses_a_result() {
    let reference = Reference::right();
    let result = result(&reference, "1f2e");
    let text = exported(&[&result], "openmetrics");
    let file = result.folder().join("metrics.txt");
    std::fs::write(&file, &text).unwrap();
    if let Some(read) = python("prometheus_client", OPENMETRICS, &file) {
        assert_eq!(read, "True 1\n");
    }
    let promtool = Command::new("promtool").args(["check", "metrics"]).stdin(Stdio::piped()).spawn();
    let Ok(mut promtool) = promtool else {
        let _ = writeln!(std::io::stderr(), "SKIPPED: there is no promtool, so it read no export");
        return;
    };
    promtool.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(promtool.wait().unwrap().success());
}

#[test]
fn otava_imports_a_table_with_its_configuration() {
    let reference = Reference::right();
    let results = [result(&reference, "1f2e"), result(&reference, "3d4c")];
    let folder = results[0].folder();
    let [table, config] =
        ["otava", "otava-config"].map(|format| exported(&[&results[0], &results[1]], format));
    std::fs::write(folder.join("results.csv"), table).unwrap();
    std::fs::write(folder.join("otava.yaml"), config).unwrap();
    if let Some(read) = python("otava", OTAVA, &folder.join("otava.yaml")) {
        assert_eq!(read, "2 ['1f2e', '3d4c'] True\n{1, -1}\n");
    }
}

#[test]
fn what_cannot_be_exported_is_wrong_usage() {
    let failed = kube_assay(&["export", "missing.json", "--format", "csv"]).end().ended_with(2);
    assert!(failed.err.contains("failed to read missing.json"), "{}", failed.err);
    let program = kube_assay(&["export", "other.json", "--format", "csv"]);
    program.file("other.json", "{\"clauses\":[]}");
    let failed = program.end().ended_with(2);
    assert!(failed.err.contains("summary of a conformance run"), "{}", failed.err);
    let failed = kube_assay(&["export", "a.json", "--format", "excel"]).end().ended_with(2);
    assert!(failed.err.contains("give one of bencher, github-smaller"), "{}", failed.err);
}
