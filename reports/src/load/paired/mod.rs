//! Reports of pairs of load runs on two servers: a table, a sentence for each number that changed, and the conclusion.

mod annotations;
mod conclusion;
mod files;
mod json;
mod junit;
mod markdown;
mod sentences;
mod table;
mod terminal;

use std::time::Duration;

use model::load::comparison::{PairedChange, PairedConclusion};

pub use annotations::write_paired_annotations;
pub(super) use conclusion::conclusion;
pub use files::{PAIRED_FILES, write_paired_folder};
pub use json::write_paired_json;
pub use markdown::write_paired_markdown;
pub(super) use sentences::sentences;
pub(super) use table::{HEAD, row};
pub use terminal::write_paired;

/// Without a limit a difference is still shown beside this one.
const USUAL_LIMIT: f64 = 0.1;

/// Pairs of runs on two servers.
pub struct PairedReport<'a> {
    /// The names of the servers: the base and the new one.
    pub servers: (&'a str, &'a str),
    /// The number of pairs that the comparison may take.
    pub pairs: usize,
    /// The number of pairs that it took.
    pub measured: usize,
    /// How long each run was to measure.
    pub length: Duration,
    /// The comparison.
    pub changes: &'a [PairedChange],
    /// The limit that the user gave, such as 0.1 for 10 %.
    pub limit: Option<f64>,
    /// The conclusion.
    pub outcome: PairedOutcome,
}

/// The conclusion of pairs of runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PairedOutcome {
    /// No limit was given: nothing is judged.
    Shown,
    /// They were held against the limit.
    Judged(PairedConclusion),
    /// A run broke a rule or missed a threshold; where.
    Broken(String),
    /// They are not compared; why.
    NotCompared(String),
}

impl PairedReport<'_> {
    /// The number of pairs in which a number should have a value.
    fn expected_pairs(&self) -> usize {
        if self.stopped_early() { self.measured } else { self.pairs }
    }

    /// Whether the comparison ended before its last pair because the result was clear.
    fn stopped_early(&self) -> bool {
        self.measured < self.pairs && !matches!(self.outcome, PairedOutcome::NotCompared(_))
    }
}
