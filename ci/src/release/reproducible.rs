//! `cargo ci reproducible`: two builds of the checked-out commit, in two folders, are the same.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::build::build;
use super::sha256;
use crate::cargo::succeed;
use crate::notice::Notices;
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// Clones the commit twice, builds both, and compares the binaries.
pub(crate) fn run(workspace: &Workspace, target: &str) -> Result<Notices, TaskError> {
    let folder = tempfile::tempdir().map_err(TaskError::failed_to("create a temporary folder"))?;
    // Folders whose paths differ in length and depth; both before the first build, in which somebody may commit.
    let clones = ["a", "another/folder"].map(|clone| folder.path().join(clone));
    clones.iter().try_for_each(|clone| clone_commit(workspace, clone))?;
    let mut digests = Vec::new();
    for clone in clones {
        let binary = build(workspace, &clone, target)?;
        let bytes = fs::read(&binary).map_err(TaskError::failed_to("read the binary"))?;
        println!("{}  {}", sha256(&bytes), binary.display());
        digests.push(sha256(&bytes));
        // A build takes much room, and the second needs nothing of the first.
        let _ = fs::remove_dir_all(&clone);
    }
    let same = digests.iter().all(|digest| *digest == digests[0]);
    if same { Ok(Notices::new()) } else { Err(TaskError::new("two builds of one commit differ")) }
}

fn clone_commit(workspace: &Workspace, folder: &Path) -> Result<(), TaskError> {
    let mut clone = Command::new("git");
    clone.args(["clone", "--quiet"]).arg(&workspace.root).arg(folder);
    succeed(clone, "failed to clone the repository").map(drop)
}
