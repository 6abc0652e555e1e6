//! POST of a name that exists.

use crate::prelude::*;

/// How many create an object of one name at the same time.
const CREATORS: usize = 50;

rows![
    idempotency_post_existing_name_409,
    idempotency_post_identical_body_409,
    idempotency_post_conflict_leaves_object,
    idempotency_name_free_after_delete,
    idempotency_concurrent_posts_one_wins,
];

async fn idempotency_post_existing_name_409(cx: Context, stored: StoredObject) -> Checked {
    let again =
        cx.send(Request::post(stored.collection.path(), &stored.collection.body(NAME, "second"))).await?;

    again.expect_error(&[409], &["AlreadyExists"]).map(drop)
}

async fn idempotency_post_identical_body_409(cx: Context, collection: Collection) -> Checked {
    let create = Request::post(collection.path(), &collection.body(NAME, "first"));

    cx.send(create.clone()).await?.expect_status(&[201])?;
    let again = cx.send(create).await?;

    again.expect_error(&[409], &["AlreadyExists"]).map(drop)
}

async fn idempotency_post_conflict_leaves_object(cx: Context, stored: StoredObject) -> Checked {
    let mut other = stored.collection.body(NAME, "second");
    other["metadata"]["labels"]["assay"] = "second".into();

    for body in [other, stored.collection.body(NAME, "first")] {
        cx.send(Request::post(stored.collection.path(), &body)).await?;
    }

    stored.expect_unchanged().await
}

async fn idempotency_name_free_after_delete(cx: Context) -> Checked {
    let held = StoredObject::create_held(&cx).await?;
    let create = Request::post(held.collection.path(), &held.collection.body(NAME, "second"));

    held.collection.delete(NAME).await?;
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

async fn idempotency_concurrent_posts_one_wins(cx: Context, collection: Collection) -> Checked {
    let create = |creator: usize| {
        let (cx, body) = (&cx, collection.body(NAME, &format!("creator-{creator}")));
        let request =
            Request::post(collection.path(), &body).connection(u8::try_from(creator % 4).unwrap_or_default());
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
    let (created, stored) = (winner.object()?, StoredObject::read(&cx, collection).await?);
    let expected = format!("the object of uid {} stored, as created", created.metadata("uid"));
    winner.expect(created.untyped() == stored.read.untyped(), expected, stored.read.metadata("uid"))
}
