//! `kube-assay run`: asks a server whether it keeps the rules.

use std::process;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use harness::{Access, Client, Given, Levers, Obstacle, Plan, Selection, Settings, Survey, Tally};
use jiff::Timestamp;
use reference::Options;
use reports::Directory;
use tokio_util::sync::CancellationToken;

use crate::cli::RunArgs;
use crate::embedded::{Embedded, INSTEAD};
use crate::exit::Exit;
use crate::interrupt::stop_on_interrupt;
use crate::output::{complain, remark};
use crate::reporting::Reporting;
use crate::selection::{check, selection};
use crate::{lever, target};

/// Name and version of the program.
pub(crate) const TOOL: &str = concat!("kube-assay ", env!("CARGO_PKG_VERSION"));

/// Runs the selected scenarios and returns how it went.
pub(crate) async fn run(args: RunArgs) -> Exit {
    match prepare(&args).await {
        Ok((asked, directory)) => judge(&args, asked, directory).await.unwrap_or_else(|obstacle| {
            complain(obstacle);
            Exit::Undetermined
        }),
        Err(why) => {
            complain(why);
            Exit::Usage
        }
    }
}

/// Whom and what to ask.
struct Asked {
    selection: Selection,
    access: Option<Access>,
}

/// Checks all that the user gave, before anything is asked of any server.
async fn prepare(args: &RunArgs) -> Result<(Asked, Directory), String> {
    let selection = selection(args)?;
    check(&selection, &args.feature)?;
    let access = target::named(&args.target).await.transpose().map_err(|why| why.to_string())?;
    let directory = Directory::create(&args.output).map_err(|why| why.to_string())?;
    Ok((Asked { selection, access }, directory))
}

async fn judge(args: &RunArgs, asked: Asked, directory: Directory) -> Result<Exit, Obstacle> {
    let stop = stop_on_interrupt();
    let (access, levers, _embedded) = target(args, asked.access).await?;
    let looking = look(access, args.answer_within, asked.selection.subject.as_ref());
    let (client, survey) = stop.run_until_cancelled(looking).await.unwrap_or_else(|| Err(interrupted()))?;
    let plan = Plan::new(&suites::catalogue(), suites::all(), &asked.selection, &survey);
    if plan.scenarios.is_empty() && plan.ambient.is_empty() {
        let why = "nothing of the selection can be asked of this server";
        return Err(Obstacle::new("run", why).advise("`kube-assay list scenarios` shows what there is"));
    }
    let reporting = Reporting::new(args, directory);
    let tally = {
        let _ticking = reporting.tick();
        let settings = settings(args, levers, stop);
        harness::run(plan, client, survey, settings, |event| reporting.report(event)).await?
    };
    Ok(close(reporting, &tally))
}

/// The target named on the command line, or else the embedded reference, which ends with the last value.
async fn target(
    args: &RunArgs,
    named: Option<Access>,
) -> Result<(Access, Levers, Option<Embedded>), Obstacle> {
    if let Some(access) = named {
        return Ok((access, lever::levers(&args.lever), None));
    }
    remark(INSTEAD);
    let embedded = Embedded::start(Options::default()).await?;
    Ok((embedded.access().await?, embedded.levers(), Some(embedded)))
}

/// Ends the reports. What was violated was violated, with or without a report of it.
fn close(reporting: Reporting, tally: &Tally) -> Exit {
    let judged = Exit::from(tally.judgement());
    match reporting.finish() {
        Ok(()) => judged,
        Err(why) => {
            complain(why);
            if judged == Exit::Violated { judged } else { Exit::Undetermined }
        }
    }
}

/// Who answers there, and has it what the user wants to be asked about?
pub(crate) async fn look(
    access: Access,
    answer_within: Duration,
    subject: Option<&Given>,
) -> Result<(Client, Survey), Obstacle> {
    access.log_in().await?;
    let client = Client::new(access, answer_within);
    let mut survey = Box::pin(Survey::take(&client)).await?;
    if let Some(given) = subject {
        Box::pin(survey.find(&client, given)).await?;
    }
    Ok((client, survey))
}

pub(crate) fn interrupted() -> Obstacle {
    Obstacle::new("look at the server", "interrupted").advise("nothing was created")
}

fn settings(args: &RunArgs, levers: Levers, stop: CancellationToken) -> Settings {
    let unlike = unlike();
    Settings {
        id: run_id(unlike),
        tool: TOOL.to_owned(),
        seed: args.seed.unwrap_or(unlike % 1_000_000),
        parallel: usize::from(args.parallel),
        timeout: args.timeout,
        patience: args.patience,
        answer_within: args.answer_within,
        strict: args.strict,
        levers,
        wait_for_compaction: args.wait_for_compaction,
        features: args.feature.clone(),
        clock: Timestamp::now,
        stop,
    }
}

/// A number that another run hardly has.
pub(crate) fn unlike() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(process::id()) ^ u64::try_from(now.as_nanos() & u128::from(u64::MAX)).unwrap_or_default()
}

/// Six letters and digits that another run hardly has.
pub(crate) fn run_id(mut number: u64) -> String {
    // Mixes the bits, so that runs started one after another differ in every place.
    number = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let digit =
        |place: u32| char::from_digit(u32::try_from((number >> (10 * place)) % 36).unwrap_or_default(), 36);
    (0..6).filter_map(digit).collect()
}
