//! Area `discovery`: the documents that list groups, versions and resources, against each other and against the server.
//!
//! Other scenarios define and remove types meanwhile: checks of several documents repeat until they pass.

pub(crate) mod aggregated;
mod aggregated_negotiation;
mod default_configuration;
mod groups;
pub(crate) mod listed;
mod objects;
mod resources;
mod verbs;
mod version_names;

use std::future::Future;

use crate::prelude::*;
use crate::verbs::or_note;

pub(crate) use default_configuration::is_whole_but;
pub(crate) use version_names::{built_in, expect_tracks};

suite![
    "discovery",
    version_names,
    default_configuration,
    objects,
    groups,
    resources,
    verbs,
    aggregated,
    aggregated_negotiation,
];

/// Repeats a check until it passes or the event timeout is over. Returns the last failure.
pub(crate) async fn eventually<F: Future<Output = Checked>>(cx: &Context, check: impl Fn() -> F) -> Checked {
    let passed = cx.eventually(|| async {
        match check().await {
            Err(Halt::Failed(_)) => Ok(None),
            other => other.map(Some),
        }
    });
    match passed.await? {
        Some(()) => Ok(()),
        None => check().await,
    }
}

/// A document of this kind.
fn expect_kind(response: &Exchange, kind: &str) -> Checked {
    response.expect_status(&[200])?;
    let actual = response.json().map(|json| json["kind"].clone()).unwrap_or_default();
    response.expect(actual == kind, format!("a document of kind {kind}"), actual.to_string())
}

/// The run's custom type, once `/apis` lists its group. `None`, with a note, on a server without custom types.
pub(crate) async fn custom_type(cx: &Context) -> Result<Option<Resource>, Halt> {
    let Some(gadgets) = or_note(cx, cx.gadgets_resource().await)? else { return Ok(None) };
    let listed = cx.eventually(|| async {
        let listed = cx.send(Request::get("/apis")).await?;
        Ok(listed::groups(&listed).any(|group| group["name"] == gadgets.group).then_some(()))
    });
    if listed.await?.is_none() {
        cx.note(format!("/apis does not list {}", gadgets.group));
    }
    Ok(Some(gadgets))
}

/// Skips on a server without the core group.
fn require_core(cx: &Context) -> Checked {
    if cx.target_info().serves("") {
        return Ok(());
    }
    Err(Halt::skip("this server does not serve the core group"))
}
