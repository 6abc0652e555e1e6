//! `kube-assay load --against`: measures two servers in turn, and separates their difference from chance.

use std::io;

use harness::TestError;
use harness::load::LoadRun;
use harness::load::comparison::{
    Looks, PairedChange, PairedConclusion, conclude, interleaved, is_decided, numbers_of, paired_changes,
    pairs_to_judge, unlike,
};
use harness::load::threshold::ThresholdVerdict;
use loadgen::workload::Workload;
use reports::load::{
    PairedOutcome, PairedReport, write_folder, write_paired, write_paired_folder, write_paired_json,
};
use reports::output_folder::OutputFolder;

use crate::cli::{LoadArgs, Other};
use crate::clock;
use crate::exit::Exit;
use crate::github::LoadFindings;
use crate::load::{LoadTask, despite};
use crate::measure::{LoadTest, Target};
use crate::output::{look, remark};
use crate::standard_output::StandardOutput;

/// One of two servers.
struct Side {
    name: &'static str,
    target: Target,
}

/// Two servers, measured in turn.
struct Contest<'a> {
    load_test: LoadTest<'a>,
    base: Side,
    new: Side,
    looks: Looks,
}

/// When the pairs are judged: after as many as the workload's numbers need, or the user's number if that suffices.
pub(crate) fn looks(args: &LoadArgs, workload: &Workload) -> Result<Looks, String> {
    let series = workload.compared("").len();
    let (needed, looks) = if args.stop_early {
        (Looks::fewest_pairs(series), Looks::early(series, args.pairs))
    } else {
        let needed = pairs_to_judge(series, 1);
        (needed, Some(args.pairs.unwrap_or(needed)).filter(|pairs| *pairs >= needed).map(Looks::at_end))
    };
    looks.ok_or_else(|| {
        let (few, early) = (args.pairs.unwrap_or_default(), if args.stop_early { " with early stops" } else { "" });
        format!(
            "{few} pairs are too few: to judge the {} numbers of {}{early} takes at least {needed}; hint: give --pairs \
             {needed} or more, or leave --pairs out",
            numbers_of(series),
            workload.name
        )
    })
}

/// Runs pairs, first one side and then the other, and judges the differences.
pub(crate) async fn perform(
    args: &LoadArgs,
    other: &Other,
    task: LoadTask,
) -> Result<(Exit, LoadFindings), TestError> {
    // All runs have the same schedule.
    let load_test = LoadTest::new(args, task.workload, task.template, task.labels, task.slos);
    let base = Side { name: "base", target: Target::meet(&load_test, task.against, other.http2).await? };
    let new = Side { name: "new", target: Target::meet(&load_test, task.access, args.http2).await? };
    let contest = Contest { load_test, base, new, looks: task.looks.unwrap_or(Looks::at_end(0)) };
    let mut pairs = Vec::new();
    let whole = Box::pin(contest.take_turns(&mut pairs)).await;
    Ok(contest.close(&pairs, whole))
}

impl Contest<'_> {
    /// Runs all pairs, or fewer if the result is clear.
    async fn take_turns(&self, pairs: &mut Vec<(LoadRun, LoadRun)>) -> Result<(), String> {
        for (number, base_first) in (1..).zip(interleaved(self.looks.most(), self.load_test.seed)) {
            let (first, second) = if base_first { (&self.base, &self.new) } else { (&self.new, &self.base) };
            let (one, two) = (self.run(first, number).await?, self.run(second, number).await?);
            let (base, new) = if base_first { (one, two) } else { (two, one) };
            let differences: Vec<String> = unlike(&base, &new).iter().map(ToString::to_string).collect();
            if !differences.is_empty() {
                return Err(format!("the servers are not alike: {}", differences.join("; ")));
            }
            pairs.push((base, new));
            if self.is_clear(pairs) {
                break;
            }
        }
        Ok(())
    }

    /// Whether the comparison may be judged after these pairs, and more of them would not change the conclusion.
    fn is_clear(&self, pairs: &[(LoadRun, LoadRun)]) -> bool {
        let limit = self.load_test.args.max_regression.filter(|_| self.looks.is_due(pairs.len()));
        limit.is_some_and(|limit| is_decided(&self.changes(pairs), limit))
    }

    /// Runs the workload on one side; each run has a folder of its own.
    async fn run(&self, side: &Side, number: usize) -> Result<LoadRun, String> {
        remark(format_args!("pair {number} of {}, {}", self.looks.most(), side.name));
        let place = format!("{}-{number}", side.name);
        let run = self
            .load_test
            .measure(&side.target)
            .await
            .map_err(|test_error| format!("{place}: {test_error}"))?;
        let folder = self.load_test.args.output_dir.join(&place);
        let kept = OutputFolder::take(&folder).and_then(|folder| write_folder(&run, folder.path()));
        kept.map_err(|why| format!("failed to keep the report of {place}: {why}"))?;
        match &run.partial {
            Some(why) => Err(format!("{place} is partial: {why}")),
            None if run.verdict() == ThresholdVerdict::Inconclusive => {
                Err(format!("{place} is inconclusive: {}", run.reason()))
            }
            None => self.timed(&place, run),
        }
    }

    /// A run whose times may be judged: those of a generator that stood still are not the server's. A broken rule is.
    fn timed(&self, place: &str, run: LoadRun) -> Result<LoadRun, String> {
        let is_judged =
            self.load_test.args.max_regression.is_some() && run.verdict() != ThresholdVerdict::Missed;
        match run.generator.standstill().filter(|_| is_judged) {
            Some(standstill) => Err(format!(
                "{place} is unreliable: the generator stood still for {:.1} s",
                standstill.as_secs_f64()
            )),
            None => Ok(run),
        }
    }

    /// Judges and prints the pairs. It also prints the pairs before a failed run.
    fn close(&self, pairs: &[(LoadRun, LoadRun)], whole: Result<(), String>) -> (Exit, LoadFindings) {
        let changes = self.changes(pairs);
        let limit = self.load_test.args.max_regression;
        let outcome = whole.map_or_else(PairedOutcome::NotCompared, |()| judge(pairs, &changes, limit));
        let titles = [&self.base, &self.new].map(|side| format!("{} ({})", side.target.title(), side.name));
        let exit = exit(&outcome);
        let report = PairedReport {
            servers: (&titles[0], &titles[1]),
            pairs: self.looks.most(),
            measured: pairs.len(),
            length: self.load_test.workload.duration.0,
            changes: if pairs.is_empty() { &[] } else { &changes },
            limit,
            outcome,
        };
        // The terminal may be closed; the exit code still counts.
        let _ = if self.load_test.args.output.is_json() {
            write_paired_json(&report, &mut StandardOutput)
        } else {
            write_paired(&report, look(&io::stdout()), &mut StandardOutput)
        };
        let began = pairs.first().map_or_else(clock::now, |(base, new)| base.began.min(new.began));
        let written = write_paired_folder(&report, began, &self.load_test.args.output_dir);
        (despite(exit, written), LoadFindings::of_pairs(&report))
    }

    /// The comparison of every number of the workload, also of numbers that no pair has.
    fn changes(&self, pairs: &[(LoadRun, LoadRun)]) -> Vec<PairedChange> {
        // The resource's name is known only after the first pair.
        let resource =
            pairs.iter().flat_map(|(base, _)| &base.series).map(|series| &*series.key.resource).next();
        let series: Vec<_> =
            self.load_test.workload.compared(resource.unwrap_or_default()).into_iter().collect();
        paired_changes(&series, pairs, self.looks.count())
    }
}

fn judge(pairs: &[(LoadRun, LoadRun)], changes: &[PairedChange], limit: Option<f64>) -> PairedOutcome {
    let numbered = (1..).zip(pairs).flat_map(|(at, (base, new))| [("base", at, base), ("new", at, new)]);
    let broken: Vec<String> = numbered
        .filter(|(.., run)| run.verdict() == ThresholdVerdict::Missed)
        .map(|(name, number, _)| format!("{name}-{number}"))
        .collect();
    if !broken.is_empty() {
        return PairedOutcome::Broken(broken.join(", "));
    }
    let unreliable = pairs.iter().any(|(base, new)| base.is_unreliable() || new.is_unreliable());
    limit.map_or(PairedOutcome::Shown, |limit| PairedOutcome::Judged(conclude(changes, limit, unreliable)))
}

/// A worse number decides. Too few pairs or an unreliable run are inconclusive.
fn exit(outcome: &PairedOutcome) -> Exit {
    match outcome {
        PairedOutcome::Shown | PairedOutcome::Judged(PairedConclusion::NotWorse) => Exit::Passed,
        PairedOutcome::Broken(_) | PairedOutcome::Judged(PairedConclusion::Worse(_)) => Exit::Failed,
        PairedOutcome::NotCompared(_) | PairedOutcome::Judged(_) => Exit::Inconclusive,
    }
}
