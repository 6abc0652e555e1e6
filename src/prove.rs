//! `kube-assay prove`: whether the suites notice what is wrong with a server.
//!
//! The reference server is started once for each fault. With a target, the faults stand in front of it instead, so that
//! the proof does not rest on a server of our own.

mod behind;
mod result;
mod trial;

use futures::StreamExt;
use harness::Selection;
use reference::{Fault, Rule};

use crate::cli::ProveArgs;
use crate::exit::Exit;
use crate::interrupt::stop_on_interrupt;
use crate::output::{complain, remark, say};
use crate::selection::{check, chosen};
use crate::target;

use behind::Behind;
use result::{Outcome, Results};
use trial::Trials;

/// Tries every selected fault, and the right server.
pub(crate) async fn prove(args: ProveArgs) -> Exit {
    let selection = chosen(&args.selection);
    let access = match check(&selection, &[]) {
        Ok(()) => target::named(&args.target).await.transpose().map_err(|why| why.to_string()),
        Err(why) => Err(why),
    };
    match access {
        Ok(access) => tried(&args, &selection, Behind::new(access)).await,
        Err(why) => {
            complain(why);
            Exit::Usage
        }
    }
}

async fn tried(args: &ProveArgs, selection: &Selection, behind: Behind) -> Exit {
    let faults = faults(selection, &behind);
    if faults.is_empty() {
        complain("no fault belongs to a clause of the selection; `kube-assay list faults` shows all");
        return Exit::Usage;
    }
    let stop = stop_on_interrupt();
    let trials = Trials::new(behind, args.patience, stop.clone());
    remark(format_args!("the right server first, then {} faults", faults.len()));
    let mut results = Results::new(trials.right(selection).await);
    let trials = &trials;
    let trying = faults.into_iter().map(|fault| async move { (fault, trials.wrong(fault).await) });
    let mut trying = futures::stream::iter(trying).buffer_unordered(usize::from(args.parallel));
    while let Some((fault, outcome)) = trying.next().await {
        if stop.is_cancelled() {
            continue;
        }
        // Said at once: of a long proof only the end may be kept.
        if args.verbose || matches!(outcome, Outcome::Survived(_)) {
            remark(format_args!("{}: {outcome}", fault.name));
        }
        results.add(fault, outcome);
    }
    say(&results.to_string());
    if stop.is_cancelled() { Exit::Undetermined } else { results.exit() }
}

/// The faults of the selected clauses that a scenario or an ambient rule answers.
fn faults(selection: &Selection, behind: &Behind) -> Vec<&'static Fault> {
    let (catalogue, suites) = (suites::catalogue(), suites::all());
    let answered = suites::answered(&suites);
    let wanted = |fault: &&'static Fault| {
        let clause = catalogue.get(fault.name);
        clause.is_some_and(|clause| selection.lists(clause))
            && answered.contains(fault.name)
            && (behind.is_reference() || matches!(fault.rule, Rule::Wire(_)))
    };
    reference::faults().filter(wanted).collect()
}
