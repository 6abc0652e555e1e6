//! Graceful shutdown: readiness fails before requests do.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{ENDPOINTS, FAILING, ask, get};
use crate::prelude::*;

rows![health_readyz_shutdown_delay.own_kinds().last_of_all()];

/// So many rounds of questions show that the server goes on serving.
const ENOUGH: usize = 8;

/// A server that has not set a delay may still serve open connections for this long.
const NO_DELAY: Duration = Duration::from_secs(1);

async fn health_readyz_shutdown_delay(cx: Context) -> Checked {
    ask(&cx, get("/readyz")).await?;
    cx.run_hook("shutdown").await?;

    let announced = announcement(&cx).await?;
    announced.expect_status(FAILING)?;
    let began = Instant::now();
    let rounds = AtomicUsize::new(0);
    let go_on = || async {
        let over = is_over(&cx).await?;
        let asked = rounds.fetch_add(1, Ordering::SeqCst) + 1;
        Ok((over || asked >= ENOUGH).then_some(()))
    };
    match cx.eventually(go_on).await {
        // In its last moments, without its store, a server answers nothing as it should.
        Err(Halt::Failed(_)) if is_about_to_go(&cx).await? => {}
        served => drop(served?),
    }

    if began.elapsed() < NO_DELAY { Err(no_delay()) } else { Ok(()) }
}

/// The first answer of /readyz that is not 200.
async fn announcement(cx: &Context) -> Result<Arc<Exchange>, Halt> {
    let pulled = Instant::now();
    let look = || async {
        match cx.send_once(get("/readyz")).await {
            // That it is too busy for an answer is none.
            Ok(ready) if matches!(ready.status(), 200 | 429) => Ok(None),
            Ok(announced) => Ok(Some(Some(announced))),
            Err(Halt::Errored(_)) => Ok(Some(None)),
            Err(halt) => Err(halt),
        }
    };
    // A server that is slow to stop is given more time than one that is slow to answer.
    match cx.poll(cx.soon() + 3 * cx.event_timeout(), look).await? {
        Some(Some(announced)) => Ok(announced),
        Some(None) if pulled.elapsed() <= cx.event_timeout() => Err(no_delay()),
        Some(None) => {
            let served =
                format!("HTTP 200 for {:.0} s, until the server was gone", pulled.elapsed().as_secs_f32());
            Err(cx.failed("/readyz failing before the server is gone", served, None))
        }
        None => {
            Err(cx.test_error("see the server shut down", "it goes on as if nothing had happened").into())
        }
    }
}

/// Asks once around; true if the server does not serve any more.
async fn is_over(cx: &Context) -> Result<bool, Halt> {
    let list = Request::get("/api/v1/namespaces").query("limit", 1);
    for request in ENDPOINTS.map(get).into_iter().chain([list]) {
        let answer = match cx.send_once(request).await {
            Ok(answer) => answer,
            Err(Halt::Errored(_)) => return Ok(true),
            Err(halt) => return Err(halt),
        };
        match (answer.request.path.as_str(), answer.status()) {
            ("/readyz", 429) => {}
            ("/readyz", _) => answer.expect_status(FAILING)?,
            (_, 429 | 503) => return Ok(true),
            ("/healthz" | "/livez", _) => answer.expect_status(&[200])?,
            // Whether there are namespaces, and whether we may list them, is not the question.
            _ => answer.expect_status(&[200, 403, 404])?,
        }
    }
    Ok(false)
}

/// Whether the server does not answer for much longer.
async fn is_about_to_go(cx: &Context) -> Result<bool, Halt> {
    let began = Instant::now();
    let look = || async {
        match cx.send_once(get("/livez")).await {
            Ok(_) => Ok((began.elapsed() > NO_DELAY).then_some(false)),
            Err(Halt::Errored(_)) => Ok(Some(true)),
            Err(halt) => Err(halt),
        }
    };
    Ok(cx.eventually(look).await?.unwrap_or(false))
}

fn no_delay() -> Halt {
    Halt::Skipped(
        "the server stopped without a delay that could be seen (--shutdown-delay-duration)".to_owned(),
    )
}
