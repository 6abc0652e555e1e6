//! Health endpoints of a busy server.

use std::sync::atomic::{AtomicBool, Ordering};

use harness::{join, join_all};

use super::{get, reports_failure};
use crate::prelude::*;

rows![health_fast_under_load.own_kinds().full_only().alone()];

/// The clients, their connections, and the duration of the load.
const CLIENTS: u8 = 200;
const CONNECTIONS: u8 = 8;
const BUSY_FOR: Duration = Duration::from_secs(3);

/// The maximum number of lists of one client: kube-assay keeps the responses until the scenario ends.
const LISTS_AT_MOST: usize = 10;

/// The objects of the lists, and their size.
const OBJECTS: usize = 10;
const BYTES: usize = 2_000;

/// The latency of a probe from which on the scenario adds a note.
const SLOW: Duration = Duration::from_secs(1);

/// The connection of the probes alone.
const PROBES: u8 = 1;

async fn health_fast_under_load(cx: Context) -> Checked {
    if !is_loopback(&cx.target_info().address) {
        return Err(Halt::skip("the scenario loads only a server on the loopback interface"));
    }
    let collection = cx.configmaps().await?;
    for number in 0..OBJECTS {
        collection.create_body(&collection.body(&format!("load-{number}"), &"x".repeat(BYTES))).await?;
    }

    let busy = AtomicBool::new(true);
    let load = async {
        join_all((0..CLIENTS).map(|client| lists(&cx, &collection, client))).await;
        busy.store(false, Ordering::SeqCst);
    };
    let ((), probed) = join(load, probes(&cx, &busy)).await;

    probed
}

/// The lists of one client. A busy server may reject them.
async fn lists(cx: &Context, collection: &Collection, client: u8) {
    let until = Instant::now() + BUSY_FOR;
    for _ in 0..LISTS_AT_MOST {
        if Instant::now() > until {
            break;
        }
        let list = Request::get(collection.path()).connection(PROBES + 1 + client % CONNECTIONS);
        let _ = cx.send_once(list).await;
    }
}

/// Sends probes until the end of the load.
async fn probes(cx: &Context, busy: &AtomicBool) -> Checked {
    let mut slowest = Duration::ZERO;
    while busy.load(Ordering::SeqCst) {
        let response = cx.send_once(get("/livez").connection(PROBES)).await?;
        if !reports_failure(&response) {
            response.expect_status(&[200])?;
        }
        slowest = slowest.max(response.timing.whole);
        let limit = cx.event_timeout();
        let expected = format!("a response within {} s", limit.as_secs_f32());
        response.expect(
            slowest < limit,
            expected,
            format!("a response after {} s", slowest.as_secs_f32()),
        )?;
    }
    if slowest > SLOW {
        cx.note(format!("the slowest probe took {:.1} s", slowest.as_secs_f32()));
    }
    Ok(())
}

/// Whether an address such as `https://127.0.0.1:6443` is on this machine.
fn is_loopback(address: &str) -> bool {
    let host = address.split_once("://").map_or(address, |(_, host)| host);
    ["127.", "localhost:", "[::1]"].iter().any(|start| host.starts_with(start)) || host == "localhost"
}

#[cfg(test)]
mod tests {
    use super::is_loopback;

    #[test]
    fn only_loopback_addresses_are_loaded() {
        for own in
            ["https://127.0.0.1:6443", "http://localhost:8001", "https://[::1]:6443", "http://localhost"]
        {
            assert!(is_loopback(own), "{own}");
        }
        for other in
            ["https://10.0.0.1:6443", "https://localhost.example.org:443", "https://api.127.example:1"]
        {
            assert!(!is_loopback(other), "{other}");
        }
    }
}
