//! Compresses the clause files, the requirement sets and the tables of CEL: they are the largest texts in the program.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::ZlibEncoder;

#[expect(clippy::disallowed_methods, reason = "cargo names the folder of a build script by a variable")]
fn main() {
    println!("cargo::rerun-if-changed=clauses");
    println!("cargo::rerun-if-changed=requirements");
    println!("cargo::rerun-if-changed=cel");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let folder = out.join("clauses");
    fs::create_dir_all(&folder).expect("a folder for the compressed files");
    for path in files("clauses") {
        let name = path.file_stem().expect("a name");
        fs::write(folder.join(name), compressed(&read(&path))).expect("a compressed file");
    }
    let sets = files("requirements");
    let sets = sets.iter().filter(|path| path.to_string_lossy().contains("kubernetes-"));
    // The reader splits the text there: no file of TOML has this character.
    let text = sets.map(|path| read(path)).collect::<Vec<_>>().join(&0);
    fs::write(out.join("requirements"), compressed(&text)).expect("a compressed file");
    let tables = files("cel").iter().map(|path| read(path)).collect::<Vec<_>>().join(&b'\n');
    fs::write(out.join("cel"), compressed(&tables)).expect("a compressed file");
}

/// The files of a folder, sorted by name.
fn files(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of TOML files");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort_unstable();
    files
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).expect("the text of a file")
}

fn compressed(text: &[u8]) -> Vec<u8> {
    let mut file = ZlibEncoder::new(Vec::new(), Compression::best());
    file.write_all(text).expect("written into memory");
    file.finish().expect("written into memory")
}
