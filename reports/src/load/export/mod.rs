//! Results of load runs in the formats of other tools.
//!
//! Trackers keep one number per name, so they get the numbers that comparisons judge: latencies, delivery lags, and the
//! durations of streaming lists. CSV and `OpenMetrics` have every series.

mod bencher;
mod csv;
mod github;
mod markdown;
mod metric;
mod openmetrics;
mod otava;
mod perfdata;

use std::io::{self, Write};

use model::load::LoadRun;

/// A format of another tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Bencher Metric Format, JSON.
    Bencher,
    /// `customSmallerIsBetter` of github-action-benchmark, JSON: durations and shares of failures.
    GithubSmaller,
    /// `customBiggerIsBetter` of github-action-benchmark, JSON: rates.
    GithubBigger,
    /// Perfdata of Kubernetes' perf-dash, JSON.
    Perfdata,
    /// A table for Apache Otava, CSV: one row per result.
    Otava,
    /// The configuration of Apache Otava for that table, YAML.
    OtavaConfig,
    /// Text that both `OpenMetrics` and Prometheus parse, with classic histograms.
    Openmetrics,
    /// Tables for a pull request.
    Markdown,
    /// All figures, CSV: one row per result and series.
    Csv,
}

/// The results cannot be written in this format.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The results do not fit into one document.
    #[error("{0}")]
    Refused(String),
    /// The output failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl ExportFormat {
    /// Every format, with its name on the command line.
    pub const ALL: [(&'static str, Self); 9] = [
        ("bencher", Self::Bencher),
        ("github-smaller", Self::GithubSmaller),
        ("github-bigger", Self::GithubBigger),
        ("perfdata", Self::Perfdata),
        ("otava", Self::Otava),
        ("otava-config", Self::OtavaConfig),
        ("openmetrics", Self::Openmetrics),
        ("markdown", Self::Markdown),
        ("csv", Self::Csv),
    ];

    /// Writes the results, in the order of their beginnings.
    ///
    /// Refuses partial runs, because no format has a place to say so, and two results with the same names where one would
    /// hide the other.
    pub fn write(self, runs: &[LoadRun], out: &mut dyn Write) -> Result<(), ExportError> {
        let mut runs: Vec<&LoadRun> = runs.iter().collect();
        runs.sort_by_key(|run| run.began);
        for run in &runs {
            refuse_partial(run)?;
        }
        if !matches!(self, Self::Otava | Self::OtavaConfig | Self::Csv | Self::Markdown) {
            refuse_same_names(&runs)?;
        }
        match self {
            Self::Bencher => bencher::write(&runs, out)?,
            Self::GithubSmaller => github::write(&runs, true, out)?,
            Self::GithubBigger => github::write(&runs, false, out)?,
            Self::Perfdata => perfdata::write(&runs, out)?,
            Self::Otava => otava::write_table(&runs, out)?,
            Self::OtavaConfig => otava::write_config(&runs, out)?,
            Self::Openmetrics => openmetrics::write(&runs, out)?,
            Self::Markdown => markdown::write(&runs, out)?,
            Self::Csv => csv::write(&runs, out)?,
        }
        Ok(out.flush()?)
    }
}

fn refuse_partial(run: &LoadRun) -> Result<(), ExportError> {
    let Some(why) = &run.partial else { return Ok(()) };
    Err(ExportError::Refused(format!(
        "run {} of {} is partial ({why}), so its numbers are not exported; hint: repeat the run",
        run.run, run.workload.name
    )))
}

fn refuse_same_names(runs: &[&LoadRun]) -> Result<(), ExportError> {
    let twice = runs.iter().zip(1..).find_map(|(run, next)| {
        let named = |other: &&&LoadRun| other.workload.name == run.workload.name;
        runs[next..].iter().find(named).map(|_| &run.workload.name)
    });
    match twice {
        None => Ok(()),
        Some(name) => Err(ExportError::Refused(format!(
            "this format holds one result of a workload, and two are of {name}; hint: export one at a time, or in \
             the formats otava or csv"
        ))),
    }
}
