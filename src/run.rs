//! `kube-assay run`: asks a server whether it keeps the rules.

use std::process;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use harness::{Access, Client, Event, Obstacle, Plan, Selection, Settings, Survey};
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

use crate::cli::{Profile, RunArgs, SelectionArgs};
use crate::exit::Exit;
use crate::{lever, target};

/// How long a server may take to answer one request.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// Runs the selected scenarios and returns how it went.
pub(crate) async fn run(args: RunArgs) -> Exit {
    let (catalogue, suites) = (suites::catalogue(), suites::all());
    let selection = selection(&args);
    if let Err(why) = selection.check(&catalogue, &suites) {
        eprintln!("error: {why}");
        return Exit::Usage;
    }
    let access = target::named(&args.target).await.expect("target");
    let done = match access {
        Ok(access) => judge(access, &args, &selection).await,
        Err(obstacle) => Err(obstacle),
    };
    done.unwrap_or_else(|obstacle| {
        eprintln!("error: {obstacle}");
        Exit::Undetermined
    })
}

async fn judge(access: Access, args: &RunArgs, selection: &Selection) -> Result<Exit, Obstacle> {
    let client = Client::new(access, ANSWER_WITHIN);
    let survey = Survey::take(&client).await?;
    let plan = Plan::new(&suites::catalogue(), suites::all(), selection, &survey);
    let stop = CancellationToken::new();
    tokio::spawn({
        let stop = stop.clone();
        async move {
            let _ = tokio::signal::ctrl_c().await;
            stop.cancel();
        }
    });
    let tally = harness::run(plan, client, survey, settings(args, stop), |event: &Event| {
        println!("{}", serde_json::to_string(event).unwrap());
    })
    .await?;
    eprintln!("{:?} {:?}", tally.judgement(), tally.counts());
    Ok(tally.judgement().into())
}

fn settings(args: &RunArgs, stop: CancellationToken) -> Settings {
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
        levers: lever::levers(&args.lever),
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
