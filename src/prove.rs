//! `kube-assay prove`: tests whether the suites detect the faults of a server.
//!
//! It starts the reference server once for each fault. With a target, a fault proxy plays the faults in front of it, so
//! the proof does not depend on our own server. The mutation matrix has the result of each scenario for each fault.

mod backend;
mod case;
mod files;
mod idle;
mod json;
mod matrix;
mod page;
mod right;
mod row;
mod sample;
mod table;
#[cfg(test)]
mod tests;
mod trial;

use std::time::Instant;

use futures::StreamExt;
use harness::Selection;

use crate::cli::ProveArgs;
use crate::exit::Exit;
use crate::interrupt::stop_on_interrupt;
use crate::output::{complain, remark, say};
use crate::selection::{check, chosen};
use crate::target;

pub(crate) use case::bug;
pub use case::{Case, cases};
pub use matrix::Matrix;
pub use right::Right;
pub use row::{Fate, Row};
pub use trial::Trials;

use backend::Backend;

/// Plays every selected fault, and runs on the correct server.
pub(crate) async fn prove(args: ProveArgs) -> Exit {
    match prepare(&args).await {
        Ok(task) => tried(&args, task).await,
        Err(why) => {
            complain(why);
            Exit::Usage
        }
    }
}

/// The cases and the backend.
struct ProveTask {
    backend: Backend,
    cases: Vec<Case>,
    /// The scenarios for the correct server.
    selection: Selection,
}

/// Checks the command line before the first request.
async fn prepare(args: &ProveArgs) -> Result<ProveTask, String> {
    let selection = chosen(&args.selection);
    check(&selection, &[])?;
    let bugs = case::bugs(&args.bug)?;
    let access = target::named(&args.target).await.transpose().map_err(|why| why.to_string())?;
    let backend = Backend::new(access);
    let (cases, selection) = if bugs.is_empty() {
        (case::selected(&selection, backend.is_reference()), selection)
    } else {
        let clauses = bugs.iter().flat_map(|bug| bug.clauses).map(|clause| (*clause).to_owned()).collect();
        (case::showable(bugs, backend.is_reference()), Selection { clauses, ..selection })
    };
    if cases.is_empty() {
        return Err("nothing of the selection can be tried here; `kube-assay list faults` shows all faults, and those \
                    of the store itself need the reference server"
            .to_owned());
    }
    files::prepare(&args.output_dir).map_err(|why| why.to_string())?;
    Ok(ProveTask { backend, cases, selection })
}

async fn tried(args: &ProveArgs, task: ProveTask) -> Exit {
    let began = Instant::now();
    let stop = stop_on_interrupt();
    let (reference, cases) = (task.backend.is_reference(), task.cases);
    remark(format_args!("the right server first, then {} faults", cases.len()));
    let trials = Trials::new(task.backend, args.event_timeout, usize::from(args.sample), stop.clone());
    let right = trials.right(&task.selection).await;
    let (trials, right_one) = (&trials, &right);
    // Without a server no scenario runs, and every fault would survive.
    let cases = if right.unknown.is_some() { Vec::new() } else { cases };
    let trying = cases.into_iter().map(|case| async move { trials.wrong(case, right_one).await });
    let mut trying = futures::stream::iter(trying).buffer_unordered(usize::from(args.parallel));
    let mut rows = Vec::new();
    while let Some(row) = trying.next().await {
        if stop.is_cancelled() {
            continue;
        }
        // Printed at once: the log of a long proof may keep only its end.
        if args.verbose || matches!(row.fate, Fate::Survived) {
            remark(&row);
        }
        rows.push(row);
    }
    drop(trying);
    let matrix = Matrix::new(reference, right, rows, began.elapsed());
    say(&matrix.to_string());
    if stop.is_cancelled() {
        return Exit::Inconclusive;
    }
    files::write(&matrix, &args.output_dir).err().map_or(matrix.exit(), |why| {
        complain(why);
        if matrix.exit() == Exit::Failed { Exit::Failed } else { Exit::Inconclusive }
    })
}
