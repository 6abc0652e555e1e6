//! Concurrent writers of one object.

use crate::prelude::*;

/// The number of concurrent updates.
const WRITERS: usize = 20;

/// The number of concurrent counters, and the count of each.
const COUNTERS: usize = 10;
const EACH: usize = 20;

/// The maximum duration of a counter, for slow servers.
const LONGEST: Duration = Duration::from_secs(3);

rows![concurrency_one_of_two_writers_wins, concurrency_read_modify_write_loop];

async fn concurrency_one_of_two_writers_wins(stored: StoredObject) -> Checked {
    let race = stored.race(WRITERS).await?;

    race.expect_one_winner()?;
    match (race.won.first(), race.lost.first()) {
        (Some((value, _)), _) => stored.expect_value(value).await,
        (None, Some((_, lost))) => Err(lost.fail("one successful write", "all writes rejected")),
        (None, None) => Ok(()),
    }
}

async fn concurrency_read_modify_write_loop(cx: Context, stored: StoredObject) -> Checked {
    stored.write("0").await?;

    let counted = try_join_all((0..COUNTERS).map(|counter| count(&cx, &stored, counter))).await?;

    let counted: usize = counted.iter().sum();
    stored.expect_value(&counted.to_string()).await
}

/// Increments the value of the object, and returns the number of successful updates.
async fn count(cx: &Context, stored: &StoredObject, counter: usize) -> Result<usize, Halt> {
    let began = Instant::now();
    let connection = u8::try_from(counter).unwrap_or_default() % 4;
    let mut counted = 0;
    while counted < EACH && began.elapsed() < LONGEST {
        let now = stored.again().await?;
        let Ok(value) = now.read.value().parse::<usize>() else {
            let cause = format!("its value is {:?}", now.read.value());
            return Err(cx.test_error("increment the value of an object", cause).into());
        };
        let put = Request::put(now.path(), &now.body(&(value + 1).to_string()));
        let put = cx.send(put.connection(connection)).await?;
        if put.status() != 409 {
            put.written()?;
            counted += 1;
        }
    }
    Ok(counted)
}
