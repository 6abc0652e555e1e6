//! The stages that Cargo already knows how to do: fmt, lint, test, and the build behind `real`.

use std::env;
use std::process::Command;

use crate::notice::Notices;
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// The formatting is rustfmt's.
pub(crate) fn fmt(workspace: &Workspace) -> Result<Notices, TaskError> {
    let format = cargo(workspace, &["fmt", "--all", "--check"]);
    succeed(format, "the formatting differs from rustfmt's: run `cargo fmt --all`")
}

/// Clippy and rustdoc have nothing to say.
pub(crate) fn lint(workspace: &Workspace) -> Result<Notices, TaskError> {
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    succeed(cargo(workspace, &clippy), "clippy has complaints")?;
    let mut doc = cargo(workspace, &["doc", "--workspace", "--no-deps"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    succeed(doc, "rustdoc has complaints")
}

/// All unit, integration and end-to-end tests.
pub(crate) fn test(workspace: &Workspace) -> Result<Notices, TaskError> {
    succeed(cargo(workspace, &["test", "--workspace"]), "a test failed")
}

/// Writes the pages about the catalogue: the test that holds them against it does so when it is told to.
pub(crate) fn docs(workspace: &Workspace) -> Result<Notices, TaskError> {
    let mut test = cargo(workspace, &["test", "--workspace", "--lib", "pages::the_pages_in_docs"]);
    test.env("KUBE_ASSAY_WRITE_DOCS", "1");
    succeed(test, "the pages in docs/areas could not be written")
}

/// How fast the judges are, and what the load generator costs beside ordinary clients.
pub(crate) fn bench(workspace: &Workspace) -> Result<Notices, TaskError> {
    let packages = ["--package", "checkers", "--package", "loadgen", "--package", "kube-assay"];
    let all = [&["bench", "--benches"][..], &packages].concat();
    succeed(cargo(workspace, &all), "a benchmark broke off")
}

/// The binaries, in the profile and with the features of the tests: after `test` nothing is left to compile.
///
/// Asking for less (`--bin kube-assay`) would unify features differently and build the dependencies again.
pub(crate) fn build(workspace: &Workspace) -> Result<Notices, TaskError> {
    succeed(cargo(workspace, &["build", "--workspace", "--all-targets"]), "the workspace does not build")
}

/// A Cargo command in the repository's root.
pub(crate) fn cargo(workspace: &Workspace, arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(&workspace.root);
    // What `cargo run` told us about this package is not for the packages built below: a build script that
    // watches these variables would run, and its crate be built, once more for each way of calling Cargo.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Runs a command to its end; anything but success is the given trouble.
pub(crate) fn succeed(mut command: Command, otherwise: &str) -> Result<Notices, TaskError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(TaskError::while_trying(format!("run {program}")))?;
    if status.success() { Ok(Notices::new()) } else { Err(TaskError::new(otherwise)) }
}
