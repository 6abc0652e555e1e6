//! `cargo ci real`: kube-assay against a real kube-apiserver.
//!
//! It shows that the suites accept a conformant server. It needs `kube-apiserver` and `etcd`, for example those of
//! envtest, and prints a notice without them.

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

use crate::cli::RealOptions;
use crate::notice::{Notice, Notices};
use crate::task_error::TaskError;
use crate::workspace::Workspace;

use assets::Assets;
use interrupt::Interrupt;

pub(crate) use etcd::compact;
pub(crate) use server::RealServer;

/// Runs the stage, or skips it without a real server.
pub(crate) fn run(workspace: &Workspace, options: &RealOptions) -> Result<Notices, TaskError> {
    let assets = match Assets::find() {
        Ok(assets) => assets,
        // `--serve` needs a server; the check continues without.
        Err(task_error) if options.serve => return Err(task_error),
        Err(task_error) => return Ok(vec![skipped(&task_error)]),
    };
    let interrupt = Interrupt::watch()?;
    if options.serve {
        return assets
            .first()
            .map_or(Ok(Notices::new()), |first| serve::run(workspace, first, options, &interrupt));
    }
    matrix::run(workspace, &assets, options, &interrupt)
}

/// A server with default flags, for another task; `None` without the binaries.
pub(crate) fn throwaway(workspace: &Workspace, logs: &str) -> Result<Option<RealServer>, TaskError> {
    let Some(assets) = Assets::find().ok().and_then(|assets| assets.into_iter().next()) else {
        return Ok(None);
    };
    RealServer::start(&assets, (&[], 0), &workspace.evidence().join(logs), &Interrupt::watch()?).map(Some)
}

fn skipped(task_error: &TaskError) -> Notice {
    Notice::announce([
        "SKIPPED: the real-server stage: no run against a real kube-apiserver.".into(),
        task_error.to_string(),
        "Set KUBEBUILDER_ASSETS to a folder with kube-apiserver and etcd; to several folders for several minor versions."
            .into(),
    ])
}
