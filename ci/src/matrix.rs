//! `cargo ci matrix`: the page of the mutation matrix, written anew.

use std::fs;
use std::process::Command;

use crate::cargo;
use crate::notice::Notices;
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// Where the page stands in the repository.
const PAGE: &str = "docs/matrix.md";

/// Plays the whole proof, and takes the page from it if it holds.
pub(crate) fn run(workspace: &Workspace) -> Result<Notices, TaskError> {
    cargo::build(workspace)?;
    let output = workspace.evidence().with_file_name("matrix");
    let mut proof = Command::new(workspace.binary("kube-assay"));
    proof.arg("prove").arg("--output-dir").arg(&output).current_dir(&workspace.root);
    cargo::succeed(proof, "the proof does not hold: the page stays as it was")?;
    let (written, page) = (output.join("matrix.md"), workspace.root.join(PAGE));
    fs::create_dir_all(page.parent().unwrap_or(&workspace.root))
        .map_err(TaskError::while_trying("make docs/"))?;
    fs::copy(&written, &page).map_err(TaskError::while_trying(format!("copy {}", written.display())))?;
    println!("{PAGE} is written anew");
    Ok(Notices::new())
}
