//! One run of all suites against a variant, and its failures.

use std::sync::Arc;
use std::time::Duration;

use harness::{
    Access, Client, Clock, Flags, Hooks, Outcome, Plan, Selection, Settings, Source, SubjectSpec, Tally,
    Template, TestError,
};
use jiff::Timestamp;
use reference::{Options, Server, Variant};
use serde_json::json;
use tokio_util::sync::CancellationToken;

/// The time that the server still serves after its shutdown has begun.
const SHUTDOWN_DELAY: Duration = Duration::from_secs(3);

/// How much the watch cache of the replica lags.
const LAG: Duration = Duration::from_millis(100);

/// The number of concurrent scenarios, and the same for variants that mostly wait.
const PARALLEL: usize = 16;
const PARALLEL_IF_WAITING: usize = 96;

/// A slow server is no failure, and the machine may be busy with several.
const REQUEST_TIMEOUT: Duration = Duration::from_mins(1);
const EVENT_TIMEOUT: Duration = Duration::from_mins(1);
const SCENARIO_TIMEOUT: Duration = Duration::from_mins(10);

/// Additional resource types: only variants that change objects depend on the type.
const MORE_TYPES: [&str; 2] = ["*/deployment", "*/cluster-scoped"];

/// Runs all scenarios of the core profile.
pub(crate) async fn run(variants: Vec<&'static Variant>) -> Result<Tally, TestError> {
    let waits = variants.iter().any(|variant| ["slow", "busy"].contains(&variant.name));
    let all_types = variants.iter().any(|variant| variant.name == "extra-fields");
    let alone = variants.iter().any(|variant| variant.name == "stand-alone");
    let parallel = if waits { PARALLEL_IF_WAITING } else { PARALLEL };
    let options = Options { variants, warm_up: true, replicas: 1, lag: Some(LAG), ..Options::default() };
    let server = Server::start(options).await.map_err(|error| TestError::new("start", error.to_string()))?;
    let server = Arc::new(server);
    let token = Some(server.admin_token().to_owned());
    let flags = Flags { server: server.url(), token, ..Flags::default() };
    let access = Access::load(Source::Flags(Box::new(flags))).await?.with_replicas(&server.replicas())?;
    let client = Client::new(access, REQUEST_TIMEOUT);
    let subject =
        alone.then(|| subject().map_err(|error| TestError::new("read the template", error))).transpose()?;
    let target_info = match &subject {
        Some(subject) => client.target_info_of(subject).await?,
        None => client.target_info().await?,
    };
    let skip = if all_types { Vec::new() } else { MORE_TYPES.map(str::to_owned).to_vec() };
    let selection = Selection { skip, subject, ..Selection::default() };
    let plan = Plan::new(&suites::catalogue(), suites::all(), &selection, &target_info);
    harness::run(plan, client, target_info, settings(parallel, hooks(&server)), |_| {})
        .await
        .map_err(TestError::from)
}

/// The subject for a server with one group and no namespaces.
fn subject() -> Result<SubjectSpec, String> {
    let labels = json!({ "app": "kube-assay" });
    let container = json!({ "name": "none", "image": "kube-assay.dev/none" });
    let annotated = json!({ "labels": labels, "annotations": { "value": "$VALUE" } });
    let condition = json!({ "type": "Assayed", "status": "True", "message": "$VALUE" });
    let manifest = json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "spec": {
            "replicas": 0,
            "selector": { "matchLabels": labels },
            "template": { "metadata": annotated, "spec": { "containers": [container] } },
        },
        "status": { "conditions": [condition] },
    });
    let spec: SubjectSpec = "apps/v1/deployments".parse()?;
    Ok(SubjectSpec { template: Template::try_from(manifest).map_err(|error| error.to_string())?, ..spec })
}

fn settings(parallel: usize, hooks: Hooks) -> Settings {
    Settings {
        id: "unlike".to_owned(),
        tool: "different".to_owned(),
        seed: 1,
        parallel,
        scenario_timeout: SCENARIO_TIMEOUT,
        event_timeout: EVENT_TIMEOUT,
        request_timeout: REQUEST_TIMEOUT,
        strict: true,
        keep: false,
        hooks,
        deadline: None,
        max_failures: None,
        causes_of: |_| Vec::new(),
        wait_for_compaction: None,
        probe_first: true,
        features: Vec::new(),
        invocation: harness::Invocation::default(),
        clock: Clock::Wall(Timestamp::now),
        slowdown: Arc::default(),
        stop: CancellationToken::new(),
    }
}

fn hooks(server: &Arc<Server>) -> Hooks {
    let mut hooks = Hooks::default();
    let mut add = |name: &str, run: fn(&Server)| {
        let server = server.clone();
        let hook = move || -> futures::future::BoxFuture<'static, Result<(), String>> {
            run(&server);
            Box::pin(std::future::ready(Ok(())))
        };
        hooks.insert(name, Arc::new(hook));
    };
    add("compact", Server::compact);
    add("break-store", Server::break_store);
    add("mend-store", Server::mend_store);
    add("stop-replica", Server::stop_replicas);
    add("start-replica", Server::start_replicas);
    add("shutdown", |server| server.shut_down_after(SHUTDOWN_DELAY));
    hooks
}

/// The failures, test errors, unaccepted skips and leftovers of a run.
pub(crate) fn failures(tally: &Tally, is_accepted: impl Fn(&str) -> bool) -> Vec<String> {
    let mut failures = Vec::new();
    for scenario in tally.scenarios() {
        let failure_text = match &scenario.outcome {
            Outcome::Passed => continue,
            Outcome::Skipped { reason } if is_accepted(reason) => continue,
            Outcome::Skipped { reason } => format!("skipped: {reason}"),
            Outcome::Errored { test_error } => format!("inconclusive: {test_error}"),
            Outcome::Failed { failure } => {
                let last = scenario.evidence.last();
                let last = last.map(|exchange| format!("{}\n{}", exchange.request, exchange.response));
                let exchange: String = last.unwrap_or_default().chars().take(900).collect();
                format!("failed: expected {}, actual {}\n{exchange}", failure.expected, failure.actual)
            }
        };
        failures.push(format!("{} {failure_text}\n{}", scenario.scenario, scenario.notes.join("\n")));
    }
    let leftovers = tally.finished().map(|finished| finished.leftovers.clone()).unwrap_or_default();
    failures.extend(leftovers.iter().map(|path| format!("leftover {path}")));
    failures
}
