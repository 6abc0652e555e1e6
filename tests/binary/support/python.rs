//! Python modules of other projects, where they are installed.

use std::io::Write;
use std::path::Path;
use std::process::Command;

/// The output of a script of Python; `None`, with a message, without the module that it needs.
pub(crate) fn python(module: &str, script: &str, file: &Path) -> Option<String> {
    let python = |script: &str, file: &Path| Command::new("python3").args(["-c", script]).arg(file).output();
    if !python(&format!("import {module}"), file).is_ok_and(|ended| ended.status.success()) {
        // Not with a macro: the test harness captures that output unless the test fails.
        let _ = writeln!(std::io::stderr(), "SKIPPED: python3 has no {module}, so it read no report");
        return None;
    }
    let ended = python(script, file).unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    Some(String::from_utf8(ended.stdout).unwrap())
}
