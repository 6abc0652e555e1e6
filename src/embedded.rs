//! The reference server inside this process: the target when none is named.

use std::sync::Arc;
use std::time::Duration;

use harness::{Access, Flags, Hooks, TestError};
use reference::{Options, Server};

/// The note before a run on the embedded server.
pub(crate) const INSTEAD: &str = "no target given: using the embedded reference server \
                                  (your kubeconfig is read only if --kubeconfig names it)";

/// The replicas of a server under test: races need three servers.
pub(crate) const REPLICAS: u8 = 2;

/// The time between the start of the shutdown and the end of the server.
const SHUTDOWN_DELAY: Duration = Duration::from_secs(3);

/// A running reference server; dropping it stops it.
pub(crate) struct Embedded {
    server: Arc<Server>,
}

impl Embedded {
    /// Starts it on a free loopback port.
    pub(crate) async fn start(options: Options) -> Result<Self, TestError> {
        let server = Server::start(options).await;
        let server =
            server.map_err(|why| TestError::new("start the embedded reference server", why.to_string()))?;
        Ok(Self { server: Arc::new(server) })
    }

    /// Its address and token, with its replicas.
    pub(crate) async fn access(&self) -> Result<Access, TestError> {
        let token = Some(self.server.admin_token().to_owned());
        let flags = Flags { token, ..Flags::at(self.server.url()) };
        Access::load(flags.into()).await?.with_replicas(&self.server.replicas())
    }

    /// Its hooks: all of them.
    pub(crate) fn hooks(&self) -> Hooks {
        let mut hooks = Hooks::default();
        self.add(&mut hooks, "compact", Server::compact);
        self.add(&mut hooks, "break-store", Server::break_store);
        self.add(&mut hooks, "mend-store", Server::mend_store);
        self.add(&mut hooks, "stop-replica", Server::stop_replicas);
        self.add(&mut hooks, "start-replica", Server::start_replicas);
        self.add(&mut hooks, "shutdown", |server| server.shut_down_after(SHUTDOWN_DELAY));
        hooks
    }

    fn add(&self, hooks: &mut Hooks, name: &str, run: fn(&Server)) {
        let server = self.server.clone();
        hooks.insert(
            name,
            Arc::new(move || {
                run(&server);
                Box::pin(std::future::ready(Ok(())))
            }),
        );
    }
}
