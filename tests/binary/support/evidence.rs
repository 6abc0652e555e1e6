//! Full evidence: made by a run, read, and edited.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use super::{Ended, Reference, kube_assay};

/// A run with full evidence against a reference with faults.
pub(crate) fn recorded(reference: &Reference, selection: &[&str], code: i32) -> Ended {
    let program = kube_assay(&["run", "--server", &reference.url(), "--token", reference.token()]);
    program.with(&["--evidence", "full"]).with(selection).end().ended_with(code)
}

/// The evidence of a run.
pub(crate) fn evidence(run: &Ended) -> PathBuf {
    run.reports().join("evidence.jsonl.gz")
}

/// The lines of the evidence.
pub(crate) fn lines(evidence: &Path) -> String {
    let mut lines = String::new();
    GzDecoder::new(fs::File::open(evidence).unwrap()).read_to_string(&mut lines).unwrap();
    lines
}

/// Writes the evidence again, with a change.
pub(crate) fn edit(evidence: &Path, change: impl FnOnce(String) -> String) {
    let changed = change(lines(evidence));
    let mut packer = GzEncoder::new(fs::File::create(evidence).unwrap(), Compression::fast());
    packer.write_all(changed.as_bytes()).unwrap();
    packer.finish().unwrap();
}

/// The lines of evidence without its first exchange.
pub(crate) fn without_an_exchange(lines: &str) -> String {
    let removed = lines.lines().position(|line| line.starts_with("{\"exchange\"")).unwrap();
    let kept = lines.lines().enumerate().filter(|(number, _)| *number != removed);
    kept.flat_map(|(_, line)| [line, "\n"]).collect()
}
