//! Hands the events of a run to its reporters: the person at the terminal, and the files.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use harness::Event;
use jiff::Timestamp;
use reports::{Directory, Reporter, Terminal};
use tokio_util::task::AbortOnDropHandle;

use crate::cli::RunArgs;
use crate::output;

/// How often the progress line is drawn again while nothing happens.
const TICK: Duration = Duration::from_millis(200);

/// The reporters of one run. The first error is kept for the end: a full disk must not end a run.
pub(crate) struct Reporting {
    state: Arc<Mutex<Option<State>>>,
}

struct State {
    terminal: Terminal<io::Stderr, io::Stdout>,
    directory: Directory,
    error: Option<io::Error>,
}

impl State {
    fn keep(&mut self, reported: io::Result<()>) {
        if let Err(why) = reported {
            self.error.get_or_insert(why);
        }
    }
}

impl Reporting {
    /// Reports to the terminal and into the directory.
    pub(crate) fn new(args: &RunArgs, directory: Directory) -> Self {
        let terminal = output::terminal(args.quiet, args.verbose);
        Self { state: Arc::new(Mutex::new(Some(State { terminal, directory, error: None }))) }
    }

    /// Tells every reporter.
    pub(crate) fn report(&self, event: &Event) {
        let mut state = lock(&self.state);
        let Some(state) = state.as_mut() else { return };
        let told = state.terminal.report(event);
        let written = state.directory.report(event);
        // Nobody may read the terminal any more; the files still count.
        drop(told);
        state.keep(written);
    }

    /// Keeps the progress line alive until the handle is dropped.
    pub(crate) fn tick(&self) -> AbortOnDropHandle<()> {
        let state = self.state.clone();
        AbortOnDropHandle::new(tokio::spawn(async move {
            loop {
                tokio::time::sleep(TICK).await;
                let Some(state) = &mut *lock(&state) else { return };
                let _ = state.terminal.tick(Timestamp::now());
            }
        }))
    }

    /// Writes what can only be said at the end, and returns the first error of all.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Some(mut state) = lock(&self.state).take() else { return Ok(()) };
        let _ = Box::new(state.terminal).finish();
        let written = Box::new(state.directory).finish();
        state.error.take().map_or(written, Err)
    }
}

fn lock(state: &Mutex<Option<State>>) -> MutexGuard<'_, Option<State>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
