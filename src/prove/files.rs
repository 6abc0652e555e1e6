//! The files of a proof: the matrix for programs, and the page.

use std::fs;
use std::io;
use std::path::Path;

use super::matrix::Matrix;
use super::{json, page};

/// The matrix for programs.
const MATRIX: &str = "matrix.json";

/// The page of the documentation.
const PAGE: &str = "matrix.md";

/// Makes the folder if need be, and removes what an earlier proof has left in it: nobody shall take it for this one's.
pub(super) fn prepare(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|why| explain("make the output folder", folder, &why))?;
    for name in [MATRIX, PAGE] {
        let earlier = folder.join(name);
        match fs::remove_file(&earlier) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => {
                return Err(explain("remove the matrix of an earlier proof", &earlier, &why));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Writes both.
pub(super) fn write(matrix: &Matrix, folder: &Path) -> Result<(), String> {
    let texts = [(MATRIX, format!("{:#}\n", json::document(matrix))), (PAGE, page::page(matrix))];
    for (name, text) in texts {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|why| explain("write", &path, &why))?;
    }
    Ok(())
}

fn explain(attempted: &str, path: &Path, why: &io::Error) -> String {
    format!("could not {attempted} {}: {why}; choose another place with -o", path.display())
}
