//! `cargo ci kinds`: the fields of the reference's built-in kinds, from the `OpenAPI` documents and protobuf
//! messages of a Kubernetes release.

mod documents;
mod messages;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo;
use crate::cli::Release;
use crate::notice::Notices;
use crate::task_error::TaskError;
use crate::workspace::Workspace;
use documents::{Schemas, Selection};
use messages::Messages;

/// The kinds to write, by document.
const SELECTION: &str = "reference/src/kind/kinds.toml";

/// The generated table.
const TABLE: &str = "reference/src/kind/kinds.txt";

/// The documents in the Kubernetes repository.
const DOCUMENTS: &str = "api/openapi-spec/v3";

/// The folders with the protobuf messages there.
const MESSAGES: &str = "staging/src";

/// Writes the table, or compares it with the committed one.
pub(crate) fn run(workspace: &Workspace, release: &Release) -> Result<Notices, TaskError> {
    let selection = Selection::parse(&read(&workspace.root.join(SELECTION))?)?;
    let downloads = tempfile::tempdir().map_err(TaskError::failed_to("make a temporary folder"))?;
    let mut schemas = Schemas::without(selection.opaque);
    let published = |folder: &str, file: &str| match &release.from {
        Some(local) => read(&local.join(file)),
        None => read(&download(&release.version, &format!("{folder}/{file}"), downloads.path())?),
    };
    for (document, kinds) in &selection.kinds {
        schemas.add(&published(DOCUMENTS, &format!("{document}_openapi.json"))?, kinds)?;
    }
    let mut messages = Messages::default();
    for file in messages::files(schemas.all().map(|(full, _)| full)) {
        messages.add(&file, &published(MESSAGES, &file)?);
    }
    let text = format!("{}{}", header(&release.version), table::write(&schemas, &messages));
    let table = workspace.root.join(TABLE);
    if release.check {
        let same = read(&table)? == text;
        return if same { Ok(Notices::new()) } else { Err(TaskError::new(format!("{TABLE} differs"))) };
    }
    fs::write(&table, text).map_err(TaskError::failed_to(format!("write {TABLE}")))?;
    println!("{TABLE} has the fields of Kubernetes {}", release.version);
    Ok(Notices::new())
}

fn header(version: &str) -> String {
    format!(
        "# {DOCUMENTS} and {MESSAGES} of kubernetes/kubernetes {version}, written by `cargo ci kinds {version}`: do not edit.\n"
    )
}

fn download(version: &str, file: &str, folder: &Path) -> Result<PathBuf, TaskError> {
    let url = format!("https://raw.githubusercontent.com/kubernetes/kubernetes/{version}/{file}");
    let path = folder.join(file.replace('/', "_"));
    let mut curl = Command::new("curl");
    curl.args(["--fail", "--silent", "--show-error", "--location", "--output"]).arg(&path).arg(&url);
    cargo::succeed(curl, &format!("failed to download {url}; hint: --from takes a folder with the files"))?;
    Ok(path)
}

fn read(path: &Path) -> Result<String, TaskError> {
    fs::read_to_string(path).map_err(TaskError::failed_to(format!("read {}", path.display())))
}
