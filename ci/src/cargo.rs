//! The stages that run Cargo: fmt, lint, test, bench and build.

use std::env;
use std::process::Command;

use crate::notice::Notices;
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// Checks the formatting.
pub(crate) fn fmt(workspace: &Workspace) -> Result<Notices, TaskError> {
    let format = cargo(workspace, &["fmt", "--all", "--check"]);
    succeed(format, "the formatting differs from rustfmt's: run `cargo fmt --all`")
}

/// Fails on warnings of Clippy and rustdoc.
pub(crate) fn lint(workspace: &Workspace) -> Result<Notices, TaskError> {
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    succeed(cargo(workspace, &clippy), "clippy reports warnings")?;
    let mut doc = cargo(workspace, &["doc", "--workspace", "--no-deps"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    succeed(doc, "rustdoc reports warnings")
}

/// Runs all unit, integration and end-to-end tests.
pub(crate) fn test(workspace: &Workspace) -> Result<Notices, TaskError> {
    succeed(cargo(workspace, &["test", "--workspace"]), "a test failed")
}

/// Writes docs/areas: a variable makes the test of these pages write them.
pub(crate) fn docs(workspace: &Workspace) -> Result<Notices, TaskError> {
    let mut test = cargo(workspace, &["test", "--workspace", "--lib", "pages::the_page"]);
    test.env("KUBE_ASSAY_WRITE_DOCS", "1");
    succeed(test, "failed to write the pages in docs/areas")
}

/// Writes the missing requirement sets: a variable makes the test of the sets write them.
pub(crate) fn requirements(workspace: &Workspace) -> Result<Notices, TaskError> {
    let mut test =
        cargo(workspace, &["test", "--package", "kube-assay", "--lib", "requirements::written::released"]);
    test.env("KUBE_ASSAY_WRITE_REQUIREMENTS", "1");
    succeed(test, "failed to write the requirement sets")
}

/// Benchmarks the checks, and the load engine against ordinary clients.
pub(crate) fn bench(workspace: &Workspace) -> Result<Notices, TaskError> {
    let packages = ["--package", "checkers", "--package", "loadgen", "--package", "kube-assay"];
    let all = [&["bench", "--benches"][..], &packages].concat();
    succeed(cargo(workspace, &all), "a benchmark failed")
}

/// Builds the binaries with the profile and features of the tests: after `test` nothing remains to compile.
///
/// A smaller build (`--bin kube-assay`) would unify features differently and rebuild the dependencies.
pub(crate) fn build(workspace: &Workspace) -> Result<Notices, TaskError> {
    succeed(cargo(workspace, &["build", "--workspace", "--bins", "--tests"]), "the workspace does not build")
}

/// A Cargo command in the root of the repository.
pub(crate) fn cargo(workspace: &Workspace, arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(&workspace.root);
    // `cargo run` sets these variables for this package. Build scripts that depend on them would rerun, and rebuild
    // their crates, once for each way to call Cargo.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Runs a command to its end. Any result but success is the given error.
pub(crate) fn succeed(mut command: Command, failure: &str) -> Result<Notices, TaskError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(TaskError::failed_to(format!("run {program}")))?;
    if status.success() { Ok(Notices::new()) } else { Err(TaskError::new(failure)) }
}
