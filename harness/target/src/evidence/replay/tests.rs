//! Branches that the recorded run gave up between a response and its next request.

use futures::future::pending;
use serde_json::Value;

use super::super::line::Head;
use super::*;
use crate::branch::{branch, in_turn, try_join};
use crate::client::Client;

#[cfg(unix)]
mod slow_writer;

/// The limit of each request.
const LIMIT: Duration = Duration::from_secs(30);

/// A recorded request of the first scenario: its branch, its path, and when it and its response came.
type Recorded<'a> = (&'a str, &'a str, u64, u64);

fn exchange(&(branch, path, at, end): &Recorded) -> Exchange<KeptBody> {
    let branch = BranchId { scenario: 1, name: branch.to_owned() };
    let protocol = "HTTP/1.1".to_owned();
    let head = Head { at: end - 1, took: 0, status: 200, protocol, headers: Vec::new() };
    let end = End { at: end, error: None };
    Exchange { head: Some(head), end: Some(end), ..Exchange::of(&Request::get(path), &branch, at, None) }
}

fn reached() -> Reached {
    Reached { encrypted: false, by_token_alone: true, curl: model::Curl::default() }
}

fn evidence(recorded: &[Recorded]) -> Evidence {
    Evidence {
        reached: reached(),
        setup: Value::Null,
        events: Vec::new(),
        exchanges: recorded.iter().map(exchange).collect(),
        hooks: Vec::new(),
        moments: Vec::new(),
    }
}

/// The result of a scenario, and the requests that are not as recorded.
fn replayed<T>(recorded: &[Recorded], scenario: impl AsyncFnOnce(Client) -> T) -> (T, Vec<Unlike>) {
    replay(evidence(recorded), scenario)
}

fn replay<T>(evidence: Evidence, scenario: impl AsyncFnOnce(Client) -> T) -> (T, Vec<Unlike>) {
    let idle = Idle::default();
    idle.runtime().unwrap().block_on(async {
        let replay = Replay::begin(evidence, idle.clone());
        let client = Client::replaying(replay.clone(), LIMIT);
        let result = client.scenario(1).run(scenario(client.clone())).await;
        // A write goes on without its scenario.
        tokio::time::sleep(LIMIT).await;
        (result, replay.unlike())
    })
}

async fn get(client: &Client, path: &str) -> Result<(), TestError> {
    client.send(&Request::get(path), "test").await.map(drop)
}

/// Sends a request as a write, which goes on without its branch.
async fn write(client: &Client, path: &'static str) -> Result<(), TestError> {
    let client = client.clone();
    let writing = tokio::spawn(branch(async move { get(&client, path).await }));
    let written = writing.await.unwrap();
    in_turn().await;
    written
}

/// The failure of a branch, behind the response to a request.
async fn refused(client: &Client) -> Result<(), TestError> {
    get(client, "/refused").await?;
    Err(TestError::new("go on", "refused"))
}

fn is_refused(result: &Result<((), ()), TestError>) -> bool {
    result.as_ref().is_err_and(|why| why.cause == "refused")
}

/// Expects a branch to be given up again between its first step, in a branch of this name, and its second one.
fn expect_given_up(name: &str, step: &impl AsyncFn(&Client, &'static str) -> Result<(), TestError>) {
    let recorded = [("1", "/refused", 100, 400), (name, "/first", 110, 200)];
    let (result, unlike) = replayed(&recorded, async |client| {
        let steps = async {
            step(&client, "/first").await?;
            step(&client, "/second").await
        };
        try_join(refused(&client), steps).await
    });
    assert!(is_refused(&result), "{result:?}");
    assert_eq!(unlike, []);
}

#[test]
fn a_branch_that_was_given_up_before_its_next_request_is_given_up_again() {
    expect_given_up("2", &async |client, path| get(client, path).await);
}

#[test]
fn a_branch_that_was_given_up_behind_a_write_is_given_up_again() {
    expect_given_up("2.1", &async |client, path| write(client, path).await);
}

#[test]
fn a_branch_that_was_given_up_takes_no_response_of_another_branch() {
    let recorded = [("1", "/refused", 100, 400), ("1", "/state", 410, 500), ("2", "/state", 110, 200)];
    let (result, unlike) = replayed(&recorded, async |client| {
        let polls = async {
            loop {
                get(&client, "/state").await?;
            }
        };
        let fails = async {
            let failed = refused(&client).await;
            get(&client, "/state").await?;
            failed
        };
        try_join(fails, polls).await
    });
    assert!(is_refused(&result), "{result:?}");
    assert_eq!(unlike, []);
}

#[test]
fn a_request_that_the_record_lacks_is_reported_behind_the_recorded_steps() {
    let recorded = [("1", "/first", 100, 200), ("1", "/second", 210, 300), ("2", "/other", 110, 90_000_000)];
    let (result, unlike) = replayed(&recorded, async |client| {
        let began = tokio::time::Instant::now();
        let reads = async {
            get(&client, "/first").await?;
            get(&client, "/changed").await
        };
        let waits = async {
            get(&client, "/other").await?;
            pending::<Result<(), _>>().await
        };
        (try_join(reads, waits).await, began.elapsed().as_secs())
    });
    let (asked, next) = (Some("GET /changed".to_owned()), Some("GET /second".to_owned()));
    let unsent = Unlike { scenario: 1, asked: None, recorded: next.clone() };
    assert_eq!(unlike, [Unlike { scenario: 1, asked, recorded: next }, unsent]);
    assert!(result.0.is_err_and(|why| Unlike::is_cause_of(&why)));
    assert_eq!(result.1, 90);
}
