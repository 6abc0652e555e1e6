//! The server's clock, read from its responses and from the times of its objects.

use std::ops::RangeInclusive;

use harness::TestError;
use jiff::Timestamp;

use crate::prelude::*;

/// The Date header of a response; `None` without one.
pub(crate) fn date(response: &Exchange) -> Option<i64> {
    let date = jiff::fmt::rfc2822::parse(response.header("date")?).ok()?;
    Some(date.timestamp().as_second())
}

/// The Expires header of a response, whatever its name for UTC; `None` without one.
pub(crate) fn expiry(response: &Exchange) -> Option<i64> {
    let (time, _) = response.header("expires")?.rsplit_once(' ')?;
    let time = jiff::civil::DateTime::strptime("%a, %d %b %Y %H:%M:%S", time).ok()?;
    Some(time.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_second())
}

/// The second of a time in an object's metadata; nothing where it is none.
pub(crate) fn second(time: &str) -> Option<i64> {
    time.parse::<Timestamp>().ok().map(Timestamp::as_second)
}

/// The tolerated difference between the clocks of servers behind one address, in seconds.
pub(crate) const SKEW: i64 = 1;

/// The seconds since an instant, by the creationTimestamp of a new object.
///
/// No rule ties the times of objects to the Date header: a proxy may write it by another clock.
pub(crate) async fn since(collection: &Collection, begun: Instant) -> Result<RangeInclusive<i64>, Halt> {
    let created = collection.create("clock").await?;
    let passed = i64::try_from(begun.elapsed().as_secs()).unwrap_or(0) + 1;
    let now = second(created.metadata("creationTimestamp")).ok_or_else(|| {
        let why = "a new object has no creationTimestamp as in RFC 3339";
        TestError::new("read the clock of the server", why)
    })?;
    Ok(now - passed - SKEW..=now + SKEW)
}

/// Whether a time lies within these seconds, or at most `skew` seconds from the Date header of the response, which several
/// servers with clocks of their own write as they write the times of objects.
pub(crate) fn is_within(time: i64, span: &RangeInclusive<i64>, response: &Exchange, skew: i64) -> bool {
    let took = i64::try_from(response.timing.head.as_secs()).unwrap_or(0) + 1;
    let is_near = |date: i64| (date - took - skew..=date + skew).contains(&time);
    span.contains(&time) || date(response).is_some_and(is_near)
}

/// These seconds, for a failure.
pub(crate) fn text(span: &RangeInclusive<i64>) -> String {
    let [from, to] = [span.start(), span.end()]
        .map(|second| Timestamp::from_second(*second).map(|time| time.to_string()).unwrap_or_default());
    format!("from {from} to {to}")
}

/// Waits until the Date header shows a time this many seconds later; `name` is an object to read meanwhile.
///
/// Where the server does not say what time it is, nothing is waited for.
pub(crate) async fn wait(cx: &Context, (collection, name): (&Collection, &str), seconds: i64) -> Checked {
    let Some(begun) = date(&*collection.get(name).await?) else { return Ok(()) };
    let deadline = cx.soon() + Duration::from_secs(10);
    let reached = cx.poll(deadline, || async {
        let now = date(&*collection.get(name).await?);
        Ok(now.is_none_or(|now| now >= begun + seconds).then_some(()))
    });
    let why = "by its own Date header no time passes on the server";
    cx.yield_place_while(reached)
        .await?
        .ok_or_else(|| cx.test_error("wait for some seconds to pass", why).into())
}

/// Waits until objects get another time: two seconds, because those of the Date header may begin at other moments.
pub(crate) async fn another_second(cx: &Context, collection: &Collection, name: &str) -> Checked {
    wait(cx, (collection, name), 2).await
}
