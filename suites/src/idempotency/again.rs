//! A name that is taken.

use futures::future::try_join_all;
use harness::{Context, Halt, Request, Suite};

use crate::stored::{NAME, Stored};

/// How many create an object of one name at the same time.
const CREATORS: usize = 50;

/// Adds the scenarios of this part.
pub(super) fn add(suite: Suite) -> Suite {
    suite
        .scenario("idempotency-post-existing-name-409", a_create_of_a_taken_name_is_refused)
        .on_every_shape()
        .scenario("idempotency-post-identical-body-409", a_create_of_the_same_again_is_refused)
        .on_every_shape()
        .scenario("idempotency-post-conflict-leaves-object", a_refused_create_leaves_the_object)
        .on_every_shape()
        .scenario("idempotency-name-free-after-delete", a_name_is_free_again_when_its_object_is_gone)
        .on_every_shape()
        .scenario("idempotency-concurrent-posts-one-wins", of_creates_at_the_same_time_one_succeeds)
        .on_every_shape()
}

async fn a_create_of_a_taken_name_is_refused(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;

    let again = cx.send(Request::post(stored.things.path(), &stored.things.body(NAME, "second"))).await?;

    again.expect_error(&[409], &["AlreadyExists"]).map(drop)
}

async fn a_create_of_the_same_again_is_refused(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let create = Request::post(things.path(), &things.body(NAME, "first"));

    cx.send(create.clone()).await?.expect_status(&[201])?;
    let again = cx.send(create).await?;

    again.expect_error(&[409], &["AlreadyExists"]).map(drop)
}

async fn a_refused_create_leaves_the_object(cx: Context) -> Result<(), Halt> {
    let stored = Stored::create(&cx).await?;
    let mut other = stored.things.body(NAME, "second");
    other["metadata"]["labels"]["assay"] = "second".into();

    for body in [other, stored.things.body(NAME, "first")] {
        cx.send(Request::post(stored.things.path(), &body)).await?;
    }

    stored.expect_unchanged().await
}

async fn a_name_is_free_again_when_its_object_is_gone(cx: Context) -> Result<(), Halt> {
    let held = Stored::create_held(&cx).await?;
    let create = Request::post(held.things.path(), &held.things.body(NAME, "second"));

    held.things.delete(NAME).await?;
    let ending = held.again().await?;
    cx.send(create.clone()).await?.expect_error(&[409], &["AlreadyExists"])?;
    ending.expect_unchanged().await?;
    held.release().await?;
    held.expect_gone().await?;
    let created = cx.send(create).await?;

    created.expect_status(&[201])?;
    let (new, old) = (created.object()?, held.read.metadata("uid"));
    created.expect(new.metadata("uid") != old, format!("another uid than {old}"), new.metadata("uid"))
}

async fn of_creates_at_the_same_time_one_succeeds(cx: Context) -> Result<(), Halt> {
    let things = cx.things().await?;
    let create = |creator: usize| {
        let (cx, body) = (&cx, things.body(NAME, &format!("creator-{creator}")));
        let request = Request::post(things.path(), &body).lane(u8::try_from(creator % 4).unwrap_or_default());
        async move { cx.send(request).await }
    };

    let answered = try_join_all((0..CREATORS).map(create)).await?;

    let (won, lost): (Vec<_>, Vec<_>) = answered.iter().partition(|answer| answer.succeeded());
    for answer in &lost {
        answer.expect_error(&[409], &["AlreadyExists"])?;
    }
    let [winner] = won[..] else {
        let last = &answered[answered.len() - 1];
        return Err(last.fail("one create that succeeds", format!("{} were answered so", won.len())));
    };
    winner.expect_status(&[201])?;
    let (created, stored) = (winner.object()?, Stored::read(&cx, things).await?);
    let expected = format!("the object of uid {} stored, as created", created.metadata("uid"));
    winner.expect(created.untyped() == stored.read.untyped(), expected, stored.read.metadata("uid"))
}
