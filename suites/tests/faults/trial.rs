//! A run of some scenarios against a reference server of its own.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use harness::{Access, Catalogue, Client, Flags, Levers, Plan, Selection, Settings, Source, Survey, Tally};
use reference::{Options, Server};

/// How long the server goes on serving once its shutdown has begun: longer than a scenario waits for what a fault keeps
/// from it.
const SHUTDOWN_DELAY: Duration = Duration::from_secs(6);

/// Read once: it is long.
static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(suites::catalogue);

/// How long one answer may take on a busy machine.
const LIMIT: Duration = Duration::from_secs(30);

/// How long one scenario may take there: random sequences play for as long as a third of it.
const SCENARIO_LIMIT: Duration = Duration::from_mins(3);

/// How many scenarios run at a time.
const PARALLEL: usize = 8;

/// Starts a server, asks it what was selected with all levers at hand, and stops it.
///
/// Patience is how long a scenario waits for what may never come.
pub(crate) async fn run(
    options: Options,
    selection: &Selection,
    patience: Duration,
) -> Result<Tally, String> {
    let server = Arc::new(Server::start(options).await.map_err(|why| why.to_string())?);
    let flags =
        Flags { server: server.url(), token: Some(server.admin_token().to_owned()), ..Flags::default() };
    let access = Access::load(Source::Flags(Box::new(flags))).await.map_err(|why| why.to_string())?;
    let client = Client::new(access, LIMIT);
    let survey = Survey::take(&client).await.map_err(|why| why.to_string())?;
    let plan = Plan::new(&CATALOGUE, suites::all(), selection, &survey);
    harness::run(plan, client, survey, settings(&server, patience), |_| {})
        .await
        .map_err(|why| why.to_string())
}

fn settings(server: &Arc<Server>, patience: Duration) -> Settings {
    Settings {
        id: "trial".to_owned(),
        tool: "kube-assay trial".to_owned(),
        seed: 1,
        parallel: PARALLEL,
        timeout: SCENARIO_LIMIT,
        patience,
        answer_within: LIMIT,
        strict: true,
        levers: levers(server),
        wait_for_compaction: None,
        features: Vec::new(),
        clock: jiff::Timestamp::now,
        stop: tokio_util::sync::CancellationToken::new(),
    }
}

/// All that the operator of a server can do.
fn levers(server: &Arc<Server>) -> Levers {
    let mut levers = Levers::default();
    let mut add = |name: &str, pull: fn(&Server)| {
        let server = server.clone();
        let pull = move || {
            pull(&server);
            Box::pin(std::future::ready(Ok(()))) as futures::future::BoxFuture<'static, _>
        };
        levers.insert(name, Arc::new(pull));
    };
    add("compact", Server::compact);
    add("break-store", Server::break_store);
    add("mend-store", Server::mend_store);
    add("shutdown", |server| server.shut_down_after(SHUTDOWN_DELAY));
    levers
}
