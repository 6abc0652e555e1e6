//! Standard output: a reader that stands still, such as `less`, holds up neither a run nor its clean-up.

use std::io::{self, Write};
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::runtime::Builder;

use crate::interrupt::{self, unless_interrupted};
use crate::readiness::{PART, Reader};

/// The most that waits for its reader while the command goes on, in bytes.
const MOST: usize = 16 << 20;

/// The pause between two attempts where nothing else is left to do.
const PAUSE: Duration = Duration::from_millis(50);

static OUTPUT: Mutex<Output> = Mutex::new(Output { reader: Reader::new(), waiting: Vec::new(), error: None });

/// Standard output, line by line. What its reader does not take waits for [`finish`].
///
/// A closed pipe is an error for the writer; any other error is kept for [`finish`], and stops nothing else.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StandardOutput;

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut output = lock();
        output.waiting.extend_from_slice(bytes);
        if bytes.contains(&b'\n') || output.waiting.len() >= PART {
            output.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        lock().send()
    }
}

/// Waits until the reader has taken everything, or a signal ends that. Returns the first error.
pub(crate) fn finish() -> Option<String> {
    let _ = lock().send();
    let is_taken = lock().waiting.is_empty() || (!interrupt::has_come() && wait_for_reader());
    if !is_taken {
        lock().fail("its reader does not take it");
    }
    lock().error.take()
}

/// Keeps the error of a text that was printed by other means.
pub(crate) fn keep(printed: io::Result<()>) {
    if let Err(why) = printed
        && why.kind() != io::ErrorKind::BrokenPipe
    {
        lock().fail(&why.to_string());
    }
}

/// Whether the reader takes what waits before a signal comes.
fn wait_for_reader() -> bool {
    let Ok(runtime) = Builder::new_current_thread().enable_all().build() else { return false };
    let sending = async {
        while !lock().waiting.is_empty() {
            let _ = lock().send();
            tokio::time::sleep(PAUSE).await;
        }
    };
    runtime.block_on(unless_interrupted(sending)).is_some()
}

fn lock() -> MutexGuard<'static, Output> {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Output {
    reader: Reader,
    waiting: Vec<u8>,
    /// The first error other than a closed pipe.
    error: Option<String>,
}

impl Output {
    /// Sends what waits, as far as the reader takes it.
    fn send(&mut self) -> io::Result<()> {
        let mut waiting = mem::take(&mut self.waiting);
        let mut sent = 0;
        while sent < waiting.len() {
            let rest = &waiting[sent..];
            if self.reader.is_ready(&io::stdout()) {
                sent += self.write(&rest[..rest.len().min(PART)])?;
            } else if rest.len() > MOST && !interrupt::has_come() {
                thread::sleep(PAUSE);
            } else {
                break;
            }
        }
        waiting.drain(..sent);
        self.waiting = waiting;
        Ok(())
    }

    /// The number of bytes that need not be written again.
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        let mut stdout = io::stdout();
        match stdout.write(part).and_then(|written| stdout.flush().map(|()| written)) {
            Err(why) if why.kind() == io::ErrorKind::Interrupted => Ok(0),
            Err(why) if why.kind() != io::ErrorKind::BrokenPipe => {
                self.fail(&why.to_string());
                Ok(part.len())
            }
            written => written,
        }
    }

    fn fail(&mut self, why: &str) {
        self.error.get_or_insert_with(|| why.to_owned());
    }
}
