//! The stages that Cargo already knows how to do: fmt, lint, test, and the build behind `real`.

use std::env;
use std::process::Command;

use crate::notice::Notices;
use crate::place::Place;
use crate::trouble::Trouble;

/// The formatting is rustfmt's.
pub(crate) fn fmt(place: &Place) -> Result<Notices, Trouble> {
    let format = cargo(place, &["fmt", "--all", "--check"]);
    succeed(format, "the formatting differs from rustfmt's: run `cargo fmt --all`")
}

/// Clippy and rustdoc have nothing to say.
pub(crate) fn lint(place: &Place) -> Result<Notices, Trouble> {
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    succeed(cargo(place, &clippy), "clippy has complaints")?;
    let mut doc = cargo(place, &["doc", "--workspace", "--no-deps"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    succeed(doc, "rustdoc has complaints")
}

/// All unit, integration and end-to-end tests.
pub(crate) fn test(place: &Place) -> Result<Notices, Trouble> {
    succeed(cargo(place, &["test", "--workspace"]), "a test failed")
}

/// Writes the pages about the catalogue: the test that holds them against it does so when it is told to.
pub(crate) fn docs(place: &Place) -> Result<Notices, Trouble> {
    let mut test = cargo(place, &["test", "--workspace", "--lib", "pages::the_pages_in_docs"]);
    test.env("KUBE_ASSAY_WRITE_DOCS", "1");
    succeed(test, "the pages in docs/areas could not be written")
}

/// How fast the judges are, and what the load generator costs beside ordinary clients.
pub(crate) fn bench(place: &Place) -> Result<Notices, Trouble> {
    let packages = ["--package", "checkers", "--package", "loadgen", "--package", "kube-assay"];
    let all = [&["bench", "--benches"][..], &packages].concat();
    succeed(cargo(place, &all), "a benchmark broke off")
}

/// The binaries, in the profile and with the features of the tests: after `test` nothing is left to compile.
///
/// Asking for less (`--bin kube-assay`) would unify features differently and build the dependencies again.
pub(crate) fn build(place: &Place) -> Result<Notices, Trouble> {
    succeed(cargo(place, &["build", "--workspace", "--all-targets"]), "the workspace does not build")
}

/// A Cargo command in the repository's root.
pub(crate) fn cargo(place: &Place, arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(&place.root);
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
pub(crate) fn succeed(mut command: Command, otherwise: &str) -> Result<Notices, Trouble> {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(Trouble::while_trying(format!("run {program}")))?;
    if status.success() { Ok(Notices::new()) } else { Err(Trouble::new(otherwise)) }
}
