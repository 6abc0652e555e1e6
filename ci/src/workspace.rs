//! Paths of the repository and of the built binaries.

use std::env;
use std::path::{Path, PathBuf};

use crate::task_error::TaskError;

/// The paths of a task, determined at the start.
#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    /// The folder of this profile's binaries. It is read before any build: a build replaces the running file, whose
    /// path the system then reports as deleted.
    binaries: PathBuf,
}

impl Workspace {
    /// Finds the paths: Cargo provides the manifest's folder, and runs this program from the target directory.
    pub(crate) fn find() -> Result<Self, TaskError> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let manifest = manifest.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
        let root = manifest.parent().unwrap_or(Path::new(".")).to_path_buf();
        let own = env::current_exe().map_err(TaskError::failed_to("find the running binary"))?;
        let binaries = own.parent().unwrap_or(Path::new(".")).to_path_buf();
        Ok(Self { root, binaries })
    }

    /// The path of a binary, built with the profile of `cargo ci`.
    pub(crate) fn binary(&self, name: &str) -> PathBuf {
        self.binaries.join(name)
    }

    /// The folder for logs and reports: below Cargo's target directory, so that no commit includes it.
    pub(crate) fn evidence(&self) -> PathBuf {
        self.binaries.parent().unwrap_or(&self.binaries).join("real")
    }
}
