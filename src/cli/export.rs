//! The command line of `export`.

use std::path::PathBuf;

use clap::Args;
use reports::load::ExportFormat;

/// `kube-assay export`
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Results of load runs: summary.json, or the directory that holds it
    #[arg(value_name = "RESULT", required = true)]
    pub(crate) results: Vec<PathBuf>,
    /// Format of another tool: bencher, github-smaller, github-bigger, perfdata, otava, otava-config, openmetrics,
    /// markdown or csv
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) format: ExportFormat,
}

/// A format by its name.
fn format(text: &str) -> Result<ExportFormat, String> {
    let found = ExportFormat::ALL.into_iter().find(|(name, _)| *name == text);
    found.map(|(_, format)| format).ok_or_else(|| {
        let names = ExportFormat::ALL.map(|(name, _)| name);
        format!("there is no format {text:?}; hint: give one of {}", names.join(", "))
    })
}
