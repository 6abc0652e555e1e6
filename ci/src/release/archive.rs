//! The archive of one target: the binary, the licence and the README.

use std::fs;
use std::io;
use std::path::Path;

use flate2::{Compression, GzBuilder};
use tar::{Builder, Header};

use crate::task_error::TaskError;

/// The name of the archive without its ending: also the name of the folder in it.
pub(super) fn name(version: &str, target: &str) -> String {
    format!("kube-assay-{version}-{target}")
}

/// Packs a binary. The bytes depend on the contents, the name and the time alone.
pub(super) fn pack(root: &Path, binary: &Path, name: &str, epoch: u64) -> Result<Vec<u8>, TaskError> {
    let files = [
        (binary.to_path_buf(), "kube-assay", 0o755),
        (root.join("LICENSE"), "LICENSE", 0o644),
        (root.join("README.md"), "README.md", 0o644),
    ];
    let mut contents = Vec::new();
    for (path, inside, mode) in files {
        let bytes = fs::read(&path).map_err(TaskError::failed_to(format!("read {}", path.display())))?;
        contents.push((format!("{name}/{inside}"), mode, bytes));
    }
    compress(&contents, epoch).map_err(TaskError::failed_to("pack the archive"))
}

fn compress(files: &[(String, u32, Vec<u8>)], epoch: u64) -> io::Result<Vec<u8>> {
    // Without a name and a time of its own.
    let gzip = GzBuilder::new().write(Vec::new(), Compression::best());
    let mut archive = Builder::new(gzip);
    for (path, mode, bytes) in files {
        let mut header = Header::new_gnu();
        header.set_mode(*mode);
        header.set_mtime(epoch);
        header.set_uid(0);
        header.set_gid(0);
        header.set_size(bytes.len() as u64);
        archive.append_data(&mut header, path, bytes.as_slice())?;
    }
    archive.into_inner()?.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn tar_unpacks_an_archive_to_a_folder_of_its_name() {
        let root = tempfile::tempdir().expect("a folder");
        for file in ["LICENSE", "README.md", "built"] {
            fs::write(root.path().join(file), file).expect("written");
        }
        let pack = |epoch| pack(root.path(), &root.path().join("built"), "kube-assay-1", epoch);
        let bytes = pack(86_400).expect("an archive");
        fs::write(root.path().join("a.tar.gz"), &bytes).expect("written");

        let tar = Command::new("tar").current_dir(root.path()).args(["-xzf", "a.tar.gz"]).status();

        assert!(tar.expect("tar").success());
        let unpacked = fs::read_to_string(root.path().join("kube-assay-1/kube-assay"));
        assert_eq!(unpacked.expect("a file"), "built");
        assert!(pack(86_400).expect("an archive") == bytes, "the same twice");
        assert!(pack(86_401).expect("an archive") != bytes, "the time is in it");
    }
}
