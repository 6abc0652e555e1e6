//! Scenarios that break themselves: the others go on, and nothing is left behind.

use std::time::Duration;

use harness::{
    Access, Area, Catalogue, Client, Clock, Context, Flags, Halt, Hooks, Level, Outcome, Plan, Selection,
    Settings, Source, Suite, Tally, Verdict, row,
};

use crate::support::Reference;
use crate::support::server::RUNTIME;

/// Two clauses of our own.
fn catalogue() -> Catalogue {
    let clause = |id: &str| {
        serde_json::json!({
            "id": id, "level": "must", "statement": "it holds", "upstream": "here", "fault": "it does not hold",
            "observe": "exchange",
        })
    };
    let area = serde_json::json!({ "area": "own", "clause": [clause("it-breaks"), clause("it-holds"), clause("it-waits")] });
    Catalogue::new(vec![serde_json::from_value::<Area>(area).unwrap()]).unwrap()
}

async fn breaks(cx: Context) -> Result<(), Halt> {
    cx.configmaps().await?.create("a").await?;
    panic!("a mistake of ours");
}

async fn holds(cx: Context) -> Result<(), Halt> {
    cx.configmaps().await?.create("a").await.map(drop)
}

async fn waits(cx: Context) -> Result<(), Halt> {
    cx.configmaps().await?.create("a").await?;
    std::future::pending().await
}

fn settings() -> Settings {
    Settings {
        id: "broken".to_owned(),
        tool: "test 0".to_owned(),
        seed: 1,
        parallel: 1,
        scenario_timeout: Duration::from_secs(10),
        event_timeout: Duration::from_secs(5),
        request_timeout: Duration::from_secs(30),
        strict: false,
        keep: false,
        hooks: Hooks::default(),
        deadline: None,
        max_failures: None,
        causes_of: |_| Vec::new(),
        wait_for_compaction: None,
        probe_first: true,
        features: Vec::new(),
        invocation: harness::Invocation::default(),
        clock: Clock::Wall(jiff::Timestamp::now),
        slowdown: std::sync::Arc::default(),
        stop: tokio_util::sync::CancellationToken::new(),
    }
}

async fn run(reference: &Reference) -> (Tally, Vec<Outcome>) {
    let flags =
        Flags { server: reference.url(), token: Some(reference.token().to_owned()), ..Flags::default() };
    let access = Access::load(Source::Flags(Box::new(flags))).await.unwrap();
    let client = Client::new(access, Duration::from_secs(30));
    let target_info = client.target_info().await.unwrap();
    let suite = Suite::new(
        "own",
        [vec![
            row("it-breaks", breaks).own_kinds(),
            row("it-holds", holds).own_kinds(),
            row("it-waits", waits).own_kinds(),
        ]],
    );
    let plan = Plan::new(&catalogue(), vec![suite], &Selection::default(), &target_info);
    let mut outcomes = Vec::new();
    let tally = harness::run(plan, client, target_info, settings(), |event| {
        if let harness::EventKind::ScenarioFinished(finished) = &event.kind {
            outcomes.push(finished.outcome.clone());
        }
    });
    let tally = tally.await.unwrap();
    (tally, outcomes)
}

#[test]
fn a_panic_and_a_standstill_are_test_errors_and_the_others_go_on() {
    let reference = Reference::right();
    let (_, outcomes) = RUNTIME.block_on(run(&reference));
    assert!(outcomes.contains(&Outcome::Passed), "{outcomes:?}");
    let test_errors: Vec<String> = outcomes
        .iter()
        .filter_map(|outcome| match outcome {
            Outcome::Errored { test_error } => Some(test_error.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(test_errors.len(), 2, "{test_errors:?}");
    assert!(
        test_errors.iter().any(|why| why.contains("a mistake of ours") && why.contains("bug of kube-assay"))
    );
    assert!(test_errors.iter().any(|why| why.contains("it took longer than 10 s")));
    let verdicts = outcomes.iter().map(|outcome| Verdict::of(outcome, Level::Must));
    assert_eq!(Verdict::fold(verdicts), Verdict::Inconclusive);
    assert_eq!(reference.left_behind(), [""; 0]);
}
