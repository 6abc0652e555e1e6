//! Standard error: a reader that stands still holds up neither a run nor its clean-up.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::readiness::{PART, PATIENCE, is_ready};

/// Whether the reader let a text wait in vain: the next one does not wait.
static STANDS_STILL: AtomicBool = AtomicBool::new(false);

/// Standard error. What its reader does not take in time is dropped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StandardError;

impl Write for StandardError {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let patience = if STANDS_STILL.load(Ordering::Relaxed) { Duration::ZERO } else { PATIENCE };
        let is_ready = is_ready(&io::stderr(), patience);
        STANDS_STILL.store(!is_ready, Ordering::Relaxed);
        if is_ready { io::stderr().write(&bytes[..bytes.len().min(PART)]) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
