//! The files of a proof: the matrix as JSON, and as a page.

use std::io;
use std::path::Path;

use reports::directory::{clear, save};

use super::json;
use super::matrix::Matrix;

/// The matrix as JSON.
const MATRIX: &str = "matrix.json";

/// The page of the documentation.
const PAGE: &str = "matrix.md";

/// Creates the folder if necessary, and removes the files of an earlier proof: no reader takes them for this one's.
pub(super) fn prepare(folder: &Path) -> io::Result<()> {
    clear(folder, [MATRIX, PAGE])
}

/// Writes both files.
pub(super) fn write(matrix: &Matrix, folder: &Path) -> io::Result<()> {
    save(&folder.join(MATRIX), |out| writeln!(out, "{:#}", json::document(matrix)))?;
    save(&folder.join(PAGE), |out| out.write_all(matrix.page().as_bytes()))
}
