//! Permits for the work of large requests: few of them run at the same time, and small requests go on beside them.

use std::sync::Arc;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::block_in_place;

/// The number of large requests that run at the same time: a list in another form than JSON takes twenty times the memory
/// of its body until that is written.
pub(crate) const MOST: usize = 2;

/// The permits of a cluster.
#[derive(Debug)]
pub(crate) struct WorkPermits(Arc<Semaphore>);

impl Default for WorkPermits {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(MOST)))
    }
}

impl WorkPermits {
    /// Waits for a permit, in the order of the requests.
    pub(crate) async fn acquire(&self) -> Option<WorkPermit> {
        // The semaphore is never closed.
        let permit = self.0.clone().acquire_owned().await.ok()?;
        Some(WorkPermit { _permit: Arc::new(permit) })
    }
}

/// The permit of a large request, an extension of its response until the body is whole.
#[derive(Debug, Clone)]
pub(crate) struct WorkPermit {
    _permit: Arc<OwnedSemaphorePermit>,
}

/// Does work. With a permit it takes long: the other tasks of this thread go on in another one.
pub(crate) fn work<T>(permit: Option<&WorkPermit>, work: impl FnOnce() -> T) -> T {
    // A runtime of one thread has no other one.
    if permit.is_some() && Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread {
        block_in_place(work)
    } else {
        work()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Both tasks have the same thread.
    #[test]
    fn tasks_go_on_beside_the_work_of_a_large_request() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        runtime.block_on(async {
            let permit = WorkPermits::default().acquire().await;
            let (sender, receiver) = std::sync::mpsc::channel();
            let large = tokio::spawn(async move {
                tokio::spawn(async move { sender.send(()) });
                // Without another thread, nothing would ever be sent.
                work(permit.as_ref(), move || receiver.recv_timeout(Duration::from_mins(1)))
            });
            assert_eq!(large.await.unwrap(), Ok(()));
        });
    }
}
