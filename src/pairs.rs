//! `kube-assay load --against`: two servers in turn, and how much of what differs is chance.

use std::io;

use harness::Obstacle;
use harness::load::LoadRun;
use harness::load::comparison::{PairedChange, interleaved, paired_changes, unlike};
use reports::load::{prepare_folder, write_folder, write_paired};

use crate::cli::{LoadArgs, Other};
use crate::exit::Exit;
use crate::load::Asked;
use crate::measure::{Asking, Target};
use crate::output::{complain, look, remark};

/// Without a limit a difference is still shown beside this one.
const USUAL_TOLERANCE: f64 = 0.1;

/// One of two servers.
struct Side {
    name: &'static str,
    target: Target,
}

/// Runs pairs, first one side and then the other, and judges what differs.
pub(crate) async fn perform(args: &LoadArgs, other: &Other, asked: Asked) -> Result<Exit, Obstacle> {
    // The same schedule for all of them.
    let asking = Asking::new(args, asked.workload, asked.template);
    let base = Side { name: "base", target: Target::meet(&asking, asked.against, other.http2).await? };
    let new = Side { name: "new", target: Target::meet(&asking, asked.access, args.http2).await? };
    let mut pairs = Vec::new();
    for (number, base_first) in (1..).zip(interleaved(args.pairs, asking.seed)) {
        let (first, second) = if base_first { (&base, &new) } else { (&new, &base) };
        let one = run(&asking, first, number).await?;
        if one.partial.is_some() {
            return Ok(cut_off(args, &pairs, &one));
        }
        let two = run(&asking, second, number).await?;
        if two.partial.is_some() {
            return Ok(cut_off(args, &pairs, &two));
        }
        pairs.push(if base_first { (one, two) } else { (two, one) });
    }
    Ok(judge(args, &pairs))
}

/// Runs the workload on one side; each run has a folder of its own.
async fn run(asking: &Asking<'_>, side: &Side, number: usize) -> Result<LoadRun, Obstacle> {
    remark(format_args!("pair {number} of {}, {}", asking.args.pairs, side.name));
    let run = asking.measure(&side.target).await?;
    let folder = asking.args.output.join(format!("{}-{number}", side.name));
    let kept = prepare_folder(&folder).and_then(|()| write_folder(&run, &folder));
    kept.map_err(|why| Obstacle::new("keep the report of a run", why.to_string()))?;
    Ok(run)
}

/// A pair that is not whole says nothing, but those before it are shown.
fn cut_off(args: &LoadArgs, pairs: &[(LoadRun, LoadRun)], last: &LoadRun) -> Exit {
    let why = last.partial.as_deref().unwrap_or_default();
    show(args, &paired_changes(pairs));
    complain(format_args!("the comparison is partial after {} pairs: {why}", pairs.len()));
    Exit::Undetermined
}

fn show(args: &LoadArgs, changes: &[PairedChange]) {
    let tolerance = args.max_regression.unwrap_or(USUAL_TOLERANCE);
    // Nobody may read the terminal any more; the exit code still counts.
    let _ = write_paired(changes, tolerance, look(&io::stdout()), &mut io::stdout());
}

fn judge(args: &LoadArgs, pairs: &[(LoadRun, LoadRun)]) -> Exit {
    let differences: Vec<String> =
        pairs.iter().take(1).flat_map(|(base, new)| unlike(base, new)).map(|one| one.to_string()).collect();
    if !differences.is_empty() {
        complain(format_args!(
            "the servers are not alike, so they are not compared: {}",
            differences.join("; ")
        ));
        return Exit::Undetermined;
    }
    let changes = paired_changes(pairs);
    show(args, &changes);
    let all = || pairs.iter().flat_map(|(base, new)| [base, new]);
    if all().any(|run| !run.breaches.is_empty()) {
        complain("a rule was broken in a run: its folder says which");
        return Exit::Violated;
    }
    args.max_regression
        .map_or(Exit::Upheld, |tolerance| gate(&changes, tolerance, all().any(LoadRun::is_doubtful)))
}

/// Worse is what is worse at least; what too few pairs show, or a doubtful generator, is not known.
fn gate(changes: &[PairedChange], tolerance: f64, doubtful: bool) -> Exit {
    let mut paired = changes.iter().map(|change| change.paired);
    match () {
        () if paired.clone().flatten().any(|paired| paired.is_worse(tolerance)) => Exit::Violated,
        () if doubtful => {
            complain("a run is doubtful: whether the server is worse could not be found out");
            Exit::Undetermined
        }
        () if changes.is_empty() || paired.any(|paired| paired.is_none()) => {
            complain("some numbers could not be judged: give more --pairs, or measure for longer");
            Exit::Undetermined
        }
        () => Exit::Upheld,
    }
}
