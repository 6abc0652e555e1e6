//! The parameter that asks for a dry run.

use harness::{Context, Halt, Request, Suite};
use serde_json::json;

use super::dry;
use crate::stored::{NAME, Stored};

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("dryrun-value-all", every_verb_takes_all)
        .on_every_shape()
        .scenario("dryrun-other-values-rejected", any_other_value_is_refused)
        .on_every_shape()
        .scenario("dryrun-unset-is-real", without_the_parameter_it_is_done)
        .on_every_shape()
        .scenario("dryrun-bare-parameter", a_parameter_without_a_value_is_real_or_refused)
        .on_every_shape()
}

/// A request of every kind that writes; not yet sent.
fn writes(stored: &Stored) -> [(Request, u16); 4] {
    [
        (Request::post(stored.things.path(), &stored.things.body("b", "first")), 201),
        (Request::put(stored.path(), &stored.body("second")), 200),
        (Request::merge_patch(stored.path(), &stored.things.change("third")), 200),
        (Request::delete(stored.path()), 200),
    ]
}

async fn every_verb_takes_all(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    for (request, status) in writes(&stored) {
        // A deletion may be answered 202 as well.
        let legal: &[u16] = if status == 201 { &[201] } else { &[200, 202] };
        cx.send(dry(request)).await?.expect_status(legal)?;
    }

    stored.expect_unchanged().await?;
    stored.things.get("b").await?.expect_status(&[404])
}

async fn any_other_value_is_refused(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let mut requests = Vec::new();
    for value in ["all", "true", "Server"] {
        requests.extend(writes(&stored).map(|(request, _)| request.query("dryRun", value)));
        requests.push(stored.delete(&json!({ "dryRun": [value] })));
    }

    for request in requests {
        let refused = cx.send(request).await?;

        refused.expect_refusal(&[400, 422])?;
        stored.expect_unchanged().await?;
        stored.things.get("b").await?.expect_status(&[404])?;
    }
    Ok(())
}

async fn without_the_parameter_it_is_done(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    let created = cx.send(Request::post(things.path(), &things.body(NAME, "first"))).await?;

    created.expect(created.succeeded(), "success", created.brief())?;
    things.get(NAME).await?.expect_status(&[200])
}

async fn a_parameter_without_a_value_is_real_or_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;

    for (name, query) in [("a", "dryRun"), ("b", "dryRun&pretty=true"), ("c", "dryRun=")] {
        let create = Request::post(things.path(), &things.body(name, "first")).raw_query(query);
        let created = cx.send(create).await?;

        let answered = created.succeeded() || (400..500).contains(&created.status());
        created.expect(answered, "success, or a refusal with 4xx", created.brief())?;
        let got = things.get(name).await?;
        let stored = got.succeeded();
        let what = if created.succeeded() {
            "the object there: it was created"
        } else {
            "no object: it was refused"
        };
        got.expect(stored == created.succeeded(), what, got.brief())?;
    }
    Ok(())
}
