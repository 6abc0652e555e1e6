//! Ctrl-C and its like, noticed instead of obeyed at once: servers are stopped and folders removed first.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::task_error::TaskError;

/// Whether somebody asked us to stop.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Notices from now on. Asked a second time, the program ends at once.
    pub(crate) fn watch() -> Result<Self, TaskError> {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // In this order, the first signal finds the flag still down and raises it.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&asked))
                .and_then(|_| flag::register(signal, Arc::clone(&asked)))
                .map_err(TaskError::while_trying("watch for signals"))?;
        }
        Ok(Self(asked))
    }

    /// Whether it has happened.
    pub(crate) fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// For `?`: ends whatever is going on.
    pub(crate) fn check(&self) -> Result<(), TaskError> {
        if self.asked() { Err(TaskError::new("interrupted")) } else { Ok(()) }
    }

    /// A watch that nothing interrupts.
    #[cfg(test)]
    pub(crate) fn never() -> Self {
        Self(Arc::new(AtomicBool::new(false)))
    }
}
