//! `kube-assay replay`: the scenarios of a recorded run, against its record instead of a server.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use harness::{
    Client, Clock, Event, Evidence, Hooks, Idle, InputFile, Replay, Settings, Tally, TestError, Unlike,
};
use reports::directory::EVIDENCE;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::certificate::request_openapi;
use crate::cli::ReplayArgs;
use crate::exit::Exit;
use crate::file_kind::FileKind;
use crate::output::{complain, remark, say};
use crate::replayed::Comparison;
use crate::run::{MOST_EXECUTIONS, TOOL, look};
use crate::setup::Setup;

/// The result of a replay.
pub(crate) struct Replayed {
    pub(crate) recorded: Tally,
    pub(crate) again: Tally,
    /// The requests that only the replay or only the record has.
    pub(crate) unlike: Vec<Unlike>,
    pub(crate) exchanges: usize,
}

/// Replays the evidence and compares every verdict with the recorded one.
pub(crate) fn replay(args: &ReplayArgs) -> Exit {
    let compared = read(&args.evidence).and_then(|evidence| {
        let replayed = replayed(evidence).map_err(|why| why.to_string())?;
        Ok(Comparison::of(&replayed))
    });
    match compared {
        Ok(compared) => {
            say(&compared.text());
            compared.exit()
        }
        Err(why) => {
            complain(why);
            Exit::Usage
        }
    }
}

/// Reads full evidence: a file, or the directory that a run wrote it into.
pub(crate) fn read(path: &Path) -> Result<Evidence, String> {
    let path = file_of(path);
    let failed =
        |why: &dyn std::fmt::Display| format!("failed to read the evidence {}: {why}", path.display());
    let hint = "; hint: name the evidence of `kube-assay run --evidence full`";
    let file = InputFile::open(&path).map_err(|why| failed(&why) + hint)?;
    Evidence::read(file).map_err(|why| match FileKind::of_file(&path) {
        // Evidence is no text either: a copy as text may have changed its first bytes.
        Some(FileKind::Compressed | FileKind::NoText) | None => failed(&why),
        Some(kind) => failed(&kind) + hint,
    })
}

/// The file of evidence, which may be named by its directory.
pub(crate) fn file_of(path: &Path) -> PathBuf {
    if path.is_dir() { path.join(EVIDENCE) } else { PathBuf::from(path) }
}

/// Runs the scenarios against the record, on a runtime whose clock moves only when nothing is left to do.
pub(crate) fn replayed(evidence: Evidence) -> Result<Replayed, TestError> {
    let failed = |why: &dyn std::fmt::Display| TestError::new("replay the run", why.to_string());
    let idle = Idle::default();
    let runtime = idle.runtime().map_err(|why| failed(&why))?;
    // Only of a task of its own the runtime knows whether it waits.
    let playing = runtime.spawn(play(evidence, idle));
    runtime.block_on(playing).map_err(|why| failed(&why))?
}

async fn play(evidence: Evidence, idle: Idle) -> Result<Replayed, TestError> {
    let setup = Setup::recorded(evidence.setup.clone())?;
    if setup.tool != TOOL {
        remark(format_args!("{} recorded this run, and this is {TOOL}", setup.tool));
    }
    let (exchanges, recorded) = (evidence.exchanges(), tally(&evidence.events));
    expect_end(&recorded)?;
    let replay = Replay::begin(evidence, idle);
    let began = Instant::now();
    let clock = Clock::Recorded(setup.started, began);
    let client = Client::replaying(replay.clone(), setup.request_timeout);
    let client = client.with_memory(setup.response_memory(), setup.parallel);
    let target_info = setup.released(look(&client, setup.selection.subject.as_ref()).await?);
    client.expect_one_cluster(&target_info).await?;
    request_openapi(&client, &setup).await;
    let (hooks, deadline) = (hooks(&setup, &replay), setup.deadline(began));
    let settings = setup.settings(hooks, clock, deadline, CancellationToken::new());
    // Each scenario begins at its recorded time, so none waits for a place.
    let settings = Settings { parallel: MOST_EXECUTIONS, ..settings };
    let again = harness::run(setup.plan(&target_info), client, target_info, settings, |_| ()).await;
    let again = again.map_err(|why| TestError::new("replay the run", why.to_string()))?;
    Ok(Replayed { recorded, again, unlike: replay.unlike(), exchanges })
}

/// A run that stopped early left scenarios at steps that nobody recorded.
fn expect_end(recorded: &Tally) -> Result<(), TestError> {
    match recorded.finished().and_then(|finished| finished.stopped.as_ref()) {
        None => Ok(()),
        Some(why) => Err(TestError::new("replay the run", format!("it stopped early: {why}"))
            .hint("record a run that comes to its end")),
    }
}

/// The verdicts by the account of the record.
pub(crate) fn tally(events: &[Event]) -> Tally {
    let mut tally = Tally::default();
    for event in events {
        tally.add(event);
    }
    tally
}

/// The hooks of the recorded run, with their recorded results.
fn hooks(setup: &Setup, replay: &Arc<Replay>) -> Hooks {
    let mut hooks = Hooks::default();
    for name in &setup.hooks {
        let (replay, hook) = (replay.clone(), name.clone());
        hooks.insert(
            name,
            Arc::new(move || {
                let (replay, hook) = (replay.clone(), hook.clone());
                Box::pin(async move { replay.hook(&hook).await })
            }),
        );
    }
    hooks
}
