//! The certificates that the system trusts. The TLS library reads whatever its two variables name, without a bound.

use std::env;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use model::TestError;

use crate::input_file::read_input;

/// The variable with the file of the certificates.
const FILE: &str = "SSL_CERT_FILE";

/// The variable with the folders of the certificates.
const FOLDERS: &str = "SSL_CERT_DIR";

/// The most that the files of a folder may have together, in bytes: the authorities of a usual system have less than one
/// megabyte.
const LARGEST: u64 = 16 << 20;

/// Expects what the variables name to have an end, and a usual size.
#[expect(clippy::disallowed_methods, reason = "the TLS library reads these variables here, too")]
pub(crate) fn expect_readable() -> Result<(), TestError> {
    let refused = |variable: &str, path: &Path, why: &io::Error| {
        let hint = format!("{variable} names it, for the certificates that the system trusts");
        TestError::new(format!("read {}", path.display()), why.to_string()).hint(hint)
    };
    // What is missing is left to the TLS library.
    if let Some(path) = env::var_os(FILE).map(PathBuf::from)
        && let Err(why) = read_input(&path)
        && why.kind() != ErrorKind::NotFound
    {
        return Err(refused(FILE, &path, &why));
    }
    for folder in env::var_os(FOLDERS).iter().flat_map(env::split_paths) {
        expect_small(&folder).map_err(|why| refused(FOLDERS, &folder, &why))?;
    }
    Ok(())
}

/// Looks at the sizes only: a folder that cannot be read is left to the TLS library.
fn expect_small(folder: &Path) -> io::Result<()> {
    let mut length = 0;
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        length += fs::metadata(file.path()).map_or(0, |file| file.len());
        if length > LARGEST {
            return Err(io::Error::new(ErrorKind::FileTooLarge, "its files have more than 16 megabytes"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_folder_are_bounded_together() {
        let folder = tempfile::tempdir().unwrap();
        for (name, is_small) in [("a", true), ("b", true), ("c", false)] {
            fs::File::create(folder.path().join(name)).unwrap().set_len(LARGEST / 2).unwrap();
            assert_eq!(expect_small(folder.path()).is_ok(), is_small);
        }
        assert!(expect_small(&folder.path().join("missing")).is_ok());
    }
}
