//! Graceful shutdown: readiness fails before requests do.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{ENDPOINTS, FAILING, get, send_if_served};
use crate::prelude::*;

rows![health_readyz_shutdown_delay.own_kinds().last_of_all()];

/// The rounds of requests that show a running server.
const ROUNDS: usize = 8;

/// The time for which a server without a shutdown delay may serve open connections.
const NO_DELAY: Duration = Duration::from_secs(1);

async fn health_readyz_shutdown_delay(cx: Context) -> Checked {
    send_if_served(&cx, get("/readyz")).await?;
    cx.run_hook("shutdown").await?;

    let announced = announcement(&cx).await?;
    announced.expect_status(FAILING)?;
    let began = Instant::now();
    let rounds = AtomicUsize::new(0);
    let go_on = || async {
        let over = is_over(&cx).await?;
        let round = rounds.fetch_add(1, Ordering::SeqCst) + 1;
        Ok((over || round >= ROUNDS).then_some(()))
    };
    match cx.eventually(go_on).await {
        // Shortly before its end, without its store, a server may return errors.
        Err(Halt::Failed(_)) if ends_soon(&cx).await? => {}
        served => drop(served?),
    }

    if began.elapsed() < NO_DELAY { Err(no_delay()) } else { Ok(()) }
}

/// The first response of /readyz other than 200.
async fn announcement(cx: &Context) -> Result<Arc<Exchange>, Halt> {
    let hook_ended = Instant::now();
    let look = || async {
        match cx.send_once(get("/readyz")).await {
            // A 429 announces no shutdown.
            Ok(ready) if matches!(ready.status(), 200 | 429) => Ok(None),
            Ok(announced) => Ok(Some(Some(announced))),
            Err(Halt::Errored(_)) => Ok(Some(None)),
            Err(halt) => Err(halt),
        }
    };
    // A shutdown may take longer than an event.
    match cx.poll(cx.soon() + 3 * cx.event_timeout(), look).await? {
        Some(Some(announced)) => Ok(announced),
        Some(None) if hook_ended.elapsed() <= cx.event_timeout() => Err(no_delay()),
        Some(None) => {
            let served = format!("HTTP 200 for {:.0} s, until the end", hook_ended.elapsed().as_secs_f32());
            Err(cx.failed("a failing /readyz before the end of the server", served, None))
        }
        None => Err(cx.test_error("wait for the shutdown", "/readyz still returns 200").into()),
    }
}

/// Sends one round of requests; true if the server has stopped.
async fn is_over(cx: &Context) -> Result<bool, Halt> {
    let list = Request::get("/api/v1/namespaces").query("limit", 1);
    for request in ENDPOINTS.map(get).into_iter().chain([list]) {
        let response = match cx.send_once(request).await {
            Ok(response) => response,
            Err(Halt::Errored(_)) => return Ok(true),
            Err(halt) => return Err(halt),
        };
        match (response.request.path.as_str(), response.status()) {
            ("/readyz", 429) => {}
            ("/readyz", _) => response.expect_status(FAILING)?,
            (_, 429 | 503) => return Ok(true),
            ("/healthz" | "/livez", _) => response.expect_status(&[200])?,
            // Namespaces and the permission to list them are optional.
            _ => response.expect_status(&[200, 403, 404])?,
        }
    }
    Ok(false)
}

/// Whether the server stops within the time without a delay.
async fn ends_soon(cx: &Context) -> Result<bool, Halt> {
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
    Halt::skip("the server stopped without a noticeable delay (--shutdown-delay-duration)")
}
