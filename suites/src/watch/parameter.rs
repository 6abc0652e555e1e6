//! The parameters of a watch.

use crate::prelude::*;

rows![watch_timeout_seconds.namespaced(), watch_limit_continue_not_supported.namespaced()];

/// The timeout of the short watch.
const SECONDS: u64 = 2;

async fn watch_timeout_seconds(cx: Context, collection: Collection) -> Checked {
    let version = collection.now().await?.version;
    let limited = |seconds: u64| collection.watch().at(&version).param("timeoutSeconds", seconds).open();
    let requested_at = Instant::now();
    let mut short = limited(SECONDS).await?;
    let mut long = limited(3600).await?;

    let limit = cx.event_timeout() + Duration::from_secs(SECONDS);
    let end = short.next_within(limit).await;
    if requested_at.elapsed() < Duration::from_secs(SECONDS)
        && let Err(Halt::Errored(broken)) = end
    {
        // The timeout ends no watch before its time: something else broke the connection.
        return Err(broken.into());
    }

    collection.create("a").await?;
    match long.expect("ADDED", "a").await {
        // What ends the long watch may have ended the short one, too.
        Err(Halt::Errored(broken)) => Err(broken.into()),
        lasted => expect_end(&mut short, end, limit).and(lasted.map(drop)),
    }
}

/// The response body ended normally, without an event.
fn expect_end(watch: &mut Watch, end: Result<Next, Halt>, limit: Duration) -> Checked {
    let expected = format!("the normal end of the watch after {SECONDS} s");
    let actual = match end {
        Ok(Next::End) => return Ok(()),
        Ok(Next::Event(event)) => event.brief(),
        Ok(Next::Silence) => format!("a watch that is still open {:.0} s later", limit.as_secs_f32()),
        Err(Halt::Errored(broken)) => broken.cause,
        Err(halt) => return Err(halt),
    };
    Err(watch.fail(expected, actual))
}

/// The server may reject these parameters.
async fn watch_limit_continue_not_supported(collection: Collection) -> Checked {
    collection.create_all(&["a", "b"]).await?;
    let page = collection.list().limit(1).page().await?;
    let watch = || collection.watch().at(&page.version);
    let token = page.token.as_deref().unwrap_or("none");

    let limited = open(watch().limit(1)).await?;
    let continued = open(watch().after(token)).await?;
    let mut plain = watch().open().await?;
    collection.create_all(&["c", "d", "e"]).await?;

    expect_creates(&mut plain).await?;
    for watch in [limited, continued].into_iter().flatten() {
        // It has no other reason to end than its parameters: the watch without them lasted.
        expect_creates(&mut watch.judging_its_end()).await?;
    }
    Ok(())
}

async fn expect_creates(watch: &mut Watch) -> Checked {
    for name in ["c", "d", "e"] {
        watch.expect("ADDED", name).await?;
    }
    Ok(())
}

/// The watch, unless the server rejects it with 4xx.
async fn open(watch: Query) -> Result<Option<Watch>, Halt> {
    match watch.opening().await? {
        Opening::Watch(watch) => Ok(Some(*watch)),
        Opening::Rejected(refused) if (400..500).contains(&refused.status()) => Ok(None),
        Opening::Rejected(refused) => Err(refused.fail("a watch, or a rejection with 4xx", refused.brief())),
    }
}
