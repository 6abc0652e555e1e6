//! The linters of the files that no test can run here.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{Checked, Packaging};
use crate::cargo::succeed;
use crate::task_error::TaskError;

/// A command, and the tool that it needs.
pub(super) struct Linter {
    pub(super) name: &'static str,
    /// A program of `$PATH`, or a Go module with its version.
    tool: &'static str,
    arguments: Vec<String>,
}

const ACTIONLINT: &str = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";
const KREW: &str = "sigs.k8s.io/krew/cmd/validate-krew-manifest@v0.4.3";
const WORKFLOWS: [&str; 2] = [".github/workflows/ci.yml", ".github/workflows/release.yml"];

/// All linters, with their arguments.
pub(super) fn all(packaging: &Packaging) -> Result<Vec<Linter>, TaskError> {
    let Packaging { root, sample } = packaging;
    let below = |folder: &Path, file: &str| folder.join(file).display().to_string();
    let linter = |name, tool, flags: &[&str], files: Vec<String>| {
        let flags = flags.iter().map(|flag| (*flag).to_owned());
        Linter { name, tool, arguments: flags.chain(files).collect() }
    };
    let workflows = || WORKFLOWS.map(|file| below(root, file)).to_vec();
    let action = ["--builtin-schema", "vendor.github-actions"];
    let formula = below(sample, "kube-assay.rb");
    let krew = below(sample, "assay.yaml");
    Ok(vec![
        linter("shell scripts", "shellcheck", &[], scripts(root)?),
        linter("workflows", ACTIONLINT, &[], workflows()),
        linter("krew manifest", KREW, &["-skip-install", "-manifest"], vec![krew]),
        linter("action.yml", "check-jsonschema", &action, vec![below(root, "action.yml")]),
        linter("Homebrew formula", "ruby", &["-c"], vec![formula]),
        linter("Dockerfile", "hadolint", &[], vec![below(root, "ci/packaging/Dockerfile")]),
    ])
}

/// The scripts of the repository.
fn scripts(root: &Path) -> Result<Vec<String>, TaskError> {
    let mut scripts = Vec::new();
    for folder in ["ci/packaging", "docs/recipes"] {
        let entries =
            fs::read_dir(root.join(folder)).map_err(TaskError::failed_to(format!("list {folder}")))?;
        let paths = entries.flatten().map(|entry| entry.path());
        let shell = paths.filter(|path| path.extension().is_some_and(|extension| extension == "sh"));
        scripts.extend(shell.map(|path| path.display().to_string()));
    }
    Ok(scripts)
}

impl Linter {
    /// Runs the tool, if it is there.
    pub(super) fn run(&self) -> Result<Checked, TaskError> {
        let folder = tempfile::tempdir().map_err(TaskError::failed_to("create a temporary folder"))?;
        let found = if self.tool.contains('@') { self.build(folder.path()) } else { self.find() };
        let mut command = match found {
            Ok(command) => command,
            Err(reason) => return Ok(Checked::Skipped(reason)),
        };
        command.args(&self.arguments).stdout(Stdio::inherit());
        succeed(command, &format!("{}: the linter reports an error", self.name))?;
        Ok(Checked::Passed)
    }

    fn find(&self) -> Result<Command, String> {
        let version = Command::new(self.tool).arg("--version").stdout(Stdio::null()).status();
        let there = version.is_ok_and(|status| status.success());
        there.then(|| Command::new(self.tool)).ok_or_else(|| format!("{} is not installed", self.tool))
    }

    /// Builds the Go module into the folder.
    fn build(&self, folder: &Path) -> Result<Command, String> {
        let mut install = Command::new("go");
        install.args(["install", self.tool]).env("GOBIN", folder).env_remove("GOFLAGS");
        let output = install.output().map_err(|_| "Go is not installed".to_owned())?;
        if !output.status.success() {
            return Err(format!("go install {} failed", self.tool));
        }
        let name = self.tool.split('@').next().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
        Ok(Command::new(folder.join(name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linter(tool: &'static str, arguments: &[&str]) -> Linter {
        let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        Linter { name: "sample", tool, arguments }
    }

    #[test]
    fn a_tool_that_is_not_there_is_named() {
        let checked = linter("no-such-linter", &[]).run().expect("no error");

        assert!(matches!(checked, Checked::Skipped(reason) if reason == "no-such-linter is not installed"));
    }

    #[test]
    fn a_tool_that_reports_an_error_fails() {
        let failed = linter("bash", &["-c", "exit 1"]).run();

        assert!(failed.is_err());
        assert!(matches!(linter("bash", &["-c", "exit 0"]).run(), Ok(Checked::Passed)));
    }
}
