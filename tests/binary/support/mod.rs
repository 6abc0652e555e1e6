//! The program under test, and servers for it.

pub(crate) mod authority;
pub(crate) mod browser;
pub(crate) mod evidence;
pub(crate) mod http;
pub(crate) mod listener;
pub(crate) mod program;
pub(crate) mod proxy;
pub(crate) mod python;
pub(crate) mod redaction;
pub(crate) mod server;
pub(crate) mod workers;

use std::time::{Duration, Instant};

pub(crate) use authority::Authority;
pub(crate) use listener::Listener;
pub(crate) use program::{Ended, Program, kube_assay, session};
pub(crate) use proxy::{Proxy, Reply};
pub(crate) use server::Reference;

/// How long a test waits for a condition: much longer than a slow machine takes. Then it fails, and does not hang.
const LONGEST_WAIT: Duration = Duration::from_mins(5);

/// Waits for a condition.
#[track_caller]
pub(crate) fn until(holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < LONGEST_WAIT, "the condition does not hold after {LONGEST_WAIT:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
