//! The reproducible build: the same commit and compiler give the same bytes in every folder.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::{cargo, succeed};
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// Builds the release binary of a checkout for a target, and returns its path.
pub(super) fn build(workspace: &Workspace, root: &Path, target: &str) -> Result<PathBuf, TaskError> {
    // The folders of the dependencies must exist before their paths can be mapped.
    let fetch = ["fetch", "--locked", "--target", target];
    succeed(in_folder(workspace, root, &fetch), "failed to download the dependencies")?;
    let folder = root.join("target");
    let program = ["--package", "kube-assay", "--bin", "kube-assay", "--target", target];
    let mut build = in_folder(workspace, root, &["build", "--release", "--locked"]);
    build.args(program).arg("--target-dir").arg(&folder);
    let paths = mapped_paths(root);
    let flags: Vec<_> = paths.iter().map(|(from, to)| format!("--remap-path-prefix={from}={to}")).collect();
    build.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    // The C code of the provider of cryptography names its files in error messages.
    let flags: Vec<_> = paths.iter().map(|(from, to)| format!("-ffile-prefix-map={from}={to}")).collect();
    build.env(format!("CFLAGS_{}", target.replace('-', "_")), flags.join(" "));
    build.env("SOURCE_DATE_EPOCH", commit_time(root)?.to_string());
    succeed(build, "the release does not build")?;
    let binary = folder.join(target).join("release/kube-assay");
    check_size(&binary, target)?;
    Ok(binary)
}

/// The largest binary of a release for Linux, in bytes. The image, with its base of 5 MB, may have 60 MB.
const LARGEST: u64 = 40_000_000;

/// Rejects a binary that users would wait for.
fn check_size(binary: &Path, target: &str) -> Result<(), TaskError> {
    let size = fs::metadata(binary).map_err(TaskError::failed_to("read the size of the binary"))?.len();
    println!("{size} bytes  {}", binary.display());
    if target.contains("linux-musl") && size > LARGEST {
        return Err(TaskError::new(format!("the binary has {size} bytes; at most {LARGEST} are allowed")));
    }
    Ok(())
}

/// When the commit was made, in seconds since 1970: the time of every file in an archive.
pub(super) fn commit_time(root: &Path) -> Result<u64, TaskError> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["log", "-1", "--format=%ct"]);
    let output = git.output().map_err(TaskError::failed_to("run git"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().map_err(TaskError::failed_to("read the time of the commit"))
}

fn in_folder(workspace: &Workspace, root: &Path, arguments: &[&str]) -> Command {
    let mut command = cargo(workspace, arguments);
    command.current_dir(root);
    command
}

/// The paths of this machine, with the names that replace them in the binary.
fn mapped_paths(root: &Path) -> Vec<(String, &'static str)> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(env::home_dir()?.join(".cargo"))).unwrap_or_default();
    let registries = fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten();
    // A mirror's folder has another name than that of crates.io.
    let crates = registries.map(|entry| (entry.path().display().to_string(), "/crates"));
    std::iter::once((root.display().to_string(), ".")).chain(crates).collect()
}
