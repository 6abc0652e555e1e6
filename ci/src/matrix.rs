//! `cargo ci matrix`: writes the page of the mutation matrix.

use std::fs;
use std::process::Command;

use crate::cargo;
use crate::notice::Notices;
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// The path of the page.
const PAGE: &str = "docs/matrix.md";

/// Runs the whole proof, and copies its page if it passes.
pub(crate) fn run(workspace: &Workspace) -> Result<Notices, TaskError> {
    cargo::build(workspace)?;
    let output = workspace.evidence().with_file_name("matrix");
    let mut proof = Command::new(workspace.binary("kube-assay"));
    proof.arg("prove").arg("--output-dir").arg(&output).current_dir(&workspace.root);
    cargo::succeed(proof, "the proof failed: the page is unchanged")?;
    let (written, page) = (output.join("matrix.md"), workspace.root.join(PAGE));
    fs::create_dir_all(page.parent().unwrap_or(&workspace.root))
        .map_err(TaskError::failed_to("make docs/"))?;
    fs::copy(&written, &page).map_err(TaskError::failed_to(format!("copy {}", written.display())))?;
    println!("{PAGE} is written");
    Ok(Notices::new())
}
