//! The newest release whose libraries a server accepts in new expressions.
//!
//! A server must be able to return to its minimum compatibility version, so it accepts what the release after that one has:
//! without a flag, its own release.

use harness::Version;

use crate::prelude::*;

/// The newest release whose clauses about new expressions apply; `None` if the server does not say its version.
pub(super) async fn newest(cx: &Context) -> Result<Option<Version>, Halt> {
    let Some(own) = cx.target_info().version else { return Ok(None) };
    let told = cx.once_per_run(
        "the minimum compatibility version",
        Box::pin(async {
            let version = cx.send(Request::get("/version")).await?;
            Ok(version.json().and_then(minimum))
        }),
    );
    let after = |minimum: Version| Version { minor: minimum.minor + 1, ..minimum };
    Ok(Some(told.await?.map_or(own, |minimum| own.min(after(minimum)))))
}

/// Skips where a flag keeps the libraries of a release out of new expressions.
pub(super) async fn require(cx: &Context, since: Option<Version>) -> Checked {
    let (Some(since), Some(newest)) = (since, newest(cx).await?) else { return Ok(()) };
    let why = || format!("its minimum compatibility version keeps what {since} added out of new expressions");
    cx.require_feature("DefaultConfiguration", since <= newest, why())
}

/// The minimum compatibility version in `/version`.
fn minimum(version: &Value) -> Option<Version> {
    let part = |name: &str| version[name].as_str();
    format!("{}.{}", part("minCompatibilityMajor")?, part("minCompatibilityMinor")?).parse().ok()
}
