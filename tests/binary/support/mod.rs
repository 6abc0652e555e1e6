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

pub(crate) use authority::Authority;
pub(crate) use listener::Listener;
pub(crate) use program::{Ended, Program, kube_assay, session};
pub(crate) use proxy::{Proxy, Reply};
pub(crate) use server::Reference;

/// Waits for a condition.
pub(crate) fn until(holds: impl Fn() -> bool) {
    while !holds() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}
