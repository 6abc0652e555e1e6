//! Where things are: the repository, and the binaries that Cargo built.

use std::env;
use std::path::{Path, PathBuf};

use crate::trouble::Trouble;

/// The places a task works in, found out once, at the start.
#[derive(Debug)]
pub(crate) struct Place {
    /// The root of the repository.
    pub(crate) root: PathBuf,
}

impl Place {
    /// Finds it: Cargo says where this crate's manifest is.
    #[expect(clippy::unnecessary_wraps, reason = "more places are about to be found")]
    pub(crate) fn find() -> Result<Self, Trouble> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let manifest = manifest.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")));
        let root = manifest.parent().unwrap_or(Path::new(".")).to_path_buf();
        Ok(Self { root })
    }
}
