//! `cargo ci packaging`: workflows, scripts, manifests and the files of a release.
//!
//! Each is checked by the tool that its users have. A tool that this machine lacks is a notice, never an error.

mod linters;
mod manifests;

use std::path::{Path, PathBuf};

use crate::notice::{Notice, Notices};
use crate::release;
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// What became of one check.
enum Checked {
    Passed,
    /// The tool that this machine lacks.
    Skipped(String),
}

/// The files of a sample release, with the repository that they come from.
struct Packaging {
    root: PathBuf,
    sample: PathBuf,
}

impl Packaging {
    /// Fills the templates in.
    fn prepare(root: &Path, sample: &Path) -> Result<Self, TaskError> {
        for (name, text) in release::sample(root)? {
            let path = sample.join(name);
            std::fs::write(&path, text).map_err(TaskError::failed_to(format!("write {}", path.display())))?;
        }
        Ok(Self { root: root.to_owned(), sample: sample.to_owned() })
    }
}

/// Runs every check whose tool is there. The first failure ends it.
pub(crate) fn run(workspace: &Workspace) -> Result<Notices, TaskError> {
    let folder = tempfile::tempdir().map_err(TaskError::failed_to("create a temporary folder"))?;
    let packaging = Packaging::prepare(&workspace.root, folder.path())?;
    let mut skipped = Vec::new();
    for linter in linters::all(&packaging)? {
        let name = linter.name;
        match linter.run()? {
            Checked::Passed => println!("{name}: passed"),
            Checked::Skipped(reason) => skipped.push(format!("SKIPPED: {name}: {reason}")),
        }
    }
    match manifests::run(workspace, &packaging)? {
        Checked::Passed => println!("manifests on a real kube-apiserver: passed"),
        Checked::Skipped(reason) => {
            skipped.push(format!("SKIPPED: manifests on a real kube-apiserver: {reason}"));
        }
    }
    if skipped.is_empty() { Ok(Notices::new()) } else { Ok(vec![Notice::announce(skipped)]) }
}
