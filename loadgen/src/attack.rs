//! goose, which drives a run: it starts the users, lets them tick, and stops them at the end of their time or of the
//! run.
//!
//! Each of its users has one task: a part of the engine. The user begins the task, ticks until its time is over or the
//! run stops, and ends the task. Ticks are short, because goose checks only between two ticks whether a user must stop.
//! The engine itself opens streams and sends requests: goose's client, numbers, files, ports and output are all off.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use futures::future::{BoxFuture, join_all};
use goose::GooseAttack;
use goose::config::GooseConfiguration;
use goose::goose::{Scenario, Transaction, TransactionFunction};
use jiff::Timestamp;
use tokio::sync::OnceCell;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::worker::Worker;

/// The interval between two checks for the end.
const TICK: Duration = Duration::from_millis(250);

/// The task of one user.
pub(crate) trait UserTask: Send + Sync + 'static {
    /// The name in goose.
    fn name(&self) -> &'static str;

    /// Starts the task. The user's time begins afterwards.
    fn begin(&self) -> BoxFuture<'_, ()>;

    /// Ends the task.
    fn end(&self) -> BoxFuture<'_, ()>;
}

/// The users and their time.
pub(crate) struct Attack {
    /// One task per user.
    pub(crate) user_tasks: Vec<Arc<dyn UserTask>>,
    /// The time of each user after the start of its task.
    pub(crate) length: Duration,
    /// The maximum time for the start of a task.
    pub(crate) ramp: Duration,
    /// Cancelled to stop all users early; goose cancels it at its own end.
    pub(crate) over: CancellationToken,
    /// Reads the wall clock.
    pub(crate) clock: fn() -> Timestamp,
}

/// The task of one user, which ends once.
struct Part {
    task: Arc<dyn UserTask>,
    ended: OnceCell<()>,
}

impl Part {
    async fn end(&self) {
        self.ended.get_or_init(|| self.task.end()).await;
    }
}

/// Ends the run at a panic of goose or of one of its users: goose does not notice the panic of a user.
#[derive(Clone)]
struct PanicGuard {
    over: CancellationToken,
    panicked: Arc<AtomicBool>,
}

impl Drop for PanicGuard {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.panicked.store(true, SeqCst);
            self.over.cancel();
        }
    }
}

/// The time of one user.
#[derive(Clone)]
struct Time {
    began: Instant,
    ticks: u32,
}

/// Leaves Ctrl-C to the program. The program must call this before it installs its own handler.
pub fn leave_interrupts_alone() {
    // goose ignores the error that a second handler causes.
    let _ = ctrlc::set_handler(|| {});
    // goose's log messages have no reader.
    let _ = log::set_logger(&Silence);
}

struct Silence;

impl log::Log for Silence {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        false
    }

    fn log(&self, _: &log::Record<'_>) {}

    fn flush(&self) {}
}

impl Attack {
    /// Starts the users, on a thread of its own.
    pub(crate) fn start(self) -> std::io::Result<Worker<Result<(), String>>> {
        leave_interrupts_alone();
        Worker::start("shell", move || async move {
            let guard = PanicGuard { over: self.over.clone(), panicked: Arc::default() };
            let part = |task: &Arc<dyn UserTask>| Part { task: task.clone(), ended: OnceCell::new() };
            let parts: Vec<Arc<Part>> = self.user_tasks.iter().map(part).map(Arc::new).collect();
            let ended = tokio::select! {
                ended = Box::pin(self.execute(&parts, &guard)) => ended,
                why = self.clock_before_1970() => {
                    // goose would panic at its end.
                    self.over.cancel();
                    join_all(parts.iter().map(|part| part.end())).await;
                    Err(why)
                }
            };
            self.over.cancel();
            let panicked = guard.panicked.load(SeqCst);
            if panicked {
                Err("a part of the load generator ended before its time".to_owned())
            } else {
                ended
            }
        })
    }

    /// Waits until the clock of the machine goes back to a time that goose cannot write.
    async fn clock_before_1970(&self) -> String {
        while (self.clock)() >= Timestamp::UNIX_EPOCH {
            tokio::time::sleep(TICK).await;
        }
        "the clock of this machine went back to before 1970".to_owned()
    }

    async fn execute(&self, parts: &[Arc<Part>], guard: &PanicGuard) -> Result<(), String> {
        let mut attack =
            GooseAttack::initialize_with_config(self.configuration()).map_err(|why| why.to_string())?;
        for part in parts {
            attack = attack.register_scenario(scenario(part, self.length, guard));
        }
        Box::pin(attack.execute()).await.map(drop).map_err(|why| why.to_string())
    }

    fn configuration(&self) -> GooseConfiguration {
        let mut configuration = GooseConfiguration::default();
        // goose sends no request: these settings only satisfy its checks of a server and its certificates.
        configuration.host = Some("http://load.invalid".to_owned());
        configuration.accept_invalid_certs = true;
        configuration.users = Some(self.user_tasks.len());
        // All users at once: each task has a ramp of its own.
        configuration.increase_rate = Some("1000".to_owned());
        // A bound in case all else fails. goose counts it from the start of the users, not of their tasks.
        configuration.run_time = Some(format!("{}s", (self.ramp + self.length).as_secs() + 1));
        configuration.quiet = 1;
        (configuration.no_metrics, configuration.no_print_metrics) = (true, true);
        configuration.no_telnet = true;
        configuration
    }
}

/// A user that begins its task, ticks, and ends the task.
fn scenario(part: &Arc<Part>, length: Duration, guard: &PanicGuard) -> Scenario {
    Scenario::new(part.task.name())
        .register_transaction(Transaction::new(beginning(part.clone(), guard.clone())).set_on_start())
        .register_transaction(Transaction::new(tick(part.clone(), length, guard.clone())))
        .register_transaction(Transaction::new(ending(part.clone(), guard.clone())).set_on_stop())
}

fn beginning(part: Arc<Part>, guard: PanicGuard) -> TransactionFunction {
    Arc::new(move |user| {
        let (part, guard) = (part.clone(), guard.clone());
        Box::pin(async move {
            let _guard = guard;
            part.task.begin().await;
            user.set_session_data(Time { began: Instant::now(), ticks: 0 });
            Ok(())
        })
    })
}

fn tick(part: Arc<Part>, length: Duration, guard: PanicGuard) -> TransactionFunction {
    Arc::new(move |user| {
        let (part, guard) = (part.clone(), guard.clone());
        Box::pin(async move {
            let Some(time) = user.get_session_data_mut::<Time>() else { return Ok(()) };
            if part.ended.initialized() {
                tokio::time::sleep(TICK).await;
                return Ok(());
            }
            time.ticks += 1;
            let last = TICK * time.ticks >= length;
            tokio::time::sleep_until(time.began + if last { length } else { TICK * time.ticks }).await;
            if last || guard.over.is_cancelled() {
                goose::trigger_killswitch("the run is over");
            }
            if last {
                part.end().await;
            }
            Ok(())
        })
    })
}

fn ending(part: Arc<Part>, guard: PanicGuard) -> TransactionFunction {
    Arc::new(move |_| {
        let (part, guard) = (part.clone(), guard.clone());
        Box::pin(async move {
            let _guard = guard;
            part.end().await;
            Ok(())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Panics at this point.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Panics {
        Name,
        Begin,
        End,
    }

    impl UserTask for Panics {
        fn name(&self) -> &'static str {
            assert!(*self != Self::Name, "on purpose");
            "panics"
        }

        fn begin(&self) -> BoxFuture<'_, ()> {
            Box::pin(async { assert!(*self != Self::Begin, "on purpose") })
        }

        fn end(&self) -> BoxFuture<'_, ()> {
            Box::pin(async { assert!(*self != Self::End, "on purpose") })
        }
    }

    #[tokio::test]
    async fn a_panic_of_goose_or_of_a_user_ends_the_run() {
        for panics in [Panics::Name, Panics::Begin, Panics::End] {
            let over = CancellationToken::new();
            let attack = Attack {
                user_tasks: vec![Arc::new(panics)],
                length: Duration::from_secs(1),
                ramp: Duration::ZERO,
                over: over.clone(),
                clock: || Timestamp::UNIX_EPOCH,
            };
            let ended = attack.start().unwrap().join().await;
            assert!(!matches!(ended, Ok(Ok(()))) && over.is_cancelled());
        }
    }
}
