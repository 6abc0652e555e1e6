//! Tells the program which commit it is built from, so that a recording can name it, and packs its relocations.

use std::path::Path;
use std::process::Command;

fn main() {
    // A build without a repository, such as one from a source archive, may set this instead.
    println!("cargo::rerun-if-env-changed=KUBE_ASSAY_COMMIT");
    for file in ["HEAD", "index"].map(|file| format!(".git/{file}")) {
        if Path::new(&file).exists() {
            println!("cargo::rerun-if-changed={file}");
        }
    }
    let commit = std::env::var("KUBE_ASSAY_COMMIT").ok().or_else(commit).unwrap_or_default();
    println!("cargo::rustc-env=KUBE_ASSAY_COMMIT={commit}");
    // A static binary relocates itself: packed, this takes a megabyte less. With glibc, the program would no longer start
    // where glibc is older than 2.36.
    if std::env::var("CARGO_CFG_TARGET_ENV").is_ok_and(|env| env == "musl") {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The checked-out commit, with `-dirty` behind it if files have changed; `None` without git or a repository.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "HEAD"])?;
    // Without the lock: a look at the index must not renew it, or the next build would begin again.
    let changed = git(&["--no-optional-locks", "status", "--porcelain", "--untracked-files=no"])?;
    Some(if changed.is_empty() { commit } else { format!("{commit}-dirty") })
}
