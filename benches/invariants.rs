//! The cost of the invariant checks of every exchange and every stream: `cargo bench --bench invariants`.
//!
//! The same scenarios run on the reference server with these checks and without, in turn. Server and client share a
//! process: the processor time is that of both. A remote server responds later, which makes the share smaller.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints its results, and ends at an error"
)]

use std::time::{Duration, Instant};

use harness::{Access, Client, Clock, Flags, Hooks, Plan, Selection, Settings, Source, TestError};
use jiff::Timestamp;
use reference::{Options, Server};
use tokio_util::sync::CancellationToken;

/// Pairs of runs: one with the checks, one without.
const PAIRS: usize = 7;

/// Areas with little waiting.
const AREAS: [&str; 6] = ["update", "patch", "validation", "status-object", "apply-merge", "serialization"];

/// The cost of a run.
struct Cost {
    wall: Duration,
    cpu: Duration,
    exchanges: usize,
}

#[tokio::main]
async fn main() -> Result<(), TestError> {
    let (mut walls, mut cpus) = (Vec::new(), Vec::new());
    for pair in 0..PAIRS {
        let (with, without) = if pair % 2 == 0 {
            let with = run(true).await?;
            (with, run(false).await?)
        } else {
            let without = run(false).await?;
            (run(true).await?, without)
        };
        println!("with    {}\nwithout {}", describe(&with), describe(&without));
        walls.push(with.wall.as_secs_f64() / without.wall.as_secs_f64());
        cpus.push(with.cpu.as_secs_f64() / without.cpu.as_secs_f64());
    }
    println!("invariant checks, with ÷ without: wall {}, processor {}", spread(walls), spread(cpus));
    Ok(())
}

fn describe(cost: &Cost) -> String {
    let Cost { wall, cpu, exchanges } = cost;
    format!(
        "{:.2} s, {:.2} s of processor time, {exchanges} exchanges",
        wall.as_secs_f64(),
        cpu.as_secs_f64()
    )
}

/// The median, the least and the greatest ratio.
fn spread(mut ratios: Vec<f64>) -> String {
    ratios.sort_by(f64::total_cmp);
    format!("{:.3} ({:.3}..{:.3})", ratios[PAIRS / 2], ratios[0], ratios[PAIRS - 1])
}

async fn run(checks: bool) -> Result<Cost, TestError> {
    let server =
        Server::start(Options::default()).await.map_err(|why| TestError::new("start", why.to_string()))?;
    let token = Some(server.admin_token().to_owned());
    let flags = Flags { server: server.url(), token, ..Flags::default() };
    let client = Client::new(Access::load(Source::Flags(Box::new(flags))).await?, Duration::from_secs(30));
    let target_info = client.target_info().await?;
    let mut plan = Plan::new(&suites::catalogue(), suites::all(), &Selection::default(), &target_info);
    let chosen = |area: &str| AREAS.contains(&area);
    let clauses = plan.clauses.iter().filter(|clause| chosen(&clause.area)).map(|clause| clause.id.clone());
    let clauses: Vec<_> = clauses.collect();
    plan.scenarios.retain(|scenario| scenario.clauses.iter().any(|clause| clauses.contains(clause)));
    if !checks {
        plan.invariants.clear();
    }
    let (began, before) = (Instant::now(), cpu());
    let tally = harness::run(plan, client, target_info, settings(), |_| {}).await?;
    let exchanges = tally.scenarios().filter(|one| !one.scenario.as_str().ends_with("/invariant"));
    let exchanges = exchanges.map(|one| one.exchanges).sum();
    Ok(Cost { wall: began.elapsed(), cpu: cpu().saturating_sub(before), exchanges })
}

fn cpu() -> Duration {
    Duration::try_from(rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime)).unwrap()
}

fn settings() -> Settings {
    Settings {
        id: "bench".to_owned(),
        tool: "bench".to_owned(),
        seed: 1,
        parallel: 8,
        scenario_timeout: Duration::from_mins(2),
        event_timeout: Duration::from_secs(15),
        request_timeout: Duration::from_secs(30),
        strict: true,
        keep: false,
        hooks: Hooks::default(),
        deadline: None,
        max_failures: None,
        causes_of: |_| Vec::new(),
        wait_for_compaction: None,
        probe_first: false,
        features: Vec::new(),
        invocation: harness::Invocation::default(),
        clock: Clock::Wall(Timestamp::now),
        slowdown: std::sync::Arc::default(),
        stop: CancellationToken::new(),
    }
}
