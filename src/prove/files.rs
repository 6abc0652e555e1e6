//! The files of a proof: the matrix for programs, and the page.

use std::io;
use std::path::Path;

use reports::directory::{clear, save};

use super::json;
use super::matrix::Matrix;

/// The matrix for programs.
const MATRIX: &str = "matrix.json";

/// The page of the documentation.
const PAGE: &str = "matrix.md";

/// Makes the folder if need be, and removes the files of an earlier proof: no reader takes them for this one's.
pub(super) fn prepare(folder: &Path) -> io::Result<()> {
    clear(folder, [MATRIX, PAGE])
}

/// Writes both.
pub(super) fn write(matrix: &Matrix, folder: &Path) -> io::Result<()> {
    save(&folder.join(MATRIX), |out| writeln!(out, "{:#}", json::document(matrix)))?;
    save(&folder.join(PAGE), |out| out.write_all(matrix.page().as_bytes()))
}
