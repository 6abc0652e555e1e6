//! Collisions of generated names.

use std::collections::BTreeSet;

use futures::{StreamExt, TryStreamExt, stream};
use harness::branch;

use crate::patch_types::nameless;
use crate::prelude::*;

/// The number of creates with one prefix, and how many are concurrent.
const CREATES: usize = 200;
const AT_A_TIME: usize = 20;

rows![idempotency_generatename_unique.namespaced(), idempotency_generatename_conflict_answer.namespaced()];

/// Creates many objects, each with its number as value; returns the values and the responses.
async fn create(cx: &Context, collection: &Collection) -> Result<Vec<(String, Arc<Exchange>)>, Halt> {
    let create = |number: usize| async move {
        let value = number.to_string();
        let connection = u8::try_from(number % 4).unwrap_or_default();
        let request =
            Request::post(collection.path(), &nameless(collection, "crowd-", &value)).connection(connection);
        Ok::<_, Halt>((value, cx.send_once(request).await?))
    };
    let mut responses: Vec<_> = stream::iter(0..CREATES)
        .map(|number| branch(create(number)))
        .buffered(AT_A_TIME)
        .try_collect()
        .await?;
    // A 429 is independent of names.
    responses.retain(|(_, response)| response.status() != 429);
    Ok(responses)
}

async fn idempotency_generatename_unique(cx: Context, collection: Collection) -> Checked {
    let responses = create(&cx, &collection).await?;

    let mut names = BTreeSet::new();
    for (_, response) in responses.iter().filter(|(_, response)| response.succeeded()) {
        let name = response.object()?.name().to_owned();
        response.expect(!names.contains(&name), "a name of no other response", name.as_str())?;
        names.insert(name);
    }
    // A few collisions are legal; many mean that the names are hardly distinct.
    let refused: Vec<_> = responses.iter().filter(|(_, response)| !response.succeeded()).collect();
    for (_, response) in &refused {
        expect_retryable(response)?;
    }
    let last = refused.last().filter(|_| refused.len() * 10 > responses.len());
    let expected = format!("a distinct name for nearly each of {} creates", responses.len());
    last.map_or(Ok(()), |(_, response)| Err(response.fail(expected, format!("only {} names", names.len()))))
}

async fn idempotency_generatename_conflict_answer(cx: Context, collection: Collection) -> Checked {
    let responses = create(&cx, &collection).await?;

    let page = collection.now().await?;
    for (value, response) in &responses {
        if response.succeeded() {
            response.expect_status(&[201])?;
            expect_own_object(&page, response, value)?;
        } else {
            expect_retryable(response)?;
        }
    }
    Ok(())
}

/// The response shows the object of the request, not that of another one, and the server stores it.
fn expect_own_object(page: &Page, response: &Exchange, value: &str) -> Checked {
    let created = response.object()?;
    let expected = format!("an object with the value {value:?}");
    response.expect(created.value() == value, expected, created.value())?;
    let stored = page.item(created.name()).map_or("no such item", Object::value);
    let expected = format!("{} with the value {value:?}, as created", created.name());
    page.expect(stored == value, expected, stored)
}

/// The texts differ: 409 with a time to retry after, or a `ServerTimeout`.
fn expect_retryable(response: &Exchange) -> Checked {
    let status = response.json().cloned().unwrap_or_default();
    let wait = status["details"]["retryAfterSeconds"].as_i64().unwrap_or_default();
    let again = response.header("retry-after").is_some() && wait > 0;
    let retryable = match (response.status(), status["reason"].as_str()) {
        (409, Some("AlreadyExists")) => again,
        (500 | 504, Some("ServerTimeout")) => true,
        _ => false,
    };
    let expected = "201, 409 AlreadyExists with retryAfterSeconds and Retry-After, or ServerTimeout";
    response.expect(retryable, expected, response.brief())
}
