//! Standard error: a reader that stands still holds up neither a run nor its clean-up.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use crate::readiness::{PART, Reader};

static READER: Mutex<Reader> = Mutex::new(Reader::new());

/// Standard error. What its reader does not take in time is dropped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StandardError;

impl Write for StandardError {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_ready = READER.lock().unwrap_or_else(PoisonError::into_inner).is_ready(&io::stderr());
        if is_ready { io::stderr().write(&bytes[..bytes.len().min(PART)]) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}
