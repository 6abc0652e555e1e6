//! `kube-assay compare`: the changes between two runs.

use std::io;
use std::path::{Path, PathBuf};

use harness::load::LoadRun;
use harness::load::comparison::{changes, unlike};
use reports::directory::EVENTS;
use reports::load::{LoadFormat, SummaryError, read_summary, write_comparison, write_comparison_json};
use reports::{
    AtEnd, Format, Reporter, Standing, StandingError, Turned, have_common_scenario, turns, write_turns,
    write_turns_json,
};
use serde::Deserialize;

use crate::cli::CompareArgs;
use crate::exit::Exit;
use crate::output::{complain, look};
use crate::recording::Recording;
use crate::result_file::{beginning, summary_text, unreadable};
use crate::standard_output::StandardOutput;

const HINT: &str = "name the summary.json or events.jsonl of a run, or its folder";

/// A run: conformance or load.
enum Run {
    Load(Box<LoadRun>),
    Conformance(Standing),
}

/// Why a run cannot be compared, and the exit code.
struct Refusal {
    why: String,
    exit: Exit,
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Self { why, exit: Exit::Usage }
    }
}

/// Compares two runs, and reports regressions beyond the limit.
pub(crate) fn compare(args: &CompareArgs) -> Exit {
    let compared = named(args).map_err(Refusal::from).and_then(|(base, new)| Ok((read(base)?, read(new)?)));
    match compared {
        Ok((Run::Load(base), Run::Load(new))) => of_runs(args, &base, &new),
        Ok((Run::Conformance(base), Run::Conformance(new))) if args.max_regression.is_none() => {
            of_standings(args, &base, &new)
        }
        Ok((Run::Conformance(_), Run::Conformance(_))) => {
            refuse("--max-regression is about load runs, and these are conformance runs")
        }
        Ok(_) => refuse("one is a load run, the other a conformance run: they are not compared"),
        Err(Refusal { why, exit }) => {
            complain(why);
            exit
        }
    }
}

fn refuse(why: &str) -> Exit {
    complain(why);
    Exit::Usage
}

/// The base and the new run.
fn named(args: &CompareArgs) -> Result<(&Path, &Path), String> {
    match (args.runs.as_slice(), &args.changed_since) {
        ([base, new], None) | ([new], Some(base)) => Ok((base, new)),
        (_, None) => Err("name two runs, the earlier one first".to_owned()),
        (_, Some(_)) => Err("name the later run only: --changed-since names the earlier one".to_owned()),
    }
}

/// A new failure is worse; a newly inconclusive scenario may be.
fn of_standings(args: &CompareArgs, base: &Standing, new: &Standing) -> Exit {
    let turns = turns(base, new);
    // The terminal may be closed; the exit code still counts.
    let _ = if args.output.is_json() {
        write_turns_json((base, new), &turns, &mut StandardOutput)
    } else {
        write_turns((base, new), &turns, look(&io::stdout()), &mut StandardOutput)
    };
    match () {
        () if turns.iter().any(|turn| turn.fails) => Exit::Failed,
        () if !have_common_scenario(base, new) => {
            complain(
                "no scenario ran in both runs, so nothing was compared; hint: repeat the new run with the selection of the base",
            );
            Exit::Inconclusive
        }
        () if turns.iter().any(|turn| turn.turned == Turned::Inconclusive) => Exit::Inconclusive,
        () => base.incomplete().or(new.incomplete()).map_or(Exit::Passed, |why| {
            complain(format_args!("the comparison is inconclusive: {why}"));
            Exit::Inconclusive
        }),
    }
}

/// One run of each server cannot separate a change from chance: with a limit, the comparison is inconclusive.
fn of_runs(args: &CompareArgs, base: &LoadRun, new: &LoadRun) -> Exit {
    if let Err(why) = comparable(base, new) {
        complain(why);
        return Exit::Inconclusive;
    }
    let limit = args.max_regression;
    // The terminal may be closed; the exit code still counts.
    let _ = if args.output.is_json() {
        write_comparison_json((base, new), &changes(base, new), &mut StandardOutput)
    } else {
        write_comparison((base, new), &changes(base, new), limit, look(&io::stdout()), &mut StandardOutput)
    };
    if limit.is_none() {
        return Exit::Passed;
    }
    complain(
        "inconclusive: one run of each server cannot tell a regression from chance; hint: use `kube-assay load --against`",
    );
    Exit::Inconclusive
}

/// Runs that sent different requests, or stopped early, cannot be compared.
fn comparable(base: &LoadRun, new: &LoadRun) -> Result<(), String> {
    let differences: Vec<String> = unlike(base, new).iter().map(ToString::to_string).collect();
    if !differences.is_empty() {
        return Err(format!("the runs are not alike, so they are not compared: {}", differences.join("; ")));
    }
    for (name, run) in [("base", base), ("new run", new)] {
        if let Some(why) = &run.partial {
            return Err(format!("the {name} is partial ({why}), so it is not compared"));
        }
    }
    Ok(())
}

/// The run of a summary or a recording, or of a folder with one.
fn read(path: &Path) -> Result<Run, Refusal> {
    let file = file_of(path);
    let shown = file.display();
    let bytes = beginning(&file).map_err(|why| format!("failed to read {shown}: {why}; hint: {HINT}"))?;
    let standing = |summary: &str| {
        Standing::read(summary).map(Run::Conformance).map_err(|why| Refusal {
            exit: if matches!(why, StandingError::Contradiction(_)) {
                Exit::Inconclusive
            } else {
                Exit::Usage
            },
            why: format!("failed to compare {shown}: {why}"),
        })
    };
    if is_recording(&bytes) {
        return standing(&summary_of(&file)?);
    }
    let text = summary_text(&bytes).map_err(|why| format!("failed to compare {shown}: {why}"))?;
    match read_summary(&text) {
        Ok(run) => Ok(Run::Load(Box::new(run))),
        Err(SummaryError::Conformance) => standing(&text),
        Err(SummaryError::Other) => Err(Refusal::from(format!(
            "failed to compare {shown}: it is no summary of a run; hint: name the summary.json that a run wrote"
        ))),
        Err(why) => {
            Err(Refusal::from(format!("failed to compare {shown}: {}", unreadable(&why, &bytes, HINT))))
        }
    }
}

/// In a folder, the summary has the kind of the latest run; a killed run leaves only a recording.
fn file_of(path: &Path) -> PathBuf {
    let [summary, events] = [LoadFormat::Summary.file_name(), EVENTS].map(|name| path.join(name));
    match path.is_dir() {
        true if !summary.exists() && events.exists() => events,
        true => summary,
        false => path.to_owned(),
    }
}

/// The kind of an event: a line may have more values than the memory holds.
#[derive(Deserialize)]
struct EventName {
    #[serde(rename = "event")]
    _event: String,
}

fn is_recording(bytes: &[u8]) -> bool {
    let first = bytes.trim_ascii_start().split(|byte| *byte == b'\n').next().unwrap_or_default();
    serde_json::from_slice::<EventName>(first).is_ok()
}

/// The summary of a recorded run.
fn summary_of(events: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let mut summary = Box::new(AtEnd::new(vec![(Format::Summary, &mut bytes)]));
    Recording::open(events)?.replay(|event| summary.report(event).map_err(|why| why.to_string()))?;
    summary.finish().map_err(|why| why.to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
