//! goose, which drives a run: it starts the users, lets them tick, and stops them at the end of their time or of the
//! run.
//!
//! Each of its users has one task: a part of the engine. The user begins the task, ticks until its time is over or the
//! run stops, and ends the task. Ticks are short, because goose checks only between two ticks whether a user must stop.
//! The engine itself opens streams and sends requests: goose's client, numbers, files, ports and output are all off.

use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use goose::GooseAttack;
use goose::config::GooseConfiguration;
use goose::goose::{Scenario, Transaction, TransactionFunction};
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
}

/// The time of one user.
#[derive(Clone)]
struct Time {
    began: Instant,
    ticks: u32,
    ended: bool,
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
            let over = self.over.clone();
            let ended = Box::pin(self.execute()).await;
            over.cancel();
            ended
        })
    }

    async fn execute(self) -> Result<(), String> {
        let mut attack =
            GooseAttack::initialize_with_config(self.configuration()).map_err(|why| why.to_string())?;
        for task in &self.user_tasks {
            attack = attack.register_scenario(scenario(task, self.length, &self.over));
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
fn scenario(task: &Arc<dyn UserTask>, length: Duration, over: &CancellationToken) -> Scenario {
    Scenario::new(task.name())
        .register_transaction(Transaction::new(beginning(task.clone())).set_on_start())
        .register_transaction(Transaction::new(tick(task.clone(), length, over.clone())))
        .register_transaction(Transaction::new(ending(task.clone())).set_on_stop())
}

fn beginning(task: Arc<dyn UserTask>) -> TransactionFunction {
    Arc::new(move |user| {
        let task = task.clone();
        Box::pin(async move {
            task.begin().await;
            user.set_session_data(Time { began: Instant::now(), ticks: 0, ended: false });
            Ok(())
        })
    })
}

fn tick(task: Arc<dyn UserTask>, length: Duration, over: CancellationToken) -> TransactionFunction {
    Arc::new(move |user| {
        let (task, over) = (task.clone(), over.clone());
        Box::pin(async move {
            let Some(time) = user.get_session_data_mut::<Time>() else { return Ok(()) };
            if time.ended {
                tokio::time::sleep(TICK).await;
                return Ok(());
            }
            time.ticks += 1;
            let last = TICK * time.ticks >= length;
            tokio::time::sleep_until(time.began + if last { length } else { TICK * time.ticks }).await;
            if last || over.is_cancelled() {
                goose::trigger_killswitch("the run is over");
            }
            if last {
                time.ended = true;
                task.end().await;
            }
            Ok(())
        })
    })
}

fn ending(task: Arc<dyn UserTask>) -> TransactionFunction {
    Arc::new(move |user| {
        let task = task.clone();
        Box::pin(async move {
            if !user.get_session_data::<Time>().is_some_and(|time| time.ended) {
                task.end().await;
            }
            Ok(())
        })
    })
}
