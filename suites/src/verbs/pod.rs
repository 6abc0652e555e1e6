//! Grace periods: who has one, where it comes from, and who overrides it.

use harness::{Context, Halt, Request, Suite};
use serde_json::json;

use crate::clock::{date, second};
use crate::deletion::pod::{Bound, on_a_node};
use crate::stored::Stored;

/// Adds the scenarios of this file.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("verbs-delete-kind-default-grace", a_pod_says_how_long_it_is_given)
        .scenario("verbs-delete-kinds-differ-in-default-grace", other_objects_are_given_no_time)
        .scenario("verbs-delete-user-grace-overrides", who_deletes_has_the_last_word)
}

/// Seconds that no server has for a default.
const OWN: i64 = 17;

/// Seconds for a Pod that says nothing.
const USUAL: i64 = 30;

/// A Pod on a node, which says how long it is to be given.
async fn patient(cx: &Context) -> Result<Bound, Halt> {
    let mut pod = on_a_node();
    pod["spec"]["terminationGracePeriodSeconds"] = json!(OWN);
    Bound::create_from(cx, &pod).await
}

async fn a_pod_says_how_long_it_is_given(cx: Context) -> Result<(), Halt> {
    let pod = patient(&cx).await?;

    pod.end(async {
        let deleted = cx.send(Request::delete(pod.path())).await?;

        let marked = pod.expect_grace(&deleted, OWN).await?;
        let at = marked.metadata("deletionTimestamp");
        // By the server's own clock, where it tells the time.
        let Some(now) = date(&deleted) else { return Ok(()) };
        let ahead = second(at).map(|at| at - now);
        let in_time = ahead.is_some_and(|ahead| (OWN - 2..=OWN + 2).contains(&ahead));
        deleted.expect(
            in_time,
            format!("deletionTimestamp about {OWN} s ahead"),
            format!("{at}: {ahead:?} s"),
        )
    })
    .await
}

async fn other_objects_are_given_no_time(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create_among(&cx, cx.configmaps().await?).await?;
    cx.send(Request::delete(stored.path())).await?.expect_status(&[200, 202])?;
    stored.expect_gone().await?;

    let pod = Bound::create(&cx).await?;
    pod.end(async {
        let deleted = cx.send(Request::delete(pod.path())).await?;

        pod.expect_grace(&deleted, USUAL).await
    })
    .await
}

async fn who_deletes_has_the_last_word(cx: Context) -> Result<(), Halt> {
    let pod = patient(&cx).await?;

    pod.end(async {
        let deleted = pod.delete_within(5).await?;

        pod.expect_grace(&deleted, 5).await
    })
    .await
}
