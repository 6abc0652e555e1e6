//! Standard error: a reader that stands still holds up neither a run nor its clean-up.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The most that a pipe takes at once if it takes anything, in bytes.
const PART: usize = 4 << 10;

/// How long a text waits for its reader.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whether the reader let a text wait in vain: the next one does not wait.
static STANDS_STILL: AtomicBool = AtomicBool::new(false);

/// Standard error. What its reader does not take in time is dropped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StandardError;

impl Write for StandardError {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let patience = if STANDS_STILL.load(Ordering::Relaxed) { Duration::ZERO } else { PATIENCE };
        let is_ready = is_ready(patience);
        STANDS_STILL.store(!is_ready, Ordering::Relaxed);
        if is_ready { io::stderr().write(&bytes[..bytes.len().min(PART)]) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Whether standard error takes a part within this time. A stream that nobody can ask is ready.
#[cfg(unix)]
fn is_ready(patience: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let stderr = io::stderr();
    let mut asked = [PollFd::new(&stderr, PollFlags::OUT)];
    let patience = Timespec::try_from(patience).unwrap_or_default();
    poll(&mut asked, Some(&patience)).map_or(true, |ready| ready > 0)
}

#[cfg(not(unix))]
fn is_ready(_: Duration) -> bool {
    true
}
