//! Collisions of generated names.

use std::collections::BTreeSet;

use futures::{StreamExt, TryStreamExt, stream};

use crate::patch_types::nameless;
use crate::prelude::*;

/// How many objects are created from one prefix, and how many at a time.
const CREATES: usize = 200;
const AT_A_TIME: usize = 20;

rows![idempotency_generatename_unique.namespaced(), idempotency_generatename_conflict_answer.namespaced()];

/// Creates many objects, each with its number for a value; returns the values, and how each create was answered.
async fn create(cx: &Context, collection: &Collection) -> Result<Vec<(String, Arc<Exchange>)>, Halt> {
    let create = |number: usize| async move {
        let value = number.to_string();
        let connection = u8::try_from(number % 4).unwrap_or_default();
        let request =
            Request::post(collection.path(), &nameless(collection, "crowd-", &value)).connection(connection);
        Ok::<_, Halt>((value, cx.send_once(request).await?))
    };
    let mut answers: Vec<_> = stream::iter(0..CREATES).map(create).buffered(AT_A_TIME).try_collect().await?;
    // That there are too many requests says nothing about names.
    answers.retain(|(_, answer)| answer.status() != 429);
    Ok(answers)
}

async fn idempotency_generatename_unique(cx: Context, collection: Collection) -> Checked {
    let answers = create(&cx, &collection).await?;

    let mut names = BTreeSet::new();
    for (_, answer) in answers.iter().filter(|(_, answer)| answer.succeeded()) {
        let name = answer.object()?.name().to_owned();
        answer.expect(!names.contains(&name), "a name that no other answer has", name.as_str())?;
        names.insert(name);
    }
    // Now and then two may meet. Where many do, the names are hardly distinct.
    let refused: Vec<_> = answers.iter().filter(|(_, answer)| !answer.succeeded()).collect();
    let last = refused.last().filter(|_| refused.len() * 10 > answers.len());
    let expected = format!("a name of its own for nearly each of {}", answers.len());
    last.map_or(Ok(()), |(_, answer)| Err(answer.fail(expected, format!("only {} names", names.len()))))
}

async fn idempotency_generatename_conflict_answer(cx: Context, collection: Collection) -> Checked {
    let answers = create(&cx, &collection).await?;

    let page = collection.now().await?;
    for (value, answer) in &answers {
        if answer.succeeded() {
            answer.expect_status(&[201])?;
            expect_own_object(&page, answer, value)?;
        } else {
            expect_retryable(answer)?;
        }
    }
    Ok(())
}

/// The answer names the object that the request was to create, and not one that another has; and so it is stored.
fn expect_own_object(page: &Page, answer: &Exchange, value: &str) -> Checked {
    let created = answer.object()?;
    let expected = format!("an object with the value {value:?}");
    answer.expect(created.value() == value, expected, created.value())?;
    let stored = page.item(created.name()).map_or("nothing", Object::value);
    let expected = format!("{} with the value {value:?}, as created", created.name());
    page.expect(stored == value, expected, stored)
}

/// The texts differ in what they promise: 409 with a time to try again, or a timeout of the server.
fn expect_retryable(answer: &Exchange) -> Checked {
    let status = answer.json().cloned().unwrap_or_default();
    let wait = status["details"]["retryAfterSeconds"].as_i64().unwrap_or_default();
    let again = answer.header("retry-after").is_some() && wait > 0;
    let retryable = match (answer.status(), status["reason"].as_str()) {
        (409, Some("AlreadyExists")) => again,
        (500 | 504, Some("ServerTimeout")) => true,
        _ => false,
    };
    let expected = "201, 409 AlreadyExists with a time to try again, or ServerTimeout";
    answer.expect(retryable, expected, answer.brief())
}
