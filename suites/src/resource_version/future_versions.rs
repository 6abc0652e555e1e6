//! Future versions: a `resourceVersion` that the server has not reached.

use futures::future::{join, join3};
use harness::invariant::Breach;
use harness::{decimal, invariant};

use crate::prelude::*;

pub(crate) fn rows() -> Vec<Row> {
    [
        vec![row!(rv_unavailable_never_served_stale).namespaced()],
        table(REFUSED, Kinds::Namespaced, a_version_of_the_future_is_refused_after_a_short_wait),
        vec![
            row!(rv_unavailable_becomes_available).namespaced(),
            row!(rv_unavailable_retry_after).namespaced(),
            row!(rv_unavailable_message).namespaced(),
            row!(rv_unavailable_watch_may_wait).namespaced(),
            invariant("rv-unavailable-retry-after", |exchange| {
                says_when(exchange).then(|| is_seconds(exchange))
            }),
        ],
    ]
    .concat()
}

async fn rv_unavailable_never_served_stale(cx: Context) -> Checked {
    let future = Future::arrange(&cx).await?;

    let [listed, got, exact] = [future.list(), future.get(), future.exact()].map(|query| future.ask(query));
    let (listed, got, exact) = join3(listed, got, exact).await;

    for answer in [listed?, got?, exact?].into_iter().flatten() {
        answer.expect(!answer.succeeded(), "no answer 200 to a version of the future", answer.brief())?;
    }
    Ok(())
}

/// A way to ask for a version of the future.
type Asked = fn(&Future) -> Query;

/// Reads of a version that the server has not reached.
#[rustfmt::skip]
const REFUSED: &[(&str, Asked)] = &[
    ("rv-unavailable-list-504",  Future::list),
    ("rv-unavailable-get-504",   Future::get),
    ("rv-unavailable-exact-504", Future::exact),
];

async fn a_version_of_the_future_is_refused_after_a_short_wait(cx: Context, asked: Asked) -> Checked {
    let future = Future::arrange(&cx).await?;

    let answer = future.ask(asked(&future)).await?;

    match answer {
        Some(answer) => answer.expect_error(&[504], &["Timeout"]).map(drop),
        None => Err(cx.failed("504 Timeout after a short wait", "no answer at all", None)),
    }
}

async fn rv_unavailable_becomes_available(cx: Context) -> Checked {
    let future = Future::arrange(&cx).await?;
    let soon = future.now + 4;

    let began = Instant::now();
    let list = future.collection.list().not_older_than(&soon.to_string()).into_future();
    let (listed, reached) = join(list, reach(&future.collection, soon, began)).await;
    let (listed, (last, reached)) = (listed?, reached?);

    if listed.status() != 504 {
        let page = listed.page()?;
        let shown = page.item("a").map_or("none", Object::version);
        let holds = decimal(shown) >= Some(last);
        return page.expect(holds, format!("a at version {last} or newer"), format!("a at {shown}"));
    }
    let waited = listed.timing.whole;
    if waited > reached + SHORT || (waited < SHORT && future.waits().await?) {
        return Err(
            listed.fail(format!("the version, reached after {} ms", reached.as_millis()), listed.brief())
        );
    }
    Err(Halt::Skipped(format!("the server waits no longer than {} ms for a version", waited.as_millis())))
}

async fn rv_unavailable_retry_after(cx: Context) -> Checked {
    let refused = Future::arrange(&cx).await?.refused().await?;

    if !says_when(&refused) {
        return Err(Halt::Skipped("the 504 carries no Retry-After".to_owned()));
    }
    is_seconds(&refused).map_err(|breach| refused.fail(breach.expected, breach.actual))
}

async fn rv_unavailable_message(cx: Context) -> Checked {
    let refused = Future::arrange(&cx).await?.refused().await?;

    let status = refused.json().unwrap_or(&Value::Null);
    let message = status["message"].as_str().is_some_and(|text| text.contains("Too large resource version"));
    let causes = status["details"]["causes"].as_array();
    let cause =
        causes.is_some_and(|all| all.iter().any(|cause| cause["reason"] == "ResourceVersionTooLarge"));
    let expected = "the message Too large resource version, or the cause ResourceVersionTooLarge";
    refused.expect(message || cause, expected, refused.brief())
}

async fn rv_unavailable_watch_may_wait(cx: Context) -> Checked {
    let future = Future::arrange(&cx).await?;

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

/// A wait that is none.
const SHORT: Duration = Duration::from_secs(1);

/// So far ahead that no server gets there while we wait, and near enough to be a version.
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

impl Future {
    /// Skips where no version of the future can be made up.
    pub(crate) async fn arrange(cx: &Context) -> Result<Self, Halt> {
        let collection = cx.collection_under_test().await?;
        collection.create("a").await?;
        let Some(now) = decimal(&collection.now().await?.version) else {
            let reason = "the server's versions are not decimal, so none of the future can be made up";
            return Err(Halt::Skipped(reason.to_owned()));
        };
        Ok(Self { collection, now, version: (now + AHEAD).to_string(), cx: cx.clone() })
    }

    fn list(&self) -> Query {
        self.collection.list().not_older_than(&self.version)
    }

    fn get(&self) -> Query {
        self.collection.get("a").at(&self.version)
    }

    fn exact(&self) -> Query {
        self.collection.list().exactly(&self.version)
    }

    /// Asks, and gives up long after a short wait is over.
    async fn ask(&self, query: Query) -> Result<Option<Arc<Exchange>>, Halt> {
        let limit = self.cx.event_timeout() + Duration::from_secs(10);
        let answer = query.answer_within(limit).await?;
        if answer.as_ref().is_some_and(|answer| answer.succeeded()) {
            self.not_reached().await?;
        }
        Ok(answer)
    }

    /// Skips if versions go by so fast that this one has been reached.
    pub(crate) async fn not_reached(&self) -> Checked {
        if decimal(&self.collection.now().await?.version) >= decimal(&self.version) {
            return Err(Halt::Skipped(format!("the server has reached version {} by itself", self.version)));
        }
        Ok(())
    }

    /// An answer 504; that there is another one or none is asked above.
    async fn refused(&self) -> Result<Arc<Exchange>, Halt> {
        let actual = match self.ask(self.list()).await? {
            Some(answer) if answer.status() == 504 => return Ok(answer),
            Some(answer) => answer.brief(),
            None => "nothing".to_owned(),
        };
        Err(Halt::Skipped(format!("the server does not answer 504, but {actual}")))
    }

    /// Whether the server waits for versions at all.
    async fn waits(&self) -> Result<bool, Halt> {
        let answer = self.ask(self.list()).await?;
        Ok(answer.is_none_or(|answer| answer.timing.whole >= SHORT))
    }
}

/// Writes `a` until a version is reached; returns its last version up to there, and when that was.
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

fn says_when(exchange: &Exchange) -> bool {
    exchange.status() == 504 && exchange.json().is_some() && exchange.header("retry-after").is_some()
}

/// Retry-After is a number of seconds, and the one that the Status gives.
fn is_seconds(refused: &Exchange) -> Result<(), Breach> {
    let after = refused.header("retry-after").unwrap_or_default();
    let said = refused.json().map_or(&Value::Null, |status| &status["details"]["retryAfterSeconds"]);
    let seconds = after.parse::<u64>().ok().filter(|&seconds| seconds > 0);
    if seconds.is_some() && (said.is_null() || said.as_u64() == seconds) {
        return Ok(());
    }
    let expected = "Retry-After in whole seconds, the same as details.retryAfterSeconds".to_owned();
    Err(Breach { expected, actual: format!("Retry-After: {after}, retryAfterSeconds: {said}") })
}
