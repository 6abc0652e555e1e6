//! Future versions: a `resourceVersion` that the server has not reached.

use harness::invariant::{Breach, ensure};
use harness::{decimal, invariant, join};

use crate::prelude::*;

pub(crate) fn rows() -> Vec<Row> {
    [
        vec![row!(rv_unavailable_never_served_stale).namespaced()],
        table(REJECTED, Kinds::Namespaced, rejected_after_a_short_wait),
        vec![
            row!(rv_unavailable_becomes_available).namespaced(),
            row!(rv_unavailable_retry_after).namespaced(),
            row!(rv_unavailable_message).namespaced(),
            row!(rv_unavailable_watch_may_wait).namespaced(),
            invariant("rv-unavailable-retry-after", |exchange| {
                has_retry_after(exchange).then(|| is_seconds(exchange))
            }),
        ],
    ]
    .concat()
}

async fn rv_unavailable_never_served_stale(future: Future) -> Checked {
    let [listed, got, exact] = [future.list(), future.get(), future.exact()].map(|query| future.send(query));
    let (listed, (got, exact)) = join(listed, join(got, exact)).await;

    for response in [listed?, got?, exact?].into_iter().flatten() {
        response.expect(!response.succeeded(), "no response 200 to a future version", response.brief())?;
    }
    Ok(())
}

type Read = fn(&Future) -> Query;

/// Reads of a future version.
#[rustfmt::skip]
const REJECTED: &[(&str, Read)] = &[
    ("rv-unavailable-list-504",  Future::list),
    ("rv-unavailable-get-504",   Future::get),
    ("rv-unavailable-exact-504", Future::exact),
];

async fn rejected_after_a_short_wait(cx: Context, read: Read) -> Checked {
    let future = Future::arrange(&cx).await?;

    match future.send(read(&future)).await? {
        Some(response) => response.expect_error(&[504], &["Timeout"]).map(drop),
        None => Err(cx.failed("504 Timeout after a short wait", "no response", None)),
    }
}

async fn rv_unavailable_becomes_available(future: Future) -> Checked {
    let soon = future.now + 4;

    let began = Instant::now();
    let list = future.collection.list().not_older_than(&soon.to_string()).into_future();
    let (listed, reached) = join(list, reach(&future.collection, soon, began)).await;
    let (listed, (last, reached)) = (listed?, reached?);

    if !listed.has_code(&[504]) {
        let page = listed.page()?;
        let actual = page.item("a").map_or("none", Object::version);
        let reached = decimal(actual) >= Some(last);
        return page.expect(reached, format!("a at version {last} or newer"), format!("a at {actual}"));
    }
    let waited = listed.timing.whole;
    if waited > reached + SHORT || (waited < SHORT && future.waits().await?) {
        let expected = format!("the version, reached after {} ms", reached.as_millis());
        return Err(listed.fail(expected, listed.brief()));
    }
    Err(Halt::skip(format!("the server waits no longer than {} ms for a version", waited.as_millis())))
}

async fn rv_unavailable_retry_after(future: Future) -> Checked {
    let timeout = future.timeout().await?;

    Halt::skip_unless(has_retry_after(&timeout), "the 504 has no Retry-After")?;
    is_seconds(&timeout).map_err(|breach| timeout.fail(breach.expected, breach.actual))
}

async fn rv_unavailable_message(future: Future) -> Checked {
    let timeout = future.timeout().await?;

    let status = timeout.json().unwrap_or(&Value::Null);
    let message = status["message"].as_str().is_some_and(|text| text.contains("Too large resource version"));
    let mut causes = status["details"]["causes"].as_array().into_iter().flatten();
    let cause = causes.any(|cause| cause["reason"] == "ResourceVersionTooLarge");
    let expected = "the message Too large resource version, or the cause ResourceVersionTooLarge";
    timeout.expect(message || cause, expected, timeout.brief())
}

async fn rv_unavailable_watch_may_wait(future: Future) -> Checked {
    let watch = future.collection.watch().at(&future.version).param("timeoutSeconds", 3);
    let Opening::Watch(mut watch) = watch.opening().await? else { return Ok(()) };
    future.collection.write("a", "second").await?;

    match watch.next().await? {
        Next::Event(event) if matches!(event.kind.as_str(), "ADDED" | "MODIFIED" | "DELETED") => {
            future.not_reached().await?;
            Err(watch.fail(format!("no event before version {}", future.version), event.brief()))
        }
        _ => Ok(()),
    }
}

/// A server that responds earlier does not wait for versions.
const SHORT: Duration = Duration::from_secs(1);

/// Far enough that no server reaches the version during a scenario, and near enough to be a valid version.
const AHEAD: u128 = 1_000_000;

/// A collection with an object `a`, and a version that the server has not reached.
#[derive(Debug)]
pub(crate) struct Future {
    cx: Context,
    /// The collection.
    pub(crate) collection: Collection,
    now: u128,
    /// The version.
    pub(crate) version: String,
}

/// Skips where versions are not decimal, so that future versions are unknown.
impl Fixture for Future {
    async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        collection.create("a").await?;
        let Some(now) = decimal(&collection.now().await?.version) else {
            return Err(Halt::skip("the server's versions are not decimal: future versions are unknown"));
        };
        Ok(Self { collection, now, version: (now + AHEAD).to_string(), cx: cx.clone() })
    }
}

impl Future {
    fn list(&self) -> Query {
        self.collection.list().not_older_than(&self.version)
    }

    fn get(&self) -> Query {
        self.collection.get("a").at(&self.version)
    }

    fn exact(&self) -> Query {
        self.collection.list().exactly(&self.version)
    }

    /// Sends a read with a limit that is much longer than a short wait.
    async fn send(&self, query: Query) -> Result<Option<Arc<Exchange>>, Halt> {
        let limit = self.cx.event_timeout() + Duration::from_secs(10);
        let response = query.response_within(limit).await?;
        if response.as_ref().is_some_and(|response| response.succeeded()) {
            self.not_reached().await?;
        }
        Ok(response)
    }

    /// Skips if other writes are so many that the server has reached the version.
    pub(crate) async fn not_reached(&self) -> Checked {
        if decimal(&self.collection.now().await?.version) >= decimal(&self.version) {
            return Err(Halt::skip(format!("writes of others have reached version {}", self.version)));
        }
        Ok(())
    }

    /// The response 504 to a list. Skips where the response is another one, as other scenarios test.
    async fn timeout(&self) -> Result<Arc<Exchange>, Halt> {
        let actual = match self.send(self.list()).await? {
            Some(response) if response.has_code(&[504]) => return Ok(response),
            Some(response) => response.brief(),
            None => "no response".to_owned(),
        };
        Err(Halt::skip(format!("the response to a future version is not 504, but {actual}")))
    }

    /// Whether the server waits for versions.
    async fn waits(&self) -> Result<bool, Halt> {
        let response = self.send(self.list()).await?;
        Ok(response.is_none_or(|response| response.timing.whole >= SHORT))
    }
}

/// Writes `a` until a version is reached. Returns the last version of `a` up to there, and the time that it took.
async fn reach(collection: &Collection, version: u128, began: Instant) -> Result<(u128, Duration), Halt> {
    let mut last = 0;
    for value in 0..20 {
        let written = decimal(collection.write("a", &value.to_string()).await?.version()).unwrap_or_default();
        if written <= version {
            last = written;
        }
        if written >= version {
            break;
        }
    }
    Ok((last, began.elapsed()))
}

/// Whether this is a 504 with Retry-After.
fn has_retry_after(exchange: &Exchange) -> bool {
    exchange.status() == 504 && exchange.json().is_some() && exchange.header("retry-after").is_some()
}

/// Retry-After is a number of seconds, the same as in the Status.
fn is_seconds(timeout: &Exchange) -> Result<(), Breach> {
    let header = timeout.header("retry-after").unwrap_or_default();
    let in_body = timeout.json().map_or(&Value::Null, |status| &status["details"]["retryAfterSeconds"]);
    let seconds = header.parse::<u64>().ok().filter(|&seconds| seconds > 0);
    let same = seconds.is_some() && (in_body.is_null() || in_body.as_u64() == seconds);
    ensure(same, "Retry-After in whole seconds, the same as details.retryAfterSeconds", || {
        format!("Retry-After: {header}, retryAfterSeconds: {in_body}")
    })
}
