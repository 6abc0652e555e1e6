//! `cargo ci real --serve`: a real server to try things on by hand.

use std::thread;
use std::time::Duration;

use super::assets::Assets;
use super::flavour::{Flavour, hooks};
use super::interrupt::Interrupt;
use super::server::RealServer;
use crate::cli::RealOptions;
use crate::notice::Notices;
use crate::task_error::TaskError;
use crate::workspace::Workspace;

/// Starts a server, prints its addresses and credentials, and waits for Ctrl-C.
pub(crate) fn run(
    workspace: &Workspace,
    assets: &Assets,
    options: &RealOptions,
    interrupt: &Interrupt,
) -> Result<Notices, TaskError> {
    let flavour = Flavour::named(options.flavour.as_deref().unwrap_or("default"))?;
    let flags = flavour.flags_with(&options.flags);
    // By process id: several servers can run at the same time.
    let logs = workspace.evidence().join(format!("serve-{}", std::process::id()));
    let mut server = RealServer::start(assets, (&flags, flavour.replicas), &logs, interrupt)?;
    print_access(workspace, &server);
    println!("\nLogs: {}\nCtrl-C stops the server and removes its files.", logs.display());
    while !interrupt.interrupted() {
        server.check_running()?;
        thread::sleep(Duration::from_millis(200));
    }
    println!("Stopped.");
    Ok(Notices::new())
}

fn print_access(workspace: &Workspace, server: &RealServer) {
    let credentials = &server.credentials;
    println!("kube-apiserver {} is ready at {}\n", server.version, server.url);
    let replicas = server.replicas.iter().map(|replica| format!(" --replica {replica}"));
    let replicas = replicas.collect::<Vec<_>>().concat();
    println!(
        "  kube-assay run --server {}{replicas} --certificate-authority {} --token {}\n",
        server.url,
        credentials.authority_file.display(),
        credentials.admin
    );
    println!("  export KUBECONFIG={}\n", server.kubeconfig.display());
    println!("Token of a user without rights: {}", credentials.user);
    println!("Hooks:");
    for hook in hooks(workspace, server).iter().filter(|word| *word != "--hook") {
        println!("  --hook \"{hook}\"");
    }
}
