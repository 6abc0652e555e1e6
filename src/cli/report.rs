//! The command line of `report`.

use std::path::PathBuf;

use clap::Args;
use harness::Verdict;
use reports::Excerpt;

/// `kube-assay report`
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// File events.jsonl of a run, or its directory
    pub(crate) events: PathBuf,
    /// Write all reports into this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) output_dir: Option<PathBuf>,
    #[expect(clippy::doc_markdown, reason = "it is shown as it stands")]
    /// Write the JUnit report into this file
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Write the HTML report into this file
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write the summary into this file, in JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) summary: Option<PathBuf>,
    /// Write the coverage into this file, in Markdown
    #[arg(long, value_name = "FILE")]
    pub(crate) coverage: Option<PathBuf>,
    /// Write TAP 14 to standard output
    #[arg(long)]
    pub(crate) tap: bool,
    /// Print a shell script that repeats this failed scenario or clause in a namespace of its own: pipe it into sh
    #[arg(long, value_name = "ID", conflicts_with_all = ["output_dir", "junit", "html", "summary", "coverage", "tap", "verbose"])]
    pub(crate) script: Option<String>,
    /// Print every scenario and every skipped clause
    #[arg(short, long)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) excerpt: ExcerptArgs,
}

/// The clauses that a report on the terminal shows. Files always have the whole run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Excerpt (on the terminal only)")]
#[group(multiple = true, conflicts_with_all = ["output_dir", "junit", "html", "summary", "coverage", "tap", "script"])]
pub(crate) struct ExcerptArgs {
    /// Print only clauses or scenarios by id or glob, with all evidence (repeatable)
    #[arg(long, value_name = "PATTERN")]
    pub(crate) clause: Vec<String>,
    /// Print only the clauses of this area (repeatable)
    #[arg(long, value_name = "AREA")]
    pub(crate) area: Vec<String>,
    /// Print only clauses with this verdict on a scenario: passed, failed, warning, not-supported, flaky, known-failure,
    /// inconclusive or skipped (repeatable)
    #[arg(long, value_name = "VERDICT", value_parser = verdict)]
    pub(crate) verdict: Vec<Verdict>,
}

impl ExcerptArgs {
    /// The selected part; `None` without any of the flags.
    pub(crate) fn given(&self) -> Option<Excerpt> {
        let Self { clause, area, verdict } = self;
        let given = !(clause.is_empty() && area.is_empty() && verdict.is_empty());
        given.then(|| Excerpt { clauses: clause.clone(), areas: area.clone(), verdicts: verdict.clone() })
    }
}

/// The name of a verdict on the command line, in which a hyphen stands for the blank.
pub(super) fn verdict_name(verdict: Verdict) -> String {
    verdict.word().replace(' ', "-")
}

/// A verdict by its name.
fn verdict(text: &str) -> Result<Verdict, String> {
    let found = Verdict::ALL.into_iter().find(|verdict| verdict_name(*verdict) == text);
    found.ok_or_else(|| {
        let names: Vec<String> = Verdict::ALL.into_iter().map(verdict_name).collect();
        format!("there is no verdict {text:?}; hint: give one of {}", names.join(", "))
    })
}
