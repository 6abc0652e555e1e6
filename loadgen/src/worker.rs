//! Threads of the engine: each runs its tasks alone, so they share memory without locks.

use std::io;
use std::thread;

use tokio::runtime::{Builder, LocalOptions, LocalRuntime};
use tokio::sync::oneshot;

/// A thread and its result.
#[derive(Debug)]
pub struct Worker<T>(oneshot::Receiver<T>);

/// A thread failed to start, or panicked.
#[derive(Debug, thiserror::Error)]
#[error("a thread of the load generator ended before its time")]
pub struct Vanished;

impl<T: Send + 'static> Worker<T> {
    /// Starts a thread. The task that `make` returns, and all tasks that it spawns, run on this thread alone.
    pub fn start<F, W>(name: &str, make: F) -> io::Result<Self>
    where
        F: FnOnce() -> W + Send + 'static,
        W: Future<Output = T> + 'static,
    {
        let (done, receiver) = oneshot::channel();
        thread::Builder::new().name(name.to_owned()).spawn(move || {
            let Ok(runtime) = runtime() else { return };
            let _ = done.send(runtime.block_on(make()));
            // After the result is sent: the runtime needs time to drop ten thousand streams.
            drop(runtime);
        })?;
        Ok(Self(receiver))
    }

    /// Waits for the result.
    pub async fn join(self) -> Result<T, Vanished> {
        self.0.await.map_err(|_| Vanished)
    }
}

fn runtime() -> io::Result<LocalRuntime> {
    Builder::new_current_thread().enable_all().build_local(LocalOptions::default())
}
