//! Whether the reader of an output stream takes more.

use std::time::Duration;

/// The most that a pipe takes at once if it takes anything, in bytes.
pub(crate) const PART: usize = 4 << 10;

/// How long a text waits for its reader while a command has other work.
const PATIENCE: Duration = Duration::from_secs(1);

/// The reader of an output stream.
#[derive(Debug)]
pub(crate) struct Reader {
    /// Whether it let a text wait in vain: the next one does not wait.
    stands_still: bool,
}

impl Reader {
    pub(crate) const fn new() -> Self {
        Self { stands_still: false }
    }

    /// Whether it takes a part of this stream soon.
    pub(crate) fn is_ready(&mut self, stream: &impl std::os::fd::AsFd) -> bool {
        let patience = if self.stands_still { Duration::ZERO } else { PATIENCE };
        self.stands_still = !is_ready(stream, patience);
        !self.stands_still
    }
}

/// Whether a stream takes a part within this time. A stream that nobody can ask is ready.
fn is_ready(stream: &impl std::os::fd::AsFd, patience: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::retry_on_intr;

    let mut asked = [PollFd::new(stream, PollFlags::OUT)];
    let patience = Timespec::try_from(patience).unwrap_or_default();
    retry_on_intr(|| poll(&mut asked, Some(&patience))).map_or(true, |ready| ready > 0)
}
