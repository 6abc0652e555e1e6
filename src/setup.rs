//! The settings of a run that are known before its first request: full evidence keeps them for the replay.

use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

use harness::{
    Clock, Hooks, Invocation, KnownFailure, Plan, RunDeadline, ScenarioId, Selection, Settings, SubjectSpec,
    TargetInfo, Template, TestError, Version,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::cli::RunArgs;
use crate::clock;
use crate::digest::sha256_of;
use crate::requirements::Claim;
use crate::rerun;
use crate::run::{TOOL, run_id, unlike};

/// Everything that determines a run, besides the server.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Setup {
    pub(crate) tool: String,
    /// SHA-256 of the program; empty if unknown, and in a run without full evidence.
    #[serde(default)]
    pub(crate) binary: String,
    pub(crate) run: String,
    pub(crate) seed: u64,
    pub(crate) started: Timestamp,
    #[serde(with = "selection")]
    pub(crate) selection: Selection,
    pub(crate) parallel: usize,
    scenario_timeout: Duration,
    event_timeout: Duration,
    pub(crate) request_timeout: Duration,
    deadline: Option<Duration>,
    max_failures: Option<usize>,
    strict: bool,
    keep: bool,
    wait_for_compaction: Option<Duration>,
    /// The memory for the responses of one scenario, in megabytes.
    response_memory: u16,
    features: Vec<String>,
    release: Option<Version>,
    repetitions: usize,
    /// The names of the hooks that the run had.
    pub(crate) hooks: Vec<String>,
    pub(crate) known: Vec<KnownFailure>,
    pub(crate) invocation: Invocation,
}

impl Setup {
    /// The settings of a new run.
    pub(crate) fn new(
        args: &RunArgs,
        selection: Selection,
        known: Vec<KnownFailure>,
        invocation: Invocation,
        claim: Option<&Claim>,
        hooks: &Hooks,
    ) -> Self {
        let unlike = unlike();
        Self {
            tool: TOOL.to_owned(),
            binary: if args.evidence.is_full() { binary() } else { String::new() },
            run: run_id(unlike),
            seed: args.seed.unwrap_or(unlike % 1_000_000),
            started: clock::now(),
            selection,
            parallel: args.parallel.into(),
            scenario_timeout: args.scenario_timeout,
            event_timeout: args.event_timeout,
            request_timeout: args.request_timeout,
            deadline: args.deadline,
            max_failures: args.early_stop.limit(),
            strict: args.strict,
            keep: args.keep,
            wait_for_compaction: args.wait_for_compaction,
            response_memory: args.response_memory,
            features: args
                .feature
                .iter()
                .chain(claim.iter().flat_map(|claim| claim.features()))
                .cloned()
                .collect(),
            release: args.release.or(claim.map(|claim| claim.set.release)),
            repetitions: args.daily.repeat.into(),
            hooks: hooks.names().map(str::to_owned).collect(),
            known,
            invocation,
        }
    }

    /// The settings that full evidence has; refuses a requirement set that this program does not have.
    pub(crate) fn recorded(setup: Value) -> Result<Self, TestError> {
        let failed = |why: String| TestError::new("read the settings of the recorded run", why);
        let mut setup: Self = serde_json::from_value(setup).map_err(|why| failed(why.to_string()))?;
        if let Some(recorded) = &setup.invocation.requirements {
            setup.selection.required = Some(Claim::recorded(recorded).map_err(failed)?.clauses());
        }
        Ok(setup)
    }

    /// The memory for the responses of one scenario, in bytes.
    pub(crate) fn response_memory(&self) -> usize {
        usize::from(self.response_memory) << 20
    }

    /// The target info, with the version that the user gave.
    pub(crate) fn released(&self, target_info: TargetInfo) -> TargetInfo {
        TargetInfo { version: self.release.or(target_info.version), ..target_info }
    }

    /// The scenarios that run on this target.
    pub(crate) fn plan(&self, target_info: &TargetInfo) -> Plan {
        let selection = &self.selection;
        let mut plan = Plan::new(&suites::catalogue(), suites::all(), selection, target_info);
        if let Some(only) = &selection.only {
            rerun::miss(&plan, only);
        }
        let here =
            |entry: &&KnownFailure| entry.only.hold(target_info, &self.features, &selection.no_features);
        plan.known_failures = self.known.iter().filter(here).cloned().collect();
        plan.repetitions = self.repetitions;
        plan
    }

    /// The scenarios that all shards together run on this target.
    pub(crate) fn whole_plan(&self, target_info: &TargetInfo) -> Plan {
        let selection = Selection { shard: None, ..self.selection.clone() };
        Plan::new(&suites::catalogue(), suites::all(), &selection, target_info)
    }

    /// When a run ends that began at this time; `None` without a limit.
    pub(crate) fn deadline(&self, began: Instant) -> Option<RunDeadline> {
        self.deadline.map(|limit| RunDeadline { limit, began })
    }

    /// The settings for the runner.
    pub(crate) fn settings(
        &self,
        hooks: Hooks,
        clock: Clock,
        deadline: Option<RunDeadline>,
        stop: CancellationToken,
    ) -> Settings {
        Settings {
            id: self.run.clone(),
            tool: self.tool.clone(),
            seed: self.seed,
            parallel: self.parallel,
            scenario_timeout: self.scenario_timeout,
            event_timeout: self.event_timeout,
            request_timeout: self.request_timeout,
            strict: self.strict,
            keep: self.keep,
            hooks,
            deadline,
            max_failures: self.max_failures,
            causes_of: reports::cause_ids,
            wait_for_compaction: self.wait_for_compaction,
            probe_first: true,
            features: self.features.clone(),
            invocation: self.invocation.clone(),
            clock,
            slowdown: Arc::default(),
            stop,
        }
    }
}

/// SHA-256 of this program; empty where its file cannot be read.
fn binary() -> String {
    let program = std::env::current_exe().and_then(File::open);
    program.and_then(sha256_of).unwrap_or_default()
}

/// A selection in a record.
#[derive(Serialize, Deserialize)]
struct RecordedSelection {
    areas: Vec<String>,
    clauses: Vec<String>,
    skip: Vec<String>,
    levels: Vec<harness::Level>,
    profile: harness::Profile,
    no_features: Vec<String>,
    read_only: bool,
    /// Group, version and plural of the user's type, and its template.
    subject: Option<(String, String, String, Value)>,
    shard: Option<String>,
    only: Option<Vec<ScenarioId>>,
}

mod selection {
    use serde::de::Error as _;
    use serde::{Deserializer, Serializer};

    use super::{Deserialize, RecordedSelection, Selection, Serialize, SubjectSpec, Template};

    pub(super) fn serialize<S: Serializer>(selection: &Selection, serializer: S) -> Result<S::Ok, S::Error> {
        let selection = selection.clone();
        let subject = selection.subject.map(|subject| {
            let template = subject.template.manifest().clone();
            (subject.group, subject.version, subject.plural, template)
        });
        let recorded = RecordedSelection {
            areas: selection.areas,
            clauses: selection.clauses,
            skip: selection.skip,
            levels: selection.levels,
            profile: selection.profile,
            no_features: selection.no_features,
            read_only: selection.read_only,
            subject,
            shard: selection.shard.map(|shard| shard.to_string()),
            only: selection.only.map(|only| only.into_iter().collect()),
        };
        recorded.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Selection, D::Error> {
        let recorded = RecordedSelection::deserialize(deserializer)?;
        let subject = recorded.subject.map(|(group, version, plural, template)| {
            Template::try_from(template).map(|template| SubjectSpec { group, version, plural, template })
        });
        Ok(Selection {
            areas: recorded.areas,
            clauses: recorded.clauses,
            skip: recorded.skip,
            levels: recorded.levels,
            required: None,
            profile: recorded.profile,
            no_features: recorded.no_features,
            read_only: recorded.read_only,
            subject: subject.transpose().map_err(D::Error::custom)?,
            shard: recorded.shard.map(|shard| shard.parse()).transpose().map_err(D::Error::custom)?,
            only: recorded.only.map(|only| only.into_iter().collect()),
        })
    }
}
