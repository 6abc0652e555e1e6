//! The data of runs: clauses, exchanges, events, verdicts. No input and output.
//!
//! A [`Catalogue`] holds the [`Clause`]s; an [`Exchange`] is a request with its response; an [`Event`] is a step
//! of a run. A [`Tally`] adds the events up: every report is a function of it. [`load`] is the same for load runs.

mod api_path;
mod body_text;
mod breach;
mod clause;
mod curl;
mod decimal;
mod event;
mod exchange;
mod expect;
pub mod exposition;
mod invocation;
mod json_values;
mod known_failure;
pub mod load;
mod object;
mod outcome;
mod pattern;
mod recorded_step;
mod request;
mod resource;
mod resource_under_test;
mod scenario_id;
mod server_name;
mod server_value;
mod shorten;
mod stable_hash;
mod store_outage;
mod subject;
mod tally;
mod target_info;
mod throttling;
mod toml_text;
mod unreadable_json;
mod unrelated_response;
mod verdict;
mod version;

pub use api_path::ApiPath;
pub use breach::{Breach, CheckResult, ensure};
pub use clause::{Area, Catalogue, CatalogueError, Clause, ClauseId, Level};
pub use curl::{Curl, Trust, quote};
pub use decimal::{decimal, is_decimal};
pub use event::{Event, EventKind, FORMAT, RunFinished, RunStarted, ScenarioFinished};
pub use exchange::{Cut, Exchange, Response, Timing, Transcript, is_html, plain_media_type};
pub use http::Method;
pub use invocation::{ClaimedRequirements, Invocation};
pub use json_values::json_values;
pub use known_failure::{Conditions, FailureReason, KnownFailure, Listed, Stale, Staleness};
pub use object::{CONTROLLER_CONFIGMAPS, Object, Page, is_controller_configmap, json_type};
pub use outcome::{Checked, Failure, Halt, Outcome, Repetitions, TestError};
pub use pattern::matches;
pub use recorded_step::{RecordedRequest, RecordedStep, RequiredHttp, keep_used_values};

pub use request::{ConnectionKey, Identity, Protocol, Request};
pub use resource::Resource;
pub use resource_under_test::{ResourceUnderTest, SubjectSpec, Template, TemplateError, dotted};
pub use scenario_id::ScenarioId;
pub use server_name::url_by_name;
pub use server_value::ServerValue;
pub use shorten::{shorten, shorten_numbers};
pub use stable_hash::stable_hash;
pub use store_outage::{FULL_STORE, store_outage, store_outage_of_status};
pub use subject::{GROUP, Kinds, Subject};
pub use tally::{Conclusion, Tally};
pub use target_info::{TargetInfo, Type, is_of_the_project};
pub use throttling::{is_initializing, retry_after, throttled};
pub use toml_text::parse_toml;
pub use unreadable_json::UnreadableJson;
pub use verdict::{Counts, NO_SCENARIO, Verdict};
pub use version::{NotARange, NotAVersion, Version, VersionRange};
