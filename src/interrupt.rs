//! Signals that end the program: Ctrl-C, SIGTERM, SIGHUP of a closing terminal, and others that would kill it otherwise.

use std::future::poll_fn;
use std::pin::pin;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::{fs, io};

use futures::future::{Either, select};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::called::called;
use crate::exit::Exit;
use crate::output::remark;

/// The ID of the run that a second interruption leaves unfinished, once there is one.
static RUN: Mutex<Option<String>> = Mutex::new(None);

/// Whether a signal has stopped the command.
static CAME: AtomicBool = AtomicBool::new(false);

/// Listens while no task does: a signal must not be lost between the end of a run and the wait for the reader of its output.
static KEPT: Mutex<Option<Interruptions>> = Mutex::new(None);

/// Whether a signal has stopped the command: whatever is left to do, nobody waits for it.
pub(crate) fn has_come() -> bool {
    CAME.load(Ordering::Relaxed)
}

/// Notes the run that begins: only its objects may be left.
pub(crate) fn begin_run(id: &str) {
    *RUN.lock().unwrap_or_else(PoisonError::into_inner) = Some(id.to_owned());
}

/// How the objects of the run are removed later.
fn clean_command() -> String {
    let run = RUN.lock().unwrap_or_else(PoisonError::into_inner);
    let only = run.as_ref().map_or_else(String::new, |id| format!(" --run {id}"));
    format!("{} clean{only}", called())
}

/// The signals that end the program, since the creation of this value.
pub(crate) struct Interruptions {
    signals: Vec<(SignalKind, Signal)>,
}

impl Interruptions {
    /// Starts to listen for the signals.
    pub(crate) fn listen() -> io::Result<Self> {
        let requests = [SignalKind::interrupt(), SignalKind::terminate()];
        let others = [
            SignalKind::hangup(),
            SignalKind::quit(),
            SignalKind::alarm(),
            SignalKind::user_defined1(),
            SignalKind::user_defined2(),
        ];
        let kinds = requests.into_iter().chain(others.into_iter().filter(|kind| !is_ignored(*kind)));
        let signals = kinds.map(|kind| Ok((kind, signal(kind)?))).collect::<io::Result<_>>()?;
        Ok(Self { signals })
    }

    /// Waits for the next signal.
    pub(crate) async fn next(&mut self) {
        poll_fn(|context| {
            let mut signals = self.signals.iter_mut();
            let received = signals.any(|(_, signal)| signal.poll_recv(context).is_ready());
            if received { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        CAME.store(true, Ordering::Relaxed);
    }

    /// Waits for the next signal of a user: a closing terminal may send several hangups.
    async fn next_of_a_person(&mut self) {
        self.signals.retain(|(kind, _)| *kind != SignalKind::hangup());
        self.next().await;
    }
}

/// Whether the program inherits a signal as ignored, as from `nohup`: it then stays ignored. Unknown outside of Linux.
fn is_ignored(kind: SignalKind) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (kind.as_raw_value() - 1) & 1 == 1
}

/// Performs some work unless a signal interrupts it; then `None`.
pub(crate) async fn unless_interrupted<T>(work: impl Future<Output = T>) -> Option<T> {
    let kept = kept_listener().take();
    // Without signals, the system ends the program.
    let Ok(mut interruptions) = kept.map_or_else(Interruptions::listen, Ok) else { return Some(work.await) };
    let done = match select(pin!(work), pin!(interruptions.next())).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(_) => None,
    };
    *kept_listener() = Some(interruptions);
    done
}

fn kept_listener() -> MutexGuard<'static, Option<Interruptions>> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Cancelled at the first interruption; the second one ends the process at once.
pub(crate) fn stop_on_interrupt() -> CancellationToken {
    let stop = CancellationToken::new();
    // A file that reaches `ulimit -f` is then an error like a full disk: without a listener, SIGXFSZ kills the program.
    let _ = signal(SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw()));
    // Without signals the run still works; the system then ends the program.
    let Ok(mut interruptions) = Interruptions::listen() else { return stop };
    *kept_listener() = Interruptions::listen().ok();
    tokio::spawn({
        let stop = stop.clone();
        async move {
            interruptions.next().await;
            remark("\nstopping, and removing what was created (Ctrl-C again to leave it there)");
            stop.cancel();
            interruptions.next_of_a_person().await;
            let clean = clean_command();
            remark(format_args!("\nstopped: {clean}, with the same target, removes what is left"));
            #[expect(clippy::exit, reason = "a second interruption ends the process without cleanup")]
            process::exit(Exit::Inconclusive as i32);
        }
    });
    stop
}

#[cfg(test)]
mod tests {
    use std::future::ready;

    use rustix::process::{Signal, getpid, kill_process};
    use tokio::task::yield_now;

    use super::*;

    #[tokio::test]
    async fn a_signal_that_comes_while_no_work_waits_ends_the_next_work() {
        assert_eq!(unless_interrupted(ready("done")).await, Some("done"));
        let mut witness = Interruptions::listen().unwrap();
        kill_process(getpid(), Signal::USR2).unwrap();
        witness.next().await;
        assert_eq!(unless_interrupted(yield_now()).await, None);
    }
}
