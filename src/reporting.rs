//! Passes the events of a run to its reporters: the terminal and the files.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use harness::{Event, Slowdown};
use reports::{AtEnd, Directory, Format, Reporter, Terminal};
use tokio_util::task::AbortOnDropHandle;

use crate::cli::RunArgs;
use crate::clock;
use crate::github::Github;
use crate::output::{self, Results};
use crate::standard_error::StandardError;

/// The interval between two updates of the progress line.
const TICK: Duration = Duration::from_millis(200);

/// The reporters of one run. It keeps the first error for the end: a full disk must not end a run.
pub(crate) struct Reporting {
    state: Arc<Mutex<Option<State>>>,
}

struct State {
    terminal: Terminal<StandardError, Results>,
    directory: Directory,
    /// The document on standard output, in the place of the results for people.
    document: Option<AtEnd<Results>>,
    github: Option<Github>,
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
    /// Reporters for the terminal, the directory and, inside of GitHub Actions, its runner.
    pub(crate) fn new(args: &RunArgs, directory: Directory) -> Self {
        let document = match (args.tap, args.output.is_json()) {
            (true, _) => Some(Format::Tap),
            (_, true) => Some(Format::Summary),
            _ => None,
        };
        let (results, commands): (_, fn() -> Results) = if document.is_some() {
            // Standard output contains nothing else.
            (Box::new(io::sink()) as Results, output::standard_error)
        } else {
            (output::standard_output(), output::standard_output)
        };
        let terminal = output::terminal(args.quiet, args.verbose, results);
        let document = document.map(|format| AtEnd::new(vec![(format, output::standard_output())]));
        let (github, error) = match Github::here(commands) {
            Ok(github) => (github, None),
            Err(why) => (None, Some(why)),
        };
        Self { state: Arc::new(Mutex::new(Some(State { terminal, directory, document, github, error }))) }
    }

    /// Passes an event to every reporter.
    pub(crate) fn report(&self, event: &Event) {
        let mut state = lock(&self.state);
        let Some(state) = state.as_mut() else { return };
        // The terminal may be closed; the files still count.
        let _ = state.terminal.report(event);
        let _ = state.document.as_mut().map(|document| document.report(event));
        let written = state.directory.report(event);
        state.keep(written);
        let written = state.github.as_mut().map_or(Ok(()), |github| github.report(event));
        state.keep(written);
    }

    /// Updates the progress line until the handle is dropped. It says why the run is slow, and that it cleans up.
    pub(crate) fn tick(&self, slowdown: Arc<Slowdown>) -> AbortOnDropHandle<()> {
        let state = self.state.clone();
        AbortOnDropHandle::new(tokio::spawn(async move {
            loop {
                tokio::time::sleep(TICK).await;
                // Whoever reports now may wait for a reader: the next tick comes soon.
                let Ok(mut state) = state.try_lock() else { continue };
                let Some(state) = state.as_mut() else { return };
                let _ = state.terminal.tick(clock::now(), slowdown.reason(), slowdown.clean_up());
            }
        }))
    }

    /// Writes the end of each report, and returns the first error.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Some(State { terminal, directory, document, github, error }) = lock(&self.state).take() else {
            return Ok(());
        };
        let _ = Box::new(terminal).finish();
        let _ = document.map(|document| Box::new(document).finish());
        let written = Box::new(directory).finish();
        let finished = github.map_or(Ok(()), |github| Box::new(github).finish());
        error.map_or(written.and(finished), Err)
    }
}

fn lock(state: &Mutex<Option<State>>) -> MutexGuard<'_, Option<State>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
