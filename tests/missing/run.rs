//! A run of some clauses against a server that lacks a feature.

use std::time::Duration;

use harness::{Access, Client, Clock, Flags, Hooks, Plan, Selection, Settings, Source, Tally, TestError};
use jiff::Timestamp;
use reference::{Options, Server};
use tokio_util::sync::CancellationToken;

use crate::features::Feature;

/// The request timeout on a busy machine.
const REQUEST_TIMEOUT: Duration = Duration::from_mins(1);

/// The event timeout on a busy machine, and the wait for events that must not occur.
const EVENT_TIMEOUT: Duration = Duration::from_secs(20);

const SCENARIO_TIMEOUT: Duration = Duration::from_mins(5);

/// The number of concurrent scenarios.
const PARALLEL: usize = 16;

/// Additional resource types: their scenarios send the same requests.
const MORE_TYPES: [&str; 2] = ["*/deployment", "*/cluster-scoped"];

/// Runs the scenarios of the clauses that do not mention the feature.
pub(crate) async fn run(feature: &'static Feature) -> Result<Tally, TestError> {
    let options = Options { faults: vec![&feature.fault], warm_up: true, replicas: 1, ..Options::default() };
    let server = Server::start(options).await.map_err(|error| TestError::new("start", error.to_string()))?;
    let token = Some(server.admin_token().to_owned());
    let flags = Flags { server: server.url(), token, ..Flags::default() };
    let access = Access::load(Source::Flags(Box::new(flags))).await?.with_replicas(&server.replicas())?;
    let client = Client::new(access, REQUEST_TIMEOUT);
    let target_info = client.target_info().await?;
    let clauses = feature.silent.iter().map(|pattern| (*pattern).to_owned()).collect();
    let skip = MORE_TYPES.map(str::to_owned).to_vec();
    let selection = Selection { clauses, skip, ..Selection::default() };
    let plan = Plan::new(&suites::catalogue(), suites::all(), &selection, &target_info);
    Ok(harness::run(plan, client, target_info, settings(), |_| {}).await?)
}

fn settings() -> Settings {
    Settings {
        id: "missing".to_owned(),
        tool: "missing".to_owned(),
        seed: 1,
        parallel: PARALLEL,
        scenario_timeout: SCENARIO_TIMEOUT,
        event_timeout: EVENT_TIMEOUT,
        request_timeout: REQUEST_TIMEOUT,
        strict: true,
        keep: false,
        hooks: Hooks::default(),
        deadline: None,
        max_failures: None,
        causes_of: |_| Vec::new(),
        wait_for_compaction: None,
        features: Vec::new(),
        invocation: harness::Invocation::default(),
        probe_first: false,
        clock: Clock::Wall(Timestamp::now),
        slowdown: std::sync::Arc::default(),
        stop: CancellationToken::new(),
    }
}
