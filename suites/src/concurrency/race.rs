//! Concurrent writers of one object.

use crate::prelude::*;

/// How many put at the same time.
const WRITERS: usize = 20;

/// How many count up at the same time, and how far each of them.
const COUNTERS: usize = 10;
const EACH: usize = 20;

/// Where answers are slow there is less to count.
const LONGEST: Duration = Duration::from_secs(3);

rows![concurrency_one_of_two_writers_wins, concurrency_read_modify_write_loop];

async fn concurrency_one_of_two_writers_wins(stored: StoredObject) -> Checked {
    let race = stored.race(WRITERS).await?;

    race.expect_one_winner()?;
    match (race.won.first(), race.lost.first()) {
        (Some((value, _)), _) => stored.expect_value(value).await,
        (None, Some((_, lost))) => Err(lost.fail("one write that succeeds", "all were refused")),
        (None, None) => Ok(()),
    }
}

async fn concurrency_read_modify_write_loop(cx: Context, stored: StoredObject) -> Checked {
    stored.write("0").await?;

    let counted = try_join_all((0..COUNTERS).map(|counter| count(&cx, &stored, counter))).await?;

    let counted: usize = counted.iter().sum();
    stored.expect_value(&counted.to_string()).await
}

/// Adds one, and one again; returns how many times the server took it.
async fn count(cx: &Context, stored: &StoredObject, counter: usize) -> Result<usize, Halt> {
    let began = Instant::now();
    let connection = u8::try_from(counter).unwrap_or_default() % 4;
    let mut counted = 0;
    while counted < EACH && began.elapsed() < LONGEST {
        let now = stored.again().await?;
        let Ok(value) = now.read.value().parse::<usize>() else {
            let why = format!("its value is {:?}", now.read.value());
            return Err(cx.test_error("count in an object", why).into());
        };
        let put = cx
            .send(Request::put(now.path(), &now.body(&(value + 1).to_string())).connection(connection))
            .await?;
        if put.status() != 409 {
            put.written()?;
            counted += 1;
        }
    }
    Ok(counted)
}
