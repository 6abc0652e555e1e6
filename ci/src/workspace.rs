//! Where things are: the repository, and the binaries that Cargo built.

use std::env;
use std::path::{Path, PathBuf};

use crate::task_error::TaskError;

/// The places a task works in, found out once, at the start.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// The root of the repository.
    pub(crate) root: PathBuf,
    /// Where Cargo puts this profile's binaries. Asked before any stage builds the workspace: that replaces
    /// the running file, after which the system reports it as deleted.
    binaries: PathBuf,
}

impl Workspace {
    /// Finds them: Cargo says where this crate's manifest is, and runs us from the target directory.
    pub(crate) fn find() -> Result<Self, TaskError> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let manifest = manifest.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
        let root = manifest.parent().unwrap_or(Path::new(".")).to_path_buf();
        let own = env::current_exe().map_err(TaskError::while_trying("find the running binary"))?;
        let binaries = own.parent().unwrap_or(Path::new(".")).to_path_buf();
        Ok(Self { root, binaries })
    }

    /// A binary of the workspace, in the profile that `cargo ci` itself was built with.
    pub(crate) fn binary(&self, name: &str) -> PathBuf {
        self.binaries.join(name)
    }

    /// Where a task may leave evidence: below Cargo's target directory, so that nobody commits it.
    pub(crate) fn evidence(&self) -> PathBuf {
        self.binaries.parent().unwrap_or(&self.binaries).join("real")
    }
}
