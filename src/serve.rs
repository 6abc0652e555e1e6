//! `kube-assay serve`: the reference server alone, with the requested faults and variants.

use reference::{Fault, Options, Server, Variant};

use crate::called::called;
use crate::cli::ServeArgs;
use crate::exit::Exit;
use crate::interrupt::Interruptions;
use crate::output::{complain, say};
use crate::prove::bug;
use crate::suggest::find;

/// Serves until Ctrl-C.
pub(crate) async fn serve(args: &ServeArgs) -> Exit {
    if !args.addr.ip().is_loopback() {
        complain(format_args!(
            "{} is not a loopback address, and the reference server is for this machine only; hint: give one such as 127.0.0.1:8001",
            args.addr
        ));
        return Exit::Usage;
    }
    let options = match options(args) {
        Ok(options) => options,
        Err(why) => {
            complain(why);
            return Exit::Usage;
        }
    };
    let (faults, variants) = (options.faults.clone(), options.variants.clone());
    match Server::start(options).await {
        Ok(server) => {
            // Before the line that announces the server: its reader may interrupt at once.
            let interruptions = Interruptions::listen().ok();
            introduce(&server, &faults, &variants, !args.require_token);
            until_interrupted(server, interruptions).await
        }
        Err(why) => {
            let cause =
                std::error::Error::source(&why).map(|cause| format!(": {cause}; choose another --addr"));
            complain(format_args!("{why}{}", cause.unwrap_or_default()));
            Exit::Usage
        }
    }
}

fn options(args: &ServeArgs) -> Result<Options, String> {
    let fault = |name: &String| find("fault", name, reference::faults(), |fault| fault.name);
    let variant = |name: &String| find("variant", name, reference::variants(), |variant| variant.name);
    let faults = args.fault.iter().map(fault);
    let bugs = args.bug.iter().map(|name| bug(name).map(|bug| &bug.fault));
    Ok(Options {
        addr: args.addr,
        faults: faults.chain(bugs).collect::<Result<_, _>>()?,
        variants: args.variant.iter().map(variant).collect::<Result<_, _>>()?,
        open: !args.require_token,
        replicas: args.replicas,
        lag: args.lag,
        ..Options::default()
    })
}

/// Prints the address of the server, its faults and its variants.
fn introduce(server: &Server, faults: &[&Fault], variants: &[&Variant], open: bool) {
    let (url, token) = (server.url(), server.admin_token());
    let replicas = server.replicas().into_iter().map(|replica| format!(" --replica {replica}"));
    let replicas = replicas.collect::<Vec<_>>().concat();
    let run = format!("{} run --server {url} --token {token}{replicas}", called());
    say(&format!("serving on {url}, until Ctrl-C\n\n  {run}\n"));
    if open {
        say(&format!("  kubectl --server {url} get namespaces\n"));
    }
    for fault in faults {
        say(&format!("\nwrong on purpose: {}: {}\n", fault.name, fault.what));
    }
    for variant in variants {
        say(&format!("\nright, but different: {}: {}\n", variant.name, variant.what));
    }
}

async fn until_interrupted(mut server: Server, interruptions: Option<Interruptions>) -> Exit {
    tokio::select! {
        () = next(interruptions) => server.stop().await,
        () = server.stopped() => {}
    }
    Exit::Passed
}

/// Without signals it serves until the system ends it.
async fn next(interruptions: Option<Interruptions>) {
    match interruptions {
        Some(mut interruptions) => interruptions.next().await,
        None => std::future::pending().await,
    }
}
