//! The nouns of a conformance run, and the run.
//!
//! A [`Catalogue`] holds the rules as [`Clause`]s; a [`Suite`] holds [`Scenario`]s that ask about them; a [`Plan`] is
//! what of it will be asked of one target; [`run()`] asks, and emits [`Event`]s, from which everything else follows.
//! This crate knows no suite, no workload and no output format, and it never prints.

mod access;
pub mod ambient;
pub mod applies;
mod clause;
mod client;
mod collection;
mod connection;
mod context;
mod credential;
mod curl;
mod decimal;
mod definition;
mod event;
mod exchange;
mod expect;
mod fixture;
mod frame;
mod gate;
pub mod history;
mod invocation;
mod known;
mod kubeconfig;
pub mod load;
mod object;
mod outcome;
mod plan;
mod query;
mod redact;
mod repeated;
mod request;
mod run;
mod scenario;
pub mod script;
mod shape;
mod stable_hash;
pub mod stream;
mod suite;
mod survey;
mod tally;
mod target;
mod template_check;
mod version;
mod watch;
pub mod writes;

pub use access::{Access, Flags, Source};
pub use clause::{Area, Catalogue, CatalogueError, Clause, ClauseId, Level};
pub use client::Client;
pub use collection::{Collection, Resource};
pub use connection::Trouble;
pub use context::{Context, Opening};
pub use curl::{Curl, Trust};
pub use decimal::{decimal, is_decimal};
pub use event::{Event, EventKind, FORMAT, RunFinished, RunStarted, ScenarioFinished};
pub use exchange::{Exchange, Response, Timing, Transcript};
pub use fixture::{Fixtures, RUN_LABEL, namespace_manifest};
pub use http::Method;
pub use invocation::Invocation;
pub use known::{Conditions, Known, KnownFailure, Listed, Stale, Staleness};
pub use object::{Object, Page};
pub use outcome::{Failure, Halt, NO_SCENARIO, Obstacle, Outcome, Repetitions, Verdict};
pub use plan::{NotAShard, Plan, Selection, SelectionError, Shard, matches};
pub use query::{Match, Query};
pub use request::{Identity, Lane, Protocol, Request};
pub use run::{RunError, Settings, run};
pub use scenario::{Ask, Breadth, Scenario, ScenarioId, Subject, Turn};
pub use shape::{Given, Shape, Template, TemplateError};
pub use stable_hash::stable_hash;
pub use suite::{Suite, answered};
pub use tally::{Counts, Judgement, Tally};
pub use target::{Lever, Levers, Survey, Type};
pub use version::{NotARange, NotAVersion, Version, VersionRange};
pub use watch::{Next, Watch, WatchEvent};
