//! `cargo ci archive`, `reproducible` and `release-files`: what a release consists of.
//!
//! The release workflow calls these tasks, so that everything but signing and uploading can be done at home.

mod archive;
mod build;
mod files;
mod reproducible;
mod template;

use std::path::{Path, PathBuf};

use aws_lc_rs::digest::{SHA256, digest};
use clap::Args;

use crate::notice::Notices;
use crate::task_error::TaskError;
use crate::workspace::Workspace;

pub(crate) use files::{ReleaseFilesOptions, sample};
pub(crate) use reproducible::run as reproducible;

/// The target of a build.
#[derive(Debug, Args)]
pub(crate) struct BuildOptions {
    /// Rust target, for example x86_64-unknown-linux-musl; rustup must have it.
    #[arg(long)]
    pub(crate) target: String,
    /// Folder for the archive.
    #[arg(long, value_name = "DIR", default_value = "dist")]
    pub(crate) output_dir: PathBuf,
}

/// Builds the binary and packs it into an archive.
pub(crate) fn archive(workspace: &Workspace, options: &BuildOptions) -> Result<Notices, TaskError> {
    let binary = build::build(workspace, &workspace.root, &options.target)?;
    let epoch = build::commit_time(&workspace.root)?;
    let name = archive::name(&version(&workspace.root)?, &options.target);
    let bytes = archive::pack(&workspace.root, &binary, &name, epoch)?;
    let path = options.output_dir.join(format!("{name}.tar.gz"));
    write(&path, &bytes)?;
    println!("{}  {}", sha256(&bytes), path.display());
    Ok(Notices::new())
}

/// Writes the files of a release that name its archives.
pub(crate) fn files(workspace: &Workspace, options: &ReleaseFilesOptions) -> Result<Notices, TaskError> {
    files::run(workspace, options)
}

/// The version of all crates.
fn version(root: &Path) -> Result<String, TaskError> {
    let manifest: toml::Table =
        read(&root.join("Cargo.toml"))?.parse().map_err(TaskError::failed_to("parse Cargo.toml"))?;
    let version = manifest["workspace"]["package"]["version"].as_str();
    version.map(str::to_owned).ok_or_else(|| TaskError::new("failed to find the version in Cargo.toml"))
}

fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write;
    let hash = digest(&SHA256, bytes);
    hash.as_ref().iter().fold(String::new(), |mut text, byte| {
        // Writing into a String does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn read(path: &Path) -> Result<String, TaskError> {
    std::fs::read_to_string(path).map_err(TaskError::failed_to(format!("read {}", path.display())))
}

/// Writes a file, with its folder.
fn write(path: &Path, bytes: &[u8]) -> Result<(), TaskError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, bytes))
        .map_err(TaskError::failed_to(format!("write {}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_has_64_digits() {
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }
}
