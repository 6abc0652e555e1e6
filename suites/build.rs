//! Compresses the clause files: they are the largest text in the program.

use std::io::Write;
use std::path::Path;
use std::{env, fs};

use flate2::Compression;
use flate2::write::ZlibEncoder;

#[expect(clippy::disallowed_methods, reason = "cargo names the folder of a build script by a variable")]
fn main() {
    println!("cargo::rerun-if-changed=clauses");
    let folder = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("clauses");
    fs::create_dir_all(&folder).expect("a folder for the compressed files");
    for entry in fs::read_dir("clauses").expect("the folder of the clause files") {
        let path = entry.expect("a clause file").path();
        let text = fs::read(&path).expect("the text of a clause file");
        let mut file = ZlibEncoder::new(Vec::new(), Compression::best());
        file.write_all(&text).expect("written into memory");
        let name = path.file_stem().expect("a name");
        fs::write(folder.join(name), file.finish().expect("written into memory")).expect("a compressed file");
    }
}
