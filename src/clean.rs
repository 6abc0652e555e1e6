//! `kube-assay clean`: removes the leftovers of earlier runs from a server.

mod progress;

use harness::{Client, Leftovers, StillThere, TestError};

use crate::cli::CleanArgs;
use crate::exit::Exit;
use crate::interrupt::unless_interrupted;
use crate::output::{complain, counted, harmless, say};
use crate::target;

/// Finds the objects of runs, removes them, and prints the path of each.
pub(crate) async fn clean(args: CleanArgs) -> Exit {
    let access = match target::named(&args.target).await {
        Some(Ok(access)) => access,
        Some(Err(why)) => return usage(&why),
        None => {
            return usage(&"failed to clean: no target given; hint: give --kubeconfig FILE or --server URL");
        }
    };
    // A credential plugin may take longer than a request.
    if let Err(why) = access.log_in().await {
        complain(access.redactor().redact(&why.to_string()));
        return Exit::Inconclusive;
    }
    let client = Client::new(access, args.request_timeout);
    let cleaning = Box::pin(find_and_remove(&args, &client));
    unless_interrupted(cleaning).await.unwrap_or_else(|| {
        let removed =
            if args.dry_run { "nothing is removed" } else { "some objects may be removed, and others not" };
        complain(format_args!("stopped by a signal: {removed}; hint: run `kube-assay clean` again"));
        Exit::Inconclusive
    })
}

async fn find_and_remove(args: &CleanArgs, client: &Client) -> Exit {
    match find(args, client.clone()).await {
        Ok(leftovers) if args.dry_run => report(args, client, &leftovers, &[]),
        Ok(mut leftovers) => {
            let progress = leftovers.progress();
            let removal = Box::pin(leftovers.remove(args.removal_timeout));
            let left = progress::shown(&progress, removal).await;
            report(args, client, &leftovers, &left)
        }
        Err(why) => {
            complain(client.redactor().redact(&why.to_string()));
            Exit::Inconclusive
        }
    }
}

fn usage(why: &dyn std::fmt::Display) -> Exit {
    complain(why);
    Exit::Usage
}

async fn find(args: &CleanArgs, client: Client) -> Result<Leftovers, TestError> {
    match Leftovers::find(client.clone(), args.run.as_deref(), args.subject.as_ref()).await {
        Ok(leftovers) => Ok(leftovers),
        // The target info explains better why a server shows no type.
        Err(why) => Err(client.target_info().await.err().unwrap_or(why)),
    }
}

/// Prints the removed objects, and the errors. The server names both.
fn report(args: &CleanArgs, client: &Client, leftovers: &Leftovers, left: &[StillThere]) -> Exit {
    let verb = if args.dry_run { "would remove" } else { "removed" };
    let removed: Vec<_> =
        leftovers.paths().filter(|path| !left.iter().any(|known| known.path == **path)).collect();
    let runs = args.run.as_ref().map_or_else(|| "all runs".to_owned(), |run| format!("run {run}"));
    let mut lines: Vec<_> = removed.iter().map(|path| format!("{verb} {path}")).collect();
    lines.push(format!("{verb} {} of {runs} on {}", counted(removed.len(), "object"), client.address()));
    let redact = |text: String| client.redactor().redact(&text);
    say(&harmless(&redact(format!("{}\n", lines.join("\n"))), &['\n']));
    for still_there in left {
        complain(redact(format!("failed to remove {}: {}", still_there.path, still_there.reason())));
    }
    let terminating = left.iter().filter(|left| left.terminating).count();
    if terminating > 0 {
        let again = args.run.as_ref().map_or_else(String::new, |run| format!(" --run {run}"));
        let hint = format!("run `kube-assay clean{again}` again later");
        complain(redact(format!(
            "the server is still removing {}; hint: {hint}",
            counted(terminating, "object")
        )));
    }
    for response in &leftovers.not_searched {
        complain(redact(format!("failed to search {response}")));
    }
    if left.is_empty() && leftovers.not_searched.is_empty() { Exit::Passed } else { Exit::Inconclusive }
}
