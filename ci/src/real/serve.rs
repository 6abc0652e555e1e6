//! `cargo ci real --serve`: a real server to try things on by hand.

use std::thread;
use std::time::Duration;

use super::assets::Assets;
use super::flavour::{Flavour, hooks};
use super::interrupt::Interrupt;
use super::server::RealServer;
use crate::cli::Wish;
use crate::notice::Notices;
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// Starts one, says how to reach it, and keeps it until Ctrl-C.
pub(crate) fn run(
    workspace: &Workspace,
    assets: &Assets,
    wish: &Wish,
    interrupt: &Interrupt,
) -> Result<Notices, TaskError> {
    let flavour = Flavour::named(wish.flavour.as_deref().unwrap_or("default"))?;
    let flags = flavour.flags_and(&wish.flags);
    // By process: several may be served at the same time.
    let logs = workspace.evidence().join(format!("serve-{}", std::process::id()));
    let mut server = RealServer::start(assets, &flags, &logs, interrupt)?;
    introduce(workspace, &server);
    println!("\nLogs: {}\nCtrl-C stops the server and removes its files.", logs.display());
    while !interrupt.asked() {
        server.must_live()?;
        thread::sleep(Duration::from_millis(200));
    }
    println!("Stopped.");
    Ok(Notices::new())
}

fn introduce(workspace: &Workspace, server: &RealServer) {
    let credentials = &server.credentials;
    println!("kube-apiserver {} is ready at {}\n", server.version, server.url);
    println!(
        "  kube-assay run --server {} --certificate-authority {} --token {}\n",
        server.url,
        credentials.authority_file.display(),
        credentials.admin
    );
    println!("  export KUBECONFIG={}\n", server.kubeconfig.display());
    println!("The token of a user without any rights: {}", credentials.user);
    println!("Hooks:");
    for hook in hooks(workspace, server).iter().filter(|word| *word != "--hook") {
        println!("  --hook \"{hook}\"");
    }
}
