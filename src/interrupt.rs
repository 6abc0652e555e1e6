//! Ctrl-C, and what else tells a program to end.

use std::io;
use std::process;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::exit::Exit;
use crate::output::remark;

/// What tells a program to end. It counts from the moment that this is made.
pub(crate) struct Interruptions {
    interrupt: Signal,
    terminate: Signal,
}

impl Interruptions {
    /// Begins to listen for them.
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// Until the next one.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// Cancelled at the first interruption; the second one ends the process at once.
pub(crate) fn stop_on_interrupt() -> CancellationToken {
    let stop = CancellationToken::new();
    // Without signals the run still works, and ends as the system ends programs.
    let Ok(mut interruptions) = Interruptions::listen() else { return stop };
    tokio::spawn({
        let stop = stop.clone();
        async move {
            interruptions.next().await;
            remark("\nstopping, and removing what was created (Ctrl-C again to leave it there)");
            stop.cancel();
            interruptions.next().await;
            #[expect(clippy::exit, reason = "whoever asks twice does not want to wait for anything")]
            process::exit(Exit::Inconclusive as i32);
        }
    });
    stop
}
