//! The text files of the repository.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::code;
use crate::task_error::TaskError;

/// Text files by path, relative to the root and with `/` between folders.
#[derive(Debug)]
pub(crate) struct Tree(BTreeMap<String, File>);

/// A text file, with its code.
#[derive(Debug)]
pub(crate) struct File {
    /// The complete text.
    pub(crate) text: String,
    /// The Rust code without comments and literals; lines keep their numbers.
    pub(crate) code: String,
    /// The same without unit tests.
    pub(crate) product: String,
}

impl Tree {
    /// Reads the files that Git tracks or would add. Files that are not UTF-8 are left out.
    pub(crate) fn read(root: &Path) -> Result<Self, TaskError> {
        let paths = match committed(root) {
            Some(paths) => paths,
            None => walked(root).map_err(TaskError::failed_to("list the repository's files"))?,
        };
        let text = |path: String| Some((fs::read_to_string(root.join(&path)).ok()?, path));
        Ok(Self(paths.into_iter().filter_map(text).map(|(text, path)| (path, File::new(text))).collect()))
    }

    /// A tree for tests.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        Self(files.iter().map(|(path, text)| ((*path).into(), File::new((*text).into()))).collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.0.get(path).map(|file| file.text.as_str())
    }

    /// All files, sorted by path.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, &File)> {
        self.0.iter().map(|(path, file)| (path.as_str(), file))
    }

    /// All Rust files.
    pub(crate) fn rust(&self) -> impl Iterator<Item = (&str, &File)> {
        self.files().filter(|(path, _)| is_rust(path))
    }
}

impl File {
    fn new(text: String) -> Self {
        let code = code::without_prose(&text);
        let product = code::without_tests(&code);
        Self { text, code, product }
    }
}

/// Whether a path is a Rust file.
pub(crate) fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

/// The file name without its extension.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// The files that Git tracks or would add: `None` without Git, as in an unpacked archive.
fn committed(root: &Path) -> Option<Vec<String>> {
    let mut list = Command::new("git");
    list.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root);
    let listed = list.output().ok().filter(|listed| listed.status.success())?;
    let names = String::from_utf8(listed.stdout).ok()?;
    let paths: Vec<String> = names.split_terminator('\0').map(String::from).collect();
    (!paths.is_empty()).then_some(paths)
}

/// Every file below the root, except in `.git` and the paths of `.gitignore`.
fn walked(root: &Path) -> std::io::Result<Vec<String>> {
    let ignored = fs::read_to_string(root.join(".gitignore")).unwrap_or_default();
    let ignored: Vec<&str> = ignored.lines().map(|line| line.trim_matches('/')).collect();
    let mut paths = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let path = format!("{folder}{}", entry.file_name().to_string_lossy());
            if path == ".git" || ignored.contains(&path.as_str()) {
                continue;
            }
            if entry.file_type()?.is_dir() {
                folders.push(format!("{path}/"));
            } else {
                paths.push(path);
            }
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn an_unpacked_archive_is_read_without_git() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let put = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("created");
            fs::write(path, text).expect("written");
        };
        put(".gitignore", "/target\n");
        put("target/debug/built.rs", "");
        put("src/main.rs", "fn main() {}\n");

        let mut paths = walked(folder.path()).expect("the folder can be read");

        paths.sort();
        assert_eq!(paths, [".gitignore", "src/main.rs"]);
    }

    #[test]
    fn the_repository_is_read_from_its_root() {
        let workspace = Workspace::find().expect("tests run in the workspace");

        let tree = Tree::read(&workspace.root).expect("the repository can be read");

        assert!(tree.text("Cargo.toml").is_some_and(|text| text.contains("[workspace]")));
        assert!(tree.files().all(|(path, _)| !path.starts_with("target/")));
    }

    #[test]
    fn a_stem_is_the_name_without_folder_and_extension() {
        assert_eq!(stem("suites/clauses/gone.toml"), "gone");
        assert_eq!(stem("README"), "README");
    }
}
