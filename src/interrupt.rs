//! Signals that end the program: Ctrl-C, SIGTERM, and SIGHUP of a closing terminal.

use std::process;
use std::{fs, io};

use futures::future::OptionFuture;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::exit::Exit;
use crate::output::remark;

/// The number of SIGHUP on all systems.
const HANGUP: u32 = 1;

/// The signals that end the program, since the creation of this value.
pub(crate) struct Interruptions {
    interrupt: Signal,
    terminate: Signal,
    hangup: Option<Signal>,
}

impl Interruptions {
    /// Starts to listen for the signals.
    pub(crate) fn listen() -> io::Result<Self> {
        let hangup = if is_ignored(HANGUP) { None } else { Some(signal(SignalKind::hangup())?) };
        let (interrupt, terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        Ok(Self { interrupt, terminate, hangup })
    }

    /// Waits for the next signal.
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            Some(_) = OptionFuture::from(self.hangup.as_mut().map(Signal::recv)) => {}
        }
    }

    /// Waits for the next signal of a user: a closing terminal may send several hangups.
    async fn next_of_a_person(&mut self) {
        self.hangup = None;
        self.next().await;
    }
}

/// Whether the program inherits a signal as ignored, as from `nohup`: it then stays ignored. Unknown outside of Linux.
fn is_ignored(number: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (number - 1) & 1 == 1
}

/// Cancelled at the first interruption; the second one ends the process at once.
pub(crate) fn stop_on_interrupt() -> CancellationToken {
    let stop = CancellationToken::new();
    // Without signals the run still works; the system then ends the program.
    let Ok(mut interruptions) = Interruptions::listen() else { return stop };
    tokio::spawn({
        let stop = stop.clone();
        async move {
            interruptions.next().await;
            remark("\nstopping, and removing what was created (Ctrl-C again to leave it there)");
            stop.cancel();
            interruptions.next_of_a_person().await;
            #[expect(clippy::exit, reason = "a second interruption ends the process without cleanup")]
            process::exit(Exit::Inconclusive as i32);
        }
    });
    stop
}
