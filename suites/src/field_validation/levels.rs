//! The three levels, how one is chosen, and the mildest of them.

use harness::{Context, Halt, Method, Request, Suite};
use serde_json::{Value, json};

use super::unknown::expect_dropped;
use super::{LEVELS, UNKNOWN, at, post, post_text, warning, with_duplicate, with_unknown};
use crate::forms::{self, JSON, MERGE, STRATEGIC};
use crate::texts;
use crate::unchanged::{expect_absent, expect_unchanged};

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("fieldval-levels-accepted", every_level_is_accepted)
        .on_every_shape()
        .scenario("fieldval-unknown-level-422", other_levels_are_refused)
        .on_every_shape()
        .scenario("fieldval-default-is-warn", without_a_level_clients_are_warned)
        .on_every_shape()
        .scenario("fieldval-applies-to-post-put-patch", every_verb_that_sends_an_object_is_checked)
        .on_every_shape()
        .scenario("fieldval-set-by-query-parameter", each_request_has_its_own_level)
        .on_every_shape()
        .scenario("fieldval-ignored-on-get-and-delete", reads_and_deletions_take_no_notice)
        .on_every_shape()
        .scenario("fieldval-ignore-succeeds-unknown", ignore_drops_what_is_unknown)
        .on_every_shape()
        .scenario("fieldval-ignore-succeeds-duplicate", ignore_takes_duplicates)
        .on_every_shape()
        .scenario("fieldval-ignore-is-silent", ignore_says_nothing)
        .on_every_shape()
}

/// Names that objects of one scenario have, one for each level.
const NAMES: [&str; 3] = ["a", "b", "c"];

async fn every_level_is_accepted(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    for (name, level) in NAMES.into_iter().zip(LEVELS) {
        let created = cx.send(at(level, post(&things, &things.body(name, "first")))).await?;
        created.expect_status(&[201])?;
    }
    Ok(())
}

async fn other_levels_are_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    texts::create(&things, "a", &[("k", "v")]).await?;
    let before = things.get("a").object().await?;

    for level in ["strict", "Foo"] {
        let change = texts::set(&things, "k", "w");
        for request in [
            post(&things, &things.body("b", "first")),
            Request::put(things.path_of("a"), before.json()),
            forms::patch(&things, "a", MERGE, &change),
        ] {
            cx.send(at(level, request)).await?.expect_error(&[422], &["Invalid"])?;
        }
    }
    expect_absent(&things, "b").await?;
    expect_unchanged(&things, "a", &before).await
}

async fn without_a_level_clients_are_warned(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let created = cx.send(post(&things, &with_unknown(&things, "a"))).await?;

    created.expect_status(&[201])?;
    warning::expect(&created, UNKNOWN)
}

async fn every_verb_that_sends_an_object_is_checked(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let created = cx.send(at("Warn", post(&things, &with_unknown(&things, "a")))).await?;
    created.expect_status(&[201])?;
    warning::expect(&created, UNKNOWN)?;

    let mut body = things.get("a").object().await?.json().clone();
    body[UNKNOWN] = json!(1);
    let updated = cx.send(at("Warn", Request::put(things.path_of("a"), &body))).await?;
    updated.expect_status(&[200])?;
    warning::expect(&updated, UNKNOWN)?;

    for (form, body) in patches() {
        let patched = cx.send(at("Warn", forms::patch(&things, "a", form, &body))).await?;
        // Custom types have no strategic merge patches.
        if patched.status() == 415 && form == STRATEGIC {
            continue;
        }
        patched.expect_status(&[200])?;
        warning::expect(&patched, UNKNOWN)?;
    }
    Ok(())
}

/// An unknown field, in each form of patch but apply.
pub(super) fn patches() -> [(&'static str, Value); 3] {
    let merge = json!({ UNKNOWN: 1 });
    let list = json!([{ "op": "add", "path": format!("/{UNKNOWN}"), "value": 1 }]);
    [(MERGE, merge.clone()), (STRATEGIC, merge), (JSON, list)]
}

async fn each_request_has_its_own_level(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let ignored = cx.send(at("Ignore", post(&things, &with_unknown(&things, "a")))).await?;
    let warned = cx.send(at("Warn", post(&things, &with_unknown(&things, "b")))).await?;

    ignored.expect_status(&[201])?;
    warned.expect_status(&[201])?;
    warning::expect_none(&ignored, UNKNOWN)?;
    warning::expect(&warned, UNKNOWN)
}

async fn reads_and_deletions_take_no_notice(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    things.create("a").await?;

    let got = cx.send(at("Strict", Request::get(things.path_of("a")))).await?;
    let listed = cx.send(at("Strict", Request::get(things.path()).query("limit", 1))).await?;
    let deleted = cx.send(at("Strict", Request::new(Method::DELETE, things.path_of("a")))).await?;

    got.expect_status(&[200])?;
    listed.expect_status(&[200])?;
    deleted.expect_status(&[200, 202])
}

async fn ignore_drops_what_is_unknown(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let created = cx.send(at("Ignore", post(&things, &with_unknown(&things, "a")))).await?;

    created.expect_status(&[201])?;
    expect_dropped(&things, &created, &[UNKNOWN]).await
}

async fn ignore_takes_duplicates(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let created = cx.send(at("Ignore", post_text(&things, &with_duplicate(&things, "a")))).await?;

    created.expect_status(&[201])?;
    things.get("a").await?.object().map(drop)
}

async fn ignore_says_nothing(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let unknown = cx.send(at("Ignore", post(&things, &with_unknown(&things, "a")))).await?;
    let twice = cx.send(at("Ignore", post_text(&things, &with_duplicate(&things, "b")))).await?;

    for created in [unknown, twice] {
        created.expect_status(&[201])?;
        warning::expect_none(&created, "assay")?;
    }
    Ok(())
}
