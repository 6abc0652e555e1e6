//! The format of a command's result.

use clap::{Args, ValueEnum};

/// The format of standard output.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Format of the result on standard output; everything else goes to standard error
    #[arg(short, long, visible_alias = "format", value_name = "FORMAT", default_value = "text")]
    output: OutputFormat,
}

impl OutputArgs {
    /// Whether the result is a JSON document.
    pub(crate) fn is_json(&self) -> bool {
        self.output == OutputFormat::Json
    }
}

/// A format of standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// For people
    Text,
    /// One JSON document
    Json,
}
