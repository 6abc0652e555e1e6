//! `kube-assay run`: asks a server whether it keeps the rules.

use std::process;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use harness::{Client, Levers, Obstacle, Plan, Selection, Settings, Survey};
use jiff::Timestamp;
use reports::Directory;
use tokio_util::sync::CancellationToken;

use crate::cli::{Profile, RunArgs, SelectionArgs};
use crate::embedded::Embedded;
use crate::exit::Exit;
use crate::output::{complain, remark};
use crate::reporting::Reporting;
use crate::{lever, target};

/// How long a server may take to answer one request.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// Runs the selected scenarios and returns how it went.
pub(crate) async fn run(args: RunArgs) -> Exit {
    let selection = selection(&args);
    if let Err(why) = selection.check(&suites::catalogue(), &suites::all()) {
        complain(why);
        return Exit::Usage;
    }
    let directory = match Directory::create(&args.output) {
        Ok(directory) => directory,
        Err(why) => {
            complain(why);
            return Exit::Usage;
        }
    };
    match judge(&args, &selection, directory).await {
        Ok(exit) => exit,
        Err(obstacle) => {
            complain(obstacle);
            Exit::Undetermined
        }
    }
}

async fn judge(args: &RunArgs, selection: &Selection, directory: Directory) -> Result<Exit, Obstacle> {
    let (access, levers, _embedded) = match target::named(&args.target).await {
        Some(access) => (access?, lever::levers(&args.lever), None),
        None => {
            remark("no target given: asking the embedded reference server");
            let embedded = Embedded::start().await?;
            (embedded.access().await?, embedded.levers(), Some(embedded))
        }
    };
    let client = Client::new(access, ANSWER_WITHIN);
    let survey = Survey::take(&client).await?;
    let plan = Plan::new(&suites::catalogue(), suites::all(), selection, &survey);
    if plan.scenarios.is_empty() && plan.ambient.is_empty() {
        let why = "nothing of the selection can be asked of this server";
        return Err(Obstacle::new("run", why).advise("`kube-assay list scenarios` shows what there is"));
    }
    let reporting = Reporting::new(args, directory);
    let tally = {
        let _ticking = reporting.tick();
        let settings = settings(args, levers, stop_on_interrupt());
        harness::run(plan, client, survey, settings, |event| reporting.report(event)).await?
    };
    reporting.finish().map_err(|why| Obstacle::new("write the reports", why.to_string()))?;
    Ok(tally.judgement().into())
}

/// Ends the run at the first Ctrl-C; what it created is still removed. The second one ends the process at once.
fn stop_on_interrupt() -> CancellationToken {
    let stop = CancellationToken::new();
    tokio::spawn({
        let stop = stop.clone();
        async move {
            let _ = tokio::signal::ctrl_c().await;
            remark("\nstopping, and removing what was created (Ctrl-C again to leave it there)");
            stop.cancel();
            let _ = tokio::signal::ctrl_c().await;
            process::exit(Exit::Undetermined as i32);
        }
    });
    stop
}

fn settings(args: &RunArgs, levers: Levers, stop: CancellationToken) -> Settings {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let unlike =
        u64::from(process::id()) ^ u64::try_from(now.as_nanos() & u128::from(u64::MAX)).unwrap_or_default();
    Settings {
        id: run_id(unlike),
        tool: concat!("kube-assay ", env!("CARGO_PKG_VERSION")).to_owned(),
        seed: args.seed.unwrap_or(unlike % 1_000_000),
        parallel: usize::from(args.parallel),
        timeout: args.timeout,
        patience: args.patience,
        answer_within: ANSWER_WITHIN,
        strict: args.strict,
        levers,
        wait_for_compaction: args.wait_for_compaction,
        features: args.feature.clone(),
        clock: Timestamp::now,
        stop,
    }
}

/// Six letters and digits that another run hardly has.
fn run_id(mut number: u64) -> String {
    // Mixes the bits, so that runs started one after another differ in every place.
    number = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let digit =
        |place: u32| char::from_digit(u32::try_from((number >> (10 * place)) % 36).unwrap_or_default(), 36);
    (0..6).filter_map(digit).collect()
}

/// What the user chose.
fn selection(args: &RunArgs) -> Selection {
    Selection { no_features: args.no_feature.clone(), read_only: args.read_only, ..chosen(&args.selection) }
}

/// What can be chosen for every command.
pub(crate) fn chosen(args: &SelectionArgs) -> Selection {
    Selection {
        areas: args.area.clone(),
        clauses: args.clause.clone(),
        skip: args.skip.clone(),
        levels: args.level.iter().copied().map(Into::into).collect(),
        full: args.profile == Profile::Full,
        ..Selection::default()
    }
}
