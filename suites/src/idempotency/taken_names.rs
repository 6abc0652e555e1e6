//! POST of a name that exists.

use crate::prelude::*;
use crate::rejections::rejected;

/// The number of concurrent creates of one name.
const CREATORS: usize = 50;

pub(super) fn rows() -> Vec<Row> {
    let existing = rejected("idempotency-post-existing-name-409", &[409], |stored: &StoredObject| {
        Request::post(stored.collection.path(), &stored.collection.body(NAME, "second"))
    });
    vec![
        existing.reason("AlreadyExists").response_only().row(),
        row!(idempotency_post_identical_body_409).also("resource-uris-name-idempotent-create"),
        row!(idempotency_post_conflict_leaves_object),
        row!(idempotency_name_free_after_delete),
        row!(idempotency_concurrent_posts_one_wins).also("resource-uris-name-unique-in-namespace"),
    ]
}

pub(crate) async fn idempotency_post_identical_body_409(cx: Context, collection: Collection) -> Checked {
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
    created.expect(new.metadata("uid") != old, format!("a uid other than {old}"), new.metadata("uid"))
}

async fn idempotency_concurrent_posts_one_wins(cx: Context, collection: Collection) -> Checked {
    let create = |creator: usize| {
        let body = collection.body(NAME, &format!("creator-{creator}"));
        let connection = u8::try_from(creator % 4).unwrap_or_default();
        cx.send(Request::post(collection.path(), &body).connection(connection))
    };

    let responses = try_join_all((0..CREATORS).map(create)).await?;

    let (won, lost): (Vec<_>, Vec<_>) = responses.iter().partition(|response| response.succeeded());
    for response in &lost {
        response.expect_error(&[409], &["AlreadyExists"])?;
    }
    let [winner] = won[..] else {
        let last = &responses[responses.len() - 1];
        return Err(last.fail("one successful create", format!("{} successful creates", won.len())));
    };
    winner.expect_status(&[201])?;
    let (created, stored) = (winner.object()?, StoredObject::read(&cx, collection).await?);
    let expected = format!("the object of uid {} stored, as created", created.metadata("uid"));
    winner.expect(created.untyped() == stored.read.untyped(), expected, stored.read.metadata("uid"))
}
