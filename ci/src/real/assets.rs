//! The binaries of real servers.

use std::env;
use std::path::{Path, PathBuf};

use crate::task_error::TaskError;

/// The default folder of envtest.
const DEFAULT: &str = "/usr/local/kubebuilder/bin";

/// The binaries of one server.
#[derive(Debug)]
pub(crate) struct Assets {
    pub(crate) apiserver: PathBuf,
    pub(crate) etcd: PathBuf,
}

impl Assets {
    /// Looks in each folder of `$KUBEBUILDER_ASSETS`, separated as in `$PATH`, or in the default folder.
    pub(crate) fn find() -> Result<Vec<Self>, TaskError> {
        let named = env::var_os("KUBEBUILDER_ASSETS").filter(|folders| !folders.is_empty());
        let folders = named.unwrap_or_else(|| DEFAULT.into());
        env::split_paths(&folders).map(|folder| Self::within(&folder)).collect()
    }

    fn within(folder: &Path) -> Result<Self, TaskError> {
        let binary = |name: &str| {
            let path = folder.join(name);
            let absent = || TaskError::new(format!("there is no {name} in {}", folder.display()));
            path.is_file().then_some(path).ok_or_else(absent)
        };
        Ok(Self { apiserver: binary("kube-apiserver")?, etcd: binary("etcd")? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_missing_binary_is_named() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("kube-apiserver"), "").expect("written");

        let task_error = Assets::within(folder.path()).expect_err("etcd is not there");
        fs::write(folder.path().join("etcd"), "").expect("written");

        assert!(task_error.to_string().starts_with("there is no etcd in"), "{task_error}");
        assert!(Assets::within(folder.path()).is_ok());
    }
}
