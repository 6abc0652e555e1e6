//! The name of the program on the command line: kubectl runs its plugins under the name `kubectl-NAME`.

use std::env;
use std::ffi::OsStr;
use std::path::Path;

/// The program's own name.
pub(crate) const NAME: &str = "kube-assay";

/// The name for usage, help and hints.
pub(crate) fn called() -> &'static str {
    let program = env::args_os().next();
    by_name(program.as_deref().map(Path::new).and_then(Path::file_stem))
}

fn by_name(name: Option<&OsStr>) -> &'static str {
    if name.is_some_and(|name| name == "kubectl-assay") { "kubectl assay" } else { NAME }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_kubectls_plugin_has_another_name() {
        let called = |program: &str| by_name(Path::new(program).file_stem());
        assert_eq!(called("/usr/local/bin/kubectl-assay"), "kubectl assay");
        assert_eq!(called("kubectl-assay.exe"), "kubectl assay");
        assert_eq!(called("./kube-assay"), "kube-assay");
        assert_eq!(called("a-build-of-kube-assay"), "kube-assay");
        assert_eq!(by_name(None), "kube-assay");
    }
}
