//! Scenarios, the plan of a run, and the run.
//!
//! A [`Suite`] holds the [`Scenario`]s of one area; a [`Plan`] selects those that run on one target; [`run()`] runs
//! them and emits [`Event`]s, the source of every report. This crate depends on no suite, workload or output format,
//! and it never prints. It re-exports the parts of `model`, `target` and `checkers` that scenarios need.

mod admission_changes;
mod admission_denials;
mod availability;
mod capability;
mod clean;
mod collection;
mod context;
mod created_versions;
mod definition;
mod denial;
mod discovered_types;
mod fixture;
mod frame;
mod full_store;
mod gate;
mod hooks;
pub mod invariant;
mod missing_permission;
mod other_writer;
mod plan;
mod probe;
mod query;
mod refusal_series;
mod repetitions;
mod row;
mod run;
mod run_error;
mod scenario;
mod session;
mod settings;
mod shared_values;
mod slowdown;
mod stored_objects;
mod suite;
mod template_check;
mod unpacker;
mod watch;
mod watch_event;
mod websocket;

pub use capability::{Capability, PatchType, Verb};
pub use checkers::{applies, expressions, history, script, stream, writes};
pub use clean::{Leftovers, RemovalProgress};
pub use collection::Collection;
pub use context::Context;
pub use context::open::Opening;
pub use definition::DEPRECATION_WARNING;
pub use denial::{EXEMPTION, is_denial};
pub use fixture::{Fixtures, RUN_LABEL, StillThere, namespace_manifest};
pub use hooks::{Hook, Hooks};
pub use model::{
    ApiPath, Area, Breach, Catalogue, CatalogueError, CheckResult, Checked, ClaimedRequirements, Clause,
    ClauseId, Conclusion, Conditions, ConnectionKey, Counts, Curl, Event, EventKind, Exchange, FORMAT,
    Failure, FailureReason, GROUP, Halt, Identity, Invocation, Kinds, KnownFailure, Level, Listed, Method,
    NO_SCENARIO, NotARange, NotAVersion, Object, Outcome, Page, Protocol, Repetitions, Request, Resource,
    ResourceUnderTest, Response, RunFinished, RunStarted, ScenarioFinished, ScenarioId, Stale, Staleness,
    Subject, SubjectSpec, Tally, TargetInfo, Template, TemplateError, TestError, Timing, Transcript, Trust,
    Type, Verdict, Version, VersionRange, decimal, ensure, exposition, is_decimal, is_html,
    is_of_the_project, json_type, json_values, load, matches, parse_toml, shorten, stable_hash,
};
pub use plan::{NotAShard, Plan, Profile, REPLICAS_FEATURE, Selection, SelectionError, Shard};
pub use query::{Match, Query};
pub use row::{Row, content_invariant, invariant, invariants, row, stream_invariant, table};
pub use run::run;
pub use run_error::RunError;
pub use scenario::{Scenario, TestFn, Turn};
pub use settings::{CausesOf, Clock, RunDeadline, Settings};
pub use slowdown::Slowdown;
pub use stored_objects::StoredObjects;
pub use suite::{Suite, tested_clauses};
pub use target::{
    Access, Client, ConnectionError, Evidence, Flags, Idle, InputFile, Instant, Message, Reached, Recorded,
    Recorder, Redactor, Relayed, Replay, Source, Unlike, branch, is_closed_early, join, join_all, parse_yaml,
    read_beginning, read_input, read_input_text, try_join, try_join_all, wait_reading, without_user,
    yaml_error,
};
pub use watch::Watch;
pub use watch_event::{Next, WatchEvent};
pub use websocket::WebSocket;
