//! Signals such as Ctrl-C: the program first stops servers and removes folders.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::task_error::TaskError;

/// Whether a signal arrived.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Watches for signals from now on. A second signal ends the program at once.
    pub(crate) fn watch() -> Result<Self, TaskError> {
        let interrupted = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // In this order, the first signal finds the flag unset and sets it.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&interrupted))
                .and_then(|_| flag::register(signal, Arc::clone(&interrupted)))
                .map_err(TaskError::failed_to("watch for signals"))?;
        }
        Ok(Self(interrupted))
    }

    pub(crate) fn interrupted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error after a signal.
    pub(crate) fn check(&self) -> Result<(), TaskError> {
        if self.interrupted() { Err(TaskError::new("interrupted")) } else { Ok(()) }
    }

    /// An interrupt without signals.
    #[cfg(test)]
    pub(crate) fn never() -> Self {
        Self(Arc::new(AtomicBool::new(false)))
    }
}
