//! `kube-assay serve`: the reference server on its own, right or wrong on request.

use reference::{Fault, Options, Server};

use crate::cli::ServeArgs;
use crate::exit::Exit;
use crate::interrupt::Interruptions;
use crate::output::{complain, say};
use crate::suggest::suggest;

/// Serves until Ctrl-C.
pub(crate) async fn serve(args: &ServeArgs) -> Exit {
    if !args.addr.ip().is_loopback() {
        complain(format_args!(
            "{} is not a loopback address, and the reference server is for this machine only; give one such as 127.0.0.1:8001",
            args.addr
        ));
        return Exit::Usage;
    }
    let faults: Result<Vec<&'static Fault>, &str> = args.fault.iter().map(|name| fault(name)).collect();
    let faults = match faults {
        Ok(faults) => faults,
        Err(name) => {
            let known = reference::faults().map(|fault| fault.name);
            let advice = suggest(name, known, "`kube-assay list faults` shows all");
            complain(format_args!("there is no fault {name:?}; {advice}"));
            return Exit::Usage;
        }
    };
    let options =
        Options { addr: args.addr, faults: faults.clone(), open: !args.require_token, ..Options::default() };
    match Server::start(options).await {
        Ok(server) => {
            introduce(&server, &faults, !args.require_token);
            until_interrupted(server).await
        }
        Err(why) => {
            let cause = std::error::Error::source(&why).map(|cause| format!(": {cause}")).unwrap_or_default();
            complain(format_args!("{why}{cause}; choose another --addr"));
            Exit::Usage
        }
    }
}

fn fault(name: &str) -> Result<&'static Fault, &str> {
    reference::faults().find(|fault| fault.name == name).ok_or(name)
}

/// Says how to reach the server, and how it is wrong.
fn introduce(server: &Server, faults: &[&Fault], open: bool) {
    let (url, token) = (server.url(), server.admin_token());
    say(&format!("serving on {url}, until Ctrl-C\n\n  kube-assay run --server {url} --token {token}\n"));
    if open {
        say(&format!("  kubectl --server {url} get namespaces\n"));
    }
    for fault in faults {
        say(&format!("\nwrong on purpose: {}: {}\n", fault.name, fault.what));
    }
}

async fn until_interrupted(mut server: Server) -> Exit {
    tokio::select! {
        () = until_told() => server.stop().await,
        () = server.stopped() => {}
    }
    Exit::Upheld
}

async fn until_told() {
    match Interruptions::listen() {
        Ok(mut interruptions) => interruptions.next().await,
        Err(_) => std::future::pending().await,
    }
}
