//! Whether the reader of an output stream takes more.

use std::time::Duration;

/// The most that a pipe takes at once if it takes anything, in bytes.
pub(crate) const PART: usize = 4 << 10;

/// How long a text waits for its reader while a command has other work.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);

/// Whether a stream takes a part within this time. A stream that nobody can ask is ready.
#[cfg(unix)]
pub(crate) fn is_ready(stream: &impl std::os::fd::AsFd, patience: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    let mut asked = [PollFd::new(stream, PollFlags::OUT)];
    let patience = Timespec::try_from(patience).unwrap_or_default();
    match poll(&mut asked, Some(&patience)) {
        Ok(ready) => ready > 0,
        // A signal came first.
        Err(why) => why != rustix::io::Errno::INTR,
    }
}

#[cfg(not(unix))]
pub(crate) fn is_ready<T>(_: &T, _: Duration) -> bool {
    true
}
