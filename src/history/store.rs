//! The store of a history: a folder with one file per result, `2026-11/2026-11-25T04-41-02.125Z-1f2e3d4c5b6a.json`.
//!
//! A file is written under another name, and gets its own only when its content has reached the disk. From then on it
//! never changes, and its name contains the digest of its content. So writers need no lock, a merge of two branches has no
//! conflict, and whatever stops a writer leaves the other results as they are.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use harness::load::history::HistoryEntry;
use reports::directory::replace;
use reports::load::{read_entry, write_entry};

use crate::digest::sha256;
use crate::result_file::{beginning, expect_bounded};

/// What became of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kept {
    /// It is in this new file.
    Added(PathBuf),
    /// The same result was in this file before.
    Already(PathBuf),
}

/// Adds a result.
pub(crate) fn add(store: &Path, entry: &HistoryEntry) -> Result<Kept, String> {
    let mut content = Vec::new();
    write_entry(entry, &mut content).map_err(|why| format!("failed to write a result: {why}"))?;
    let path = path_of(store, entry, &content);
    if fs::read(&path).is_ok_and(|kept| kept == content) {
        return Ok(Kept::Already(path));
    }
    let folder = path.parent().unwrap_or(store);
    fs::create_dir_all(folder).map_err(|why| not_added("make the folder", folder, &why))?;
    replace(&path, |file| {
        file.write_all(&content)?;
        file.flush()?;
        file.get_ref().sync_all()
    })
    .map_err(|why| not_added("write", &path, &why))?;
    // The new name is lost with a power failure unless its folder is on the disk as well. Not every system can do that.
    for folder in [folder, store] {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(Kept::Added(path))
}

/// Names sort by time; a colon would be illegal on some systems.
fn path_of(store: &Path, entry: &HistoryEntry, content: &[u8]) -> PathBuf {
    let began = entry.began.strftime("%Y-%m-%dT%H-%M-%S%.3fZ").to_string();
    let digest = sha256([content]);
    store.join(&began[..began.len().min(7)]).join(format!("{began}-{}.json", &digest[..12]))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The results of a store, and the files that could not be read as one, each with the reason.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) entries: Vec<HistoryEntry>,
    pub(crate) unreadable: Vec<String>,
}

/// Reads all results.
pub(crate) fn read(store: &Path) -> Result<Stored, String> {
    let mut stored = Stored { entries: Vec::new(), unreadable: Vec::new() };
    for folder in list(store)?.into_iter().filter(|path| path.is_dir()) {
        for file in list(&folder)? {
            let is_result = file.extension().is_some_and(|extension| extension == "json") && file.is_file();
            if !is_result || file_name(&file).starts_with('.') {
                continue;
            }
            let content = beginning(&file).map_err(|why| failed("read", &file, &why))?;
            let bounded = expect_bounded(&content);
            match bounded.and_then(|()| read_entry(&content).map_err(|why| why.to_string())) {
                Ok(entry) => stored.entries.push(entry),
                Err(why) => stored.unreadable.push(format!("failed to read {}: {why}", file.display())),
            }
        }
    }
    Ok(stored)
}

/// The content of a folder, in the order of names. Names of git and the like begin with a dot.
fn list(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|why| failed("read", folder, &why))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>();
    let mut paths = paths.map_err(|why| failed("read", folder, &why))?;
    paths.retain(|path| !file_name(path).starts_with('.'));
    paths.sort_unstable();
    Ok(paths)
}

/// The error of a reader.
fn failed(attempted: &str, path: &Path, why: &io::Error) -> String {
    let is_missing = why.kind() == io::ErrorKind::NotFound;
    let hint = if is_missing { "; hint: `kube-assay history add` makes the store" } else { "" };
    format!("failed to {attempted} {}: {why}{hint}", path.display())
}

/// The error of a writer, which names the part of the path that is there.
fn not_added(attempted: &str, path: &Path, why: &io::Error) -> String {
    const ANOTHER: &str = "choose another folder with --store DIR";
    let there = existing_part(path).display();
    let hint = match why.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            "make room, and add the result again".to_owned()
        }
        io::ErrorKind::PermissionDenied => format!("make {there} writable, or {ANOTHER}"),
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
            format!("{there} is no folder: {ANOTHER}")
        }
        _ => ANOTHER.to_owned(),
    };
    format!("failed to {attempted} {}: {why}; hint: {hint}", path.display())
}

/// The longest beginning of a path that something is at, perhaps a link that leads nowhere.
fn existing_part(path: &Path) -> &Path {
    let mut parts = path.ancestors().filter(|part| *part != Path::new(""));
    parts.find(|part| part.is_symlink() || part.exists()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_cannot_be_added_has_a_hint() {
        let folder = tempfile::tempdir().unwrap();
        let (store, there) = (folder.path().join("store"), folder.path().display());
        for (kind, hint) in [
            (
                io::ErrorKind::PermissionDenied,
                format!("make {there} writable, or choose another folder with --store DIR"),
            ),
            (io::ErrorKind::ReadOnlyFilesystem, "choose another folder with --store DIR".to_owned()),
            (io::ErrorKind::FileTooLarge, "make room, and add the result again".to_owned()),
        ] {
            let error = not_added("make the folder", &store.join("2026-11"), &kind.into());
            let begins = format!("failed to make the folder {}/2026-11: ", store.display());
            assert!(error.starts_with(&begins) && error.ends_with(&format!("; hint: {hint}")), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn the_existing_part_of_a_path_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        assert_eq!(existing_part(&file.join("store/2026-11")), file);
        assert_eq!(existing_part(&link.join("2026-11")), link);
        assert_eq!(existing_part(Path::new("no-such-store/2026-11")), Path::new("."));
    }
}
