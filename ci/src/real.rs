//! `cargo ci real`: kube-assay against a real kube-apiserver.
//!
//! The proof that the suites are never wrong about a right server. It needs `kube-apiserver` and `etcd`
//! (the binaries that envtest uses will do), and says loudly when it has to do without.

mod assets;
mod credentials;
mod etcd;
mod flavour;
mod interrupt;
mod matrix;
mod process;
mod serve;
mod server;
mod summary;
mod wire;

use crate::cli::Wish;
use crate::notice::{Notice, Notices};
use crate::task_error::TaskError;
use crate::workspace::Workspace;

use assets::Assets;
use interrupt::Interrupt;

pub(crate) use etcd::compact;

/// Does what is wished for, or skips it where there is no real server to be had.
pub(crate) fn run(workspace: &Workspace, wish: &Wish) -> Result<Notices, TaskError> {
    let assets = match Assets::find() {
        Ok(assets) => assets,
        // Who asks for a server by hand wants one; the check goes on without.
        Err(task_error) if wish.serve => return Err(task_error),
        Err(task_error) => return Ok(vec![skipped(&task_error)]),
    };
    let interrupt = Interrupt::watch()?;
    if wish.serve {
        return assets
            .first()
            .map_or(Ok(Notices::new()), |first| serve::run(workspace, first, wish, &interrupt));
    }
    matrix::run(workspace, &assets, wish, &interrupt)
}

fn skipped(task_error: &TaskError) -> Notice {
    Notice::shout([
        "SKIPPED: the real-server stage: nothing was run against a real kube-apiserver.".into(),
        task_error.to_string(),
        "Name a folder with kube-apiserver and etcd in KUBEBUILDER_ASSETS to have it run; several, for several minors."
            .into(),
    ])
}
