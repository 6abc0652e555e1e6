//! Threads of the engine: each runs its tasks alone, so that they share memory without locks.

use std::io;
use std::thread;

use tokio::runtime::{Builder, LocalOptions, LocalRuntime};
use tokio::sync::oneshot;

/// Something that runs on a thread of its own.
#[derive(Debug)]
pub struct Worker<T>(oneshot::Receiver<T>);

/// A thread could not be started, or ended without a word.
#[derive(Debug, thiserror::Error)]
#[error("a thread of the load generator ended before its time")]
pub struct Vanished;

impl<T: Send + 'static> Worker<T> {
    /// Starts a thread. What `make` returns lives and dies on it, with all the tasks that it spawns.
    pub fn start<F, W>(name: &str, make: F) -> io::Result<Self>
    where
        F: FnOnce() -> W + Send + 'static,
        W: Future<Output = T> + 'static,
    {
        let (done, receiver) = oneshot::channel();
        thread::Builder::new().name(name.to_owned()).spawn(move || {
            let Ok(runtime) = runtime() else { return };
            let _ = done.send(runtime.block_on(make()));
            // Whoever waits has the answer already: ten thousand streams are torn down behind his back.
            drop(runtime);
        })?;
        Ok(Self(receiver))
    }

    /// Waits for its end.
    pub async fn join(self) -> Result<T, Vanished> {
        self.0.await.map_err(|_| Vanished)
    }
}

fn runtime() -> io::Result<LocalRuntime> {
    Builder::new_current_thread().enable_all().build_local(LocalOptions::default())
}
