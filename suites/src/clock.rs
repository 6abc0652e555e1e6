//! The server's clock, read from its responses.

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

/// Waits until the clock shows this second; `name` is an object to read meanwhile.
///
/// Where the server does not say what time it is, nothing is waited for.
pub(crate) async fn wait_until(
    cx: &Context,
    (collection, name): (&Collection, &str),
    second: i64,
) -> Checked {
    let deadline = cx.soon() + std::time::Duration::from_secs(10);
    let reached = cx.poll(deadline, || async {
        let now = date(&*collection.get(name).await?);
        Ok(now.is_none_or(|now| now >= second).then_some(()))
    });
    let why = "by its own Date header no time passes on the server";
    cx.yield_place_while(reached)
        .await?
        .ok_or_else(|| cx.test_error("wait for some seconds to pass", why).into())
}

/// Until the server's clock shows another second.
pub(crate) async fn another_second(cx: &Context, collection: &Collection, name: &str) -> Checked {
    match date(&*collection.get(name).await?) {
        Some(now) => wait_until(cx, (collection, name), now + 1).await,
        None => Ok(()),
    }
}
