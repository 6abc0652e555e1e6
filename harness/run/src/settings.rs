//! Settings of a run: its id, limits and hooks.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use model::{Invocation, ScenarioFinished};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::hooks::Hooks;
use crate::slowdown::Slowdown;

/// The ids of the causes that a failure counts under. Reports define causes, so the caller passes their function.
pub type CausesOf = fn(&ScenarioFinished) -> Vec<String>;

/// The clock of the events.
#[derive(Debug, Clone, Copy)]
pub enum Clock {
    /// The wall clock.
    Wall(fn() -> Timestamp),
    /// The clock of a recorded run: its start, and the instant of that in the replay.
    Recorded(Timestamp, Instant),
}

impl Clock {
    /// The time now.
    pub fn now(self) -> Timestamp {
        match self {
            Self::Wall(clock) => clock(),
            Self::Recorded(start, began) => start.checked_add(began.elapsed()).unwrap_or(start),
        }
    }
}

/// The deadline of a run. The steps before the first scenario count as well.
#[derive(Debug, Clone, Copy)]
pub struct RunDeadline {
    /// How long the run may take.
    pub limit: Duration,
    /// When the run began.
    pub began: Instant,
}

impl RunDeadline {
    /// When it passes.
    pub fn end(self) -> Instant {
        self.began + self.limit
    }

    /// Why a run stops when it has passed.
    pub fn passed(self) -> String {
        format!("its deadline of {:?} passed", self.limit)
    }
}

/// The settings of a run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The run's id: lower-case letters and digits, unique among runs.
    pub id: String,
    /// Name and version of the program.
    pub tool: String,
    /// The seed of the order of scenarios.
    pub seed: u64,
    /// The number of concurrent scenarios.
    pub parallel: usize,
    /// Timeout for one scenario.
    pub scenario_timeout: Duration,
    /// Timeout for one watch event or change; a later one counts as missing.
    pub event_timeout: Duration,
    /// Timeout for one request, with its whole response.
    pub request_timeout: Duration,
    /// When the run ends at the latest; `None` without a limit.
    pub deadline: Option<RunDeadline>,
    /// The number of failed scenarios that ends the run; `None` without a limit.
    pub max_failures: Option<usize>,
    /// The causes of a failure, for the known failures that name one.
    pub causes_of: CausesOf,
    /// Whether a warning fails the run.
    pub strict: bool,
    /// Whether the objects of failed scenarios stay on the server.
    pub keep: bool,
    /// The operator's commands.
    pub hooks: Hooks,
    /// How long to wait for old versions to expire by themselves; `None` for not at all.
    pub wait_for_compaction: Option<Duration>,
    /// Whether probes run first, and a missing capability blocks the scenarios that rely on it.
    pub probe_first: bool,
    /// Optional features that the user declares present.
    pub features: Vec<String>,
    /// The record of the command line, the tool and the catalogue.
    pub invocation: Invocation,
    /// The wall clock.
    pub clock: Clock,
    /// What makes the run slow, for its progress.
    pub slowdown: Arc<Slowdown>,
    /// Cancelled to end the run early.
    pub stop: CancellationToken,
}
