//! The end of a child process whose output is read.

use std::io;
use std::pin::pin;
use std::process::ExitStatus;
use std::time::Duration;

use futures::future::{Either, select};
use tokio::process::Child;

/// How long the output of a process is read after its end.
const REST_WITHIN: Duration = Duration::from_secs(1);

/// Waits for the end of a process while its output is read. An error of `reading` ends the wait.
///
/// The processes that it leaves in the background may keep its output open for ever: after its end, the rest of the output
/// is read for 1 s at most.
pub async fn wait_reading<E>(
    child: &mut Child,
    reading: impl Future<Output = Result<(), E>>,
) -> Result<io::Result<ExitStatus>, E> {
    match select(pin!(child.wait()), pin!(reading)).await {
        Either::Left((status, reading)) => {
            tokio::time::timeout(REST_WITHIN, reading).await.unwrap_or(Ok(()))?;
            Ok(status)
        }
        Either::Right((read, ending)) => {
            read?;
            Ok(ending.await)
        }
    }
}
