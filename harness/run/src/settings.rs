//! Settings of a run: its id, limits and hooks.

use std::time::Duration;

use jiff::Timestamp;
use model::Invocation;
use tokio_util::sync::CancellationToken;

use crate::hooks::Hooks;

/// How a plan is run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The run's own id: lower-case letters and digits, unlike that of any other run.
    pub id: String,
    /// Name and version of the program.
    pub tool: String,
    /// Gives the same order of scenarios again.
    pub seed: u64,
    /// How many scenarios run at a time.
    pub parallel: usize,
    /// Timeout for one scenario.
    pub scenario_timeout: Duration,
    /// Timeout for one watch event or change; a later one counts as missing.
    pub event_timeout: Duration,
    /// Timeout for one request, with its whole response.
    pub request_timeout: Duration,
    /// How long the run may take; `None` without a limit.
    pub deadline: Option<Duration>,
    /// Whether a warning fails the run.
    pub strict: bool,
    /// The operator's commands.
    pub hooks: Hooks,
    /// How long old versions may take to expire by themselves; `None` not to wait for it.
    pub wait_for_compaction: Option<Duration>,
    /// Whether scenarios that probe capabilities run first, and what relies on a missing one is skipped.
    pub probe_first: bool,
    /// Optional features that the user declares to be there.
    pub features: Vec<String>,
    /// What the record says of the command line, the tool and the catalogue.
    pub invocation: Invocation,
    /// The wall clock.
    pub clock: fn() -> Timestamp,
    /// Cancelled to end the run early.
    pub stop: CancellationToken,
}
