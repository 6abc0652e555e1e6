//! `kube-assay serve`: the reference server on its own, right or wrong on request.

use reference::{Fault, Options, Server};

use crate::cli::ServeArgs;
use crate::exit::Exit;
use crate::output::{complain, say};

/// Serves until Ctrl-C.
pub(crate) async fn serve(args: &ServeArgs) -> Exit {
    if !args.addr.ip().is_loopback() {
        complain(format_args!(
            "{} is not a loopback address: the reference server is for this machine only",
            args.addr
        ));
        return Exit::Usage;
    }
    let faults: Result<Vec<&'static Fault>, &str> = args.fault.iter().map(|name| fault(name)).collect();
    let faults = match faults {
        Ok(faults) => faults,
        Err(name) => {
            complain(format_args!("there is no fault {name:?}; `kube-assay list faults` shows all"));
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
            complain(why);
            Exit::Undetermined
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
        _ = tokio::signal::ctrl_c() => server.stop().await,
        () = server.stopped() => {}
    }
    Exit::Upheld
}
