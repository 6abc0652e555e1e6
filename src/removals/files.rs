//! Manifests of the user: files, folders and standard input.

use std::fs::{self, Metadata};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use harness::InputFile;

use super::documents::Documents;
use super::manifest::content;
use super::usage::{Place, Usage, Usages};
use crate::output::remark;

/// The endings of manifests in folders, as kubectl has them.
const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

/// A path as it is shown.
pub(super) fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads the manifests at a path; `-` is standard input.
pub(super) fn search(path: &Path, usages: &mut Usages) {
    if path == Path::new("-") {
        return read(&name_of(path), io::stdin().lock(), usages);
    }
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => search_folder(path, usages),
        Ok(_) => read_file(path, usages),
        Err(why) => usages.add_unread(failed(&path.display().to_string(), &why)),
    }
}

/// Reads the manifests of a folder and of those in it. No link to a folder is followed: it may lead back.
fn search_folder(folder: &Path, usages: &mut Usages) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match entries(&folder) {
            Ok(entries) => entries,
            Err(why) => {
                usages.add_unread(failed(&folder.display().to_string(), &why));
                continue;
            }
        };
        let mut below = Vec::new();
        for (path, metadata) in entries {
            match metadata {
                Err(why) => usages.add_unread(failed(&path.display().to_string(), &why)),
                Ok(metadata) if metadata.is_dir() && is_link(&path) => {
                    remark(format_args!("skipped {}: it is a link to a folder", path.display()));
                }
                Ok(metadata) if metadata.is_dir() => below.push(path),
                Ok(metadata) if metadata.is_file() && is_manifest(&path) => read_file(&path, usages),
                Ok(_) => {}
            }
        }
        folders.extend(below.into_iter().rev());
    }
}

/// The entries of a folder in the order of their names, with the metadata of what links lead to.
fn entries(folder: &Path) -> io::Result<Vec<(PathBuf, io::Result<Metadata>)>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    // A link to nothing matters if it has the name of a manifest.
    let of_path = |path: PathBuf| {
        let metadata = fs::metadata(&path);
        (metadata.is_ok() || is_manifest(&path)).then_some((path, metadata))
    };
    Ok(paths.into_iter().filter_map(of_path).collect())
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

fn is_manifest(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

fn read_file(path: &Path, usages: &mut Usages) {
    let name = path.display().to_string();
    match InputFile::open(path) {
        Ok(file) => read(&name, BufReader::new(file), usages),
        Err(why) => usages.add_unread(failed(&name, &why)),
    }
}

/// Keeps the uses in the documents of a file.
fn read(name: &str, text: impl BufRead, usages: &mut Usages) {
    let (before, mut unnamed) = (usages.objects, Vec::new());
    for document in Documents::new(text) {
        let document = match document {
            Ok(document) => document,
            Err(why) => return usages.add_unread(failed(name, &why)),
        };
        for value in document.values() {
            let content = content(&value);
            unnamed.extend(content.unnamed);
            for object in content.objects {
                usages.objects += 1;
                let Some((api, change)) = usages.range.find(&object.version, &object.kind) else { continue };
                let place = Place::Manifest { file: name.to_owned(), line: object.line };
                let (namespace, name) = (object.namespace, object.name);
                usages.add(Usage { place, namespace, name, api, change });
            }
            for why in content.errors {
                usages.add_unread(failed(name, &why));
            }
        }
    }
    // Beside objects it must be an object, too; a file without any is that of another program.
    if usages.objects == before {
        return;
    }
    for line in unnamed {
        usages.add_unread(failed(
            name,
            &format_args!("line {line}: the document has no apiVersion or no kind"),
        ));
    }
}

fn failed(what: &str, why: &dyn std::fmt::Display) -> String {
    format!("failed to read {what}: {why}")
}
